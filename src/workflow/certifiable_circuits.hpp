#pragma once

#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <vector>

#include "circuit/history.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::workflow {

/// A circuit that a search found on the way to its result.
struct FoundCircuit {
  Circuit circuit;
  bool numeric = false;             ///< OptimizeResult::numeric
  circuit::HistoryPointer history;  ///< how it was derived from the input as it was read
};

/// Returns the estimated time to write and to replay the journal of a circuit, in seconds.
[[nodiscard]] double replay_seconds(const Circuit& input, const Circuit& circuit,
                                    const circuit::History* history);

/// Remembers some of the circuits that a search finds, with histories of different lengths: if the
/// history of the result is too long to be replayed, one of them can still be certified.
/// Thread-safe.
class CertifiableCircuits {
 public:
  /// Most operations in all circuits.
  static constexpr std::size_t kMaxOperations = 2'000'000;

  /// Adds a circuit that is better than all before.
  void add(FoundCircuit found);
  /// Returns the best circuit whose journal has at most this many steps and can be replayed in this
  /// time, in seconds, according to the estimate. If the estimate excludes all of them, returns the
  /// one with the shortest journal, because the machine may be faster than estimated. Returns
  /// nothing if all journals have more steps.
  [[nodiscard]] std::optional<FoundCircuit> best_within(
      double seconds, const Circuit& input,
      std::uint64_t most_steps = std::numeric_limits<std::uint64_t>::max()) const;

 private:
  /// A history is at least this many times as long as the one before, so few circuits are kept.
  static constexpr double kSpacing = 1.4;
  struct Entry {
    FoundCircuit found;
    std::uint64_t steps = 0;
  };

  mutable std::mutex mutex_;
  std::vector<Entry> entries_;  ///< from the first, the worst, to the last, the best
};

}  // namespace quartz::workflow
