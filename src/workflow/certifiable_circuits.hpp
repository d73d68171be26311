#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <vector>

#include "circuit/derivation.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::workflow {

/// A circuit that can be certified in place of a result, before it is formed.
struct CertifiableCircuit {
  std::size_t operations = 0;
  std::uint64_t steps = 0;  ///< number of records in its derivation from the first circuit
  std::function<circuit::DerivedCircuit()> form;
};

/// A journal hardly takes longer than another one up to this factor.
inline constexpr double kHardlyLonger = 1.25;

/// Returns the estimated time to write and to replay a journal with this number of steps, in
/// seconds. `operations` are those of its first and last circuit together.
[[nodiscard]] double replay_seconds(std::size_t operations, std::uint64_t steps);

/// Remembers some of the circuits that a search finds, with histories of different lengths: if the
/// history of the result is too long to be replayed, one of them can still be certified.
/// Thread-safe.
class CertifiableCircuits {
 public:
  /// Most operations in all circuits but three, which are kept in any case.
  static constexpr std::size_t kMaxOperations = 2'000'000;

  /// Adds a circuit that is better than all before, and that was derived from the first one.
  void add(CertifiableCircuit found);
  /// Returns the best circuit whose journal has at most this many steps and can be replayed in this
  /// time, in seconds, according to the estimate. If the estimate excludes all of them, returns the
  /// best one whose journal hardly takes longer than the shortest journal, because the machine may
  /// be faster than estimated. Returns nothing if all journals have more steps. `operations` are
  /// those of the circuit with which journals begin.
  [[nodiscard]] std::optional<CertifiableCircuit> best_within(
      double seconds, std::size_t operations,
      std::uint64_t most_steps = std::numeric_limits<std::uint64_t>::max()) const;

 private:
  /// Returns by which factor the steps of two circuits differ, without those that lead to the first
  /// circuit: few steps fold a whole circuit, behind as many that translate it.
  [[nodiscard]] double spacing(std::size_t earlier, std::size_t later) const;
  /// Removes the circuit that differs least from its neighbours.
  void remove_closest();

  mutable std::mutex mutex_;
  std::vector<CertifiableCircuit> entries_;  ///< from the first, the worst, to the last, the best
  std::size_t operations_ = 0;               ///< number in all entries
};

}  // namespace quartz::workflow
