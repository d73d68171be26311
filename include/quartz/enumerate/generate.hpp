#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "quartz/base/communicator.hpp"
#include "quartz/rules/rule_set.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz {

/// The state of a generation, for a progress line.
struct GenerateProgress {
  std::string phase;  ///< "enumerate", "phases", "prove" or "prune"
  unsigned level = 0;
  std::uint64_t candidates = 0;
  std::uint64_t classes = 0;
  std::uint64_t proofs_done = 0;
  std::uint64_t proofs_total = 0;
  double seconds = 0;
  double seconds_left = -1;  ///< negative if unknown
};

struct GenerateOptions {
  unsigned gates = 3;
  unsigned qubits = 3;
  unsigned threads = 0;  ///< 0: all cores
  std::uint64_t seed = 0;
  /// One of enumeration_backends(). A device does not help here: starting it takes longer than the
  /// fingerprints of most rule sets, and sorting them into classes is done by the host.
  std::string backend = "cpu";
  double proof_seconds = 10;  ///< limit for each proof
  /// Folder in which proofs are kept as soon as they are found; empty: none. A run that was killed
  /// at any moment and is started again continues from these proofs and ends with the same rule
  /// set. Runs for other sizes and gate sets may use the same folder, one at a time.
  std::filesystem::path checkpoint;
  /// Processes that work together. Null: only this one. Each process enumerates the circuits, which
  /// takes little of the time; exact arithmetic and proofs are distributed. The first rank has the
  /// checkpoint and gets the result; the results of the others are empty.
  Communicator* ranks = nullptr;
  std::function<void(const GenerateProgress&)> on_progress;  ///< called from one thread at a time
  std::stop_token stop;
};

/// An equality that was found but not proved.
struct UnknownEquality {
  std::vector<Operation> representative;
  std::vector<Operation> circuit;
  std::string reason;
};

struct GenerateReport {
  /// Number of circuits kept by RepGen before pruning, including the empty one.
  std::uint64_t circuits_enumerated = 0;
  std::uint64_t classes_enumerated = 0;  ///< before pruning
  /// Number of enumerations discarded because two different circuits had the same fingerprint
  /// (usually 0).
  std::uint64_t fingerprint_collisions = 0;
  std::uint64_t classes = 0;   ///< after pruning
  std::uint64_t circuits = 0;  ///< after pruning
  std::uint64_t rules = 0;     ///< after pruning
  ProofSummary proofs;
  /// Number of claims that this run had to prove. Claims that differ only in the names of qubits
  /// and parameters count once, and claims that were already known do not count.
  std::uint64_t proofs_made = 0;
  std::uint64_t proofs_known = 0;        ///< number of claims in the checkpoint at the start
  std::vector<UnknownEquality> unknown;  ///< shortest first
  std::vector<std::pair<std::string, double>> seconds;  ///< phase and its time, in order
};

struct GenerateResult {
  RuleSet rules;
  GenerateReport report;
};

/// Generates a rule set with RepGen (arXiv 2204.09033): enumerates the circuits of up to `gates`
/// gates, groups equal ones by fingerprint, proves every equality with Z3, and prunes. The same
/// gate set, sizes and seed give the same result with any number of threads and ranks. Throws
/// UsageError for sizes out of range, Stopped once a stop is requested, and InputError for a
/// checkpoint that is damaged, from another prover, or in use.
[[nodiscard]] GenerateResult generate(const GateSet& set, const GenerateOptions& options);

}  // namespace quartz
