#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "optimize/instantiation/window_forms.hpp"
#include "optimize/resynthesis/block_replacement.hpp"
#include "quartz/circuit/operation.hpp"
#include "quartz/optimize/exactness.hpp"

namespace quartz::optimizer {

/// The largest number of qubits of a state that is simulated.
inline constexpr std::size_t kMaxPreparedQubits = 10;

/// Shortens circuits that begin in |0...0>. The state in front of a window is known, and so is the
/// subspace of the window's qubits that it occupies, which has few dimensions where they are little
/// entangled with the others. Only there does the unitary of the window matter: its two-qubit gates
/// may be others, and fewer, as long as the one-qubit gates between them can be chosen
/// (instantiate.hpp) so that the states in the subspace become what they became before.
class StatePreparation {
 public:
  struct Options {
    Exactness exactness = Exactness::keep;
    std::uint64_t seed = 0;
    /// Whether two-qubit gates may be put on any pair of qubits, rather than on those that have
    /// some.
    bool any_pairs = false;
  };

  /// The forms must outlive this object.
  StatePreparation(const WindowForms& forms, const Options& options)
      : forms_(forms), options_(options) {}

  /// Returns cheaper gates on qubits 0, 1, ... that prepare the same state from |0...0>, up to a
  /// phase, or nothing if none are found before the budget is spent; spends ticks. All gates are on
  /// one or two of at most kMaxPreparedQubits qubits, and have constant angles.
  [[nodiscard]] std::optional<BlockReplacement> shortened(std::span<const Operation> gates,
                                                          std::uint32_t qubits,
                                                          const Budget& budget) const;

 private:
  class Run;

  const WindowForms& forms_;
  Options options_;
};

}  // namespace quartz::optimizer
