#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "optimize/clifford_synthesis/pauli_pair.hpp"

namespace quartz::optimizer {

/// The number of a state of a qubit in a tree, below which all is cleared: the class of its own
/// operators, and the classes of those leaves that wait until one gate with the qubit clears them,
/// which needs that it is `full` or of the class of the leaf.
using NodeState = std::uint8_t;
inline constexpr std::size_t kNodeStates = 21;
inline constexpr NodeState kCleared = 0;
inline constexpr NodeState kFinished = 20;  ///< a qubit of class `full` without leaves that wait

/// Returns whether a qubit of a class clears a leaf of another one with one gate, and stays as it
/// is.
[[nodiscard]] constexpr bool clears(PairClass kind, PairClass leaf) {
  return kind == PairClass::full || kind == leaf;
}
/// Returns the state of a qubit with leaves that wait: bit k - 1 for those of class k. Those that
/// it clears are left out.
[[nodiscard]] NodeState node_state(PairClass kind, unsigned waiting);
[[nodiscard]] PairClass class_in(NodeState state);
[[nodiscard]] unsigned waiting_in(NodeState state);
[[nodiscard]] bool has_waiting(NodeState state, PairClass leaf);
/// Returns the state behind one more leaf that waits, of class `first`, `second` or `equal`.
[[nodiscard]] NodeState with_waiting(NodeState state, PairClass leaf);
/// Returns the state behind a gate with a leaf that waits. It multiplies those operators of the
/// qubit that the leaf has by the axis that the others have, or by any if there are none, so that
/// the leaf stays as it is.
[[nodiscard]] NodeState turned_by(NodeState state, PairClass leaf);

/// The fewest gates that clear a qubit of a tree, with the leaves that wait for it, by gates with
/// its parent, by gates with leaves that wait for either, or by letting it wait for its parent.
class EdgeSteps {
 public:
  static constexpr std::uint32_t kNever = 1U << 20U;
  using ByResult = std::array<std::uint32_t, kNodeStates>;

  /// Returns the table, which is computed once.
  [[nodiscard]] static const EdgeSteps& table();

  /// Returns the numbers of gates by the state of the parent after them, or kNever.
  [[nodiscard]] const ByResult& gates(NodeState child, NodeState parent) const {
    return gates_[child][parent];
  }

 private:
  EdgeSteps();
  /// Lowers the numbers by those behind one gate. Returns whether any is lower.
  bool relax();
  bool lower(NodeState child, NodeState parent, NodeState next_child, NodeState next_parent);

  std::array<std::array<ByResult, kNodeStates>, kNodeStates> gates_{};
};

}  // namespace quartz::optimizer
