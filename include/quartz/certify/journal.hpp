#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "quartz/algebra/angle.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/output_permutation.hpp"
#include "quartz/circuit/program_assumptions.hpp"

namespace quartz {

/// Limits of replay_journal.
struct ReplayOptions {
  double seconds = 3600;      ///< time limit
  double memory_bytes = 4e9;  ///< memory limit for the proof of one step
  std::stop_token stop;       ///< request to stop
  std::uint64_t seed = 0;     ///< random seed of methods that have a probability of error
  /// Largest sum of the distances of all steps. With 0, each step may be as inexact as rounding
  /// makes it: up to 1e-9.
  double epsilon = 0;
  /// The qubits of the output on which those of the input end; empty if each is in its place.
  OutputPermutation permutation = {};
  /// Whether the journal begins with the input, or with the input without its SWAP gates, which the
  /// replay then removes by itself.
  SwapGates swaps = SwapGates::kept;
  /// What is assumed about the qubits of both circuits, neither of which has it as operations.
  ProgramAssumptions assumptions = {};
  /// The custom gates that the journal calls by their names: those of the gate set.
  CustomGates custom_gates = {};
  /// Limit on the number of steps, which unlike the time does not depend on the machine.
  std::uint64_t max_steps = std::numeric_limits<std::uint64_t>::max();
};

/// The result of replaying a journal.
struct ReplayReport {
  /// Whether every step was proved and the last one leads to the output.
  bool is_certified = false;
  /// Why the output is not certified: the first bad step, or the first difference from the output.
  std::string fault;
  std::uint64_t steps = 0;  ///< steps that were proved
  /// Time in which they were proved, without that of a step that was not.
  double seconds = 0;
  std::uint64_t distinct_steps = 0;  ///< pairs of circuits that were proved
  std::uint64_t bytes = 0;           ///< size of the journal in memory, decompressed
  /// The phase in output = e^{i phase} input.
  Angle phase;
  /// Whether steps under conditions turned the branches in which these hold by further phases. A
  /// phase between classical alternatives cannot be observed.
  bool drops_phase = false;
  /// Upper bound on the operator norm of output - e^{i phase} input: the sum over all steps, 0 if
  /// every step was proved exactly.
  double distance = 0;
  /// Whether ReplayOptions::epsilon permitted a distance that rounding does not explain.
  bool is_approximate = false;
  /// log2 of an upper bound on the probability that a proof is wrong, over the random numbers that
  /// it drew; empty if all proofs are deterministic.
  std::optional<double> log2_failure;
};

/// Returns the outcome of a replay as that of a comparison: circuits whose journal was not
/// certified are undecided.
[[nodiscard]] EquivalenceReport as_equivalence_report(const ReplayReport& replay);

/// Certifies that a circuit equals another one by a journal of the steps between them
/// (docs/formats/journal.md). Every step is proved, with code that shares nothing with the search.
/// The time is linear in the number of rewrites and in the size of the parts that exchanges span.
/// Throws InputError if the file is not a complete journal, and UsageError if operations write or
/// test bits that their circuit does not have.
[[nodiscard]] ReplayReport replay_journal(const Circuit& input, const Circuit& output,
                                          const std::filesystem::path& journal,
                                          const ReplayOptions& options = {});

/// Does the same with a journal in a stream, which messages call `name`.
[[nodiscard]] ReplayReport replay_journal(const Circuit& input, const Circuit& output,
                                          std::istream& journal, const std::string& name,
                                          const ReplayOptions& options = {});

/// Replays a journal while it is written, as replay_journal() replays one that is complete. What
/// was proved once is not proved again, so that the circuits on the way to the last one are
/// certified as well, each in the time for the steps between it and the one before.
class RunningReplay {
 public:
  /// Begins with the first circuit. ReplayOptions::seconds limits all calls together. Messages call
  /// the journal `name`. Throws UsageError as replay_journal does.
  RunningReplay(const Circuit& input, std::string name, const ReplayOptions& options);
  /// Replays a journal that begins with all that was replayed so far, and may go on in another way
  /// than the original. Both use the same proofs, so that one thread must use both of them.
  RunningReplay(const RunningReplay& other);
  RunningReplay(RunningReplay&&) noexcept;
  RunningReplay& operator=(RunningReplay&&) noexcept;
  ~RunningReplay();

  /// Replays the records of the next blocks of the journal, the first of which begin with the
  /// header of a journal. A record must not be continued in the next call. Returns whether all
  /// steps so far are proved; if not, later calls do nothing. Throws InputError if these bytes are
  /// no part of a journal.
  bool replay(std::string_view blocks);
  /// Returns the report about a circuit: it is certified if the steps so far are proved and lead to
  /// it with this output permutation.
  [[nodiscard]] ReplayReport report_for(const Circuit& output,
                                        const OutputPermutation& permutation = {});
  /// Returns the number of steps that were proved.
  [[nodiscard]] std::uint64_t steps() const;
  /// The exchanges among the steps. They take from microseconds to seconds each, while the times of
  /// all other steps are about equal.
  struct Exchanges {
    std::uint64_t steps = 0;
    double seconds = 0;  ///< processor time
  };
  [[nodiscard]] Exchanges exchanges() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace quartz
