#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

#include "quartz/algebra/angle.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz {

/// Limits of replay_journal.
struct ReplayOptions {
  double seconds = 3600;      ///< time limit
  double memory_bytes = 4e9;  ///< memory limit for the proof of one step
  std::stop_token stop;       ///< request to stop
};

/// The result of replaying a journal.
struct ReplayReport {
  /// Whether every step was proved and the last one leads to the output.
  bool is_certified = false;
  /// Why the output is not certified: the first bad step, or the first difference from the output.
  std::string fault;
  std::uint64_t steps = 0;           ///< steps that were proved
  std::uint64_t distinct_steps = 0;  ///< pairs of circuits that were proved
  std::uint64_t bytes = 0;           ///< size of the journal in memory, decompressed
  /// The phase in output = e^{i phase} input.
  Angle phase;
  /// Upper bound on the operator norm of output - e^{i phase} input: the sum over all steps, 0 if
  /// every step was proved exactly.
  double distance = 0;
  /// log2 of an upper bound on the probability that a proof is wrong, over the random numbers that
  /// it drew; empty if all proofs are deterministic.
  std::optional<double> log2_failure;
};

/// Certifies that a circuit equals another one by a journal of the rewrites between them
/// (docs/formats/journal.md). Every step is proved, with code that shares nothing with the search.
/// The time is linear in the number of steps. Throws InputError if the file is not a complete
/// journal, and UsageError for circuits with conditions.
[[nodiscard]] ReplayReport replay_journal(const Circuit& input, const Circuit& output,
                                          const std::filesystem::path& journal,
                                          const ReplayOptions& options = {});

}  // namespace quartz
