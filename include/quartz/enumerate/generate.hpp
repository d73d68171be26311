#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "quartz/communicator.hpp"
#include "quartz/gateset/gate_set.hpp"
#include "quartz/rules/rule_set.hpp"

namespace quartz {

/// What a progress line shows.
struct GenerateProgress {
  std::string phase;  ///< "enumerate", "phases", "prove", "prune"
  unsigned level = 0;
  std::uint64_t candidates = 0;
  std::uint64_t classes = 0;
  std::uint64_t proofs_done = 0;
  std::uint64_t proofs_total = 0;
  double seconds = 0;
  double seconds_left = -1;  ///< negative: not known
};

struct GenerateOptions {
  unsigned gates = 3;
  unsigned qubits = 3;
  unsigned threads = 0;  ///< 0: all cores
  std::uint64_t seed = 0;
  /// One of enumeration_backends. Rules are not what a device is for: starting it takes longer than
  /// the fingerprints of most rule sets, and sorting them into classes is the host's work.
  std::string backend = "cpu";
  double proof_seconds = 10;  ///< limit for each proof
  /// A folder where proofs are kept as they are made; empty: none. A run that was killed at any
  /// moment and is started again goes on from them and ends with the same rule set; runs for other
  /// sizes and gate sets may use the same folder, one at a time.
  std::filesystem::path checkpoint;
  /// Processes that work together; null: this one alone. Each enumerates the circuits, which takes
  /// little of the time; exact arithmetic and proofs are shared out. The first rank has the
  /// checkpoint and gets the result; the others' is empty.
  Communicator* ranks = nullptr;
  std::function<void(const GenerateProgress&)> on_progress;  ///< called from one thread at a time
  std::stop_token stop;
};

/// An equality that was found and not proved.
struct UnknownEquality {
  std::vector<Operation> representative;
  std::vector<Operation> circuit;
  std::string reason;
};

struct GenerateReport {
  std::uint64_t circuits_enumerated =
      0;                                 ///< kept by RepGen, before pruning, the empty one included
  std::uint64_t classes_enumerated = 0;  ///< before pruning
  /// Enumerations thrown away because two different circuits had one fingerprint (expect none).
  std::uint64_t fingerprint_collisions = 0;
  std::uint64_t classes = 0;  ///< after it, as are the next two
  std::uint64_t circuits = 0;
  std::uint64_t rules = 0;
  ProofSummary proofs;
  /// Claims that this run had to prove: of those that differ only by the names of qubits and
  /// parameters one, and none that was known.
  std::uint64_t proofs_made = 0;
  std::uint64_t proofs_known = 0;        ///< claims in the checkpoint when the run began
  std::vector<UnknownEquality> unknown;  ///< shortest first
  std::vector<std::pair<std::string, double>> seconds;  ///< phase and time, in order
};

struct GenerateResult {
  RuleSet rules;
  GenerateReport report;
};

/// RepGen (arXiv 2204.09033): enumerates the circuits of up to `gates` gates, groups the equal ones
/// by fingerprint, proves every equality with Z3, and prunes. The same gate set, sizes and seed
/// give the same result with any number of threads and ranks. Throws Error if stopped, InputError
/// for a checkpoint that is damaged, of another prover, or in use.
[[nodiscard]] GenerateResult generate(const GateSet& set, const GenerateOptions& options);

}  // namespace quartz
