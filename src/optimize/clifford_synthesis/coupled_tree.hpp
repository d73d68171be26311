#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "optimize/clifford_synthesis/edge_steps.hpp"
#include "optimize/clifford_synthesis/neighbours.hpp"

namespace quartz::optimizer {

/// A tree of neighbours around a qubit.
struct CoupledTree {
  std::vector<std::uint32_t> order;   ///< the root first, and each qubit behind its parent
  std::vector<std::uint32_t> parent;  ///< by qubit
};

/// Returns a tree of those qubits that are left and can be reached from one of them.
///
/// Two gates clear a qubit of class `full`, and any qubit with others below it. A leaf of another
/// class takes one at most, so that the tree gets as many of them as possible: the next qubit that
/// others hang on is one that brings many into the tree and takes few gates more than as a leaf.
[[nodiscard]] CoupledTree grown_tree(std::uint32_t root, std::span<const PairClass> classes,
                                     const Neighbours& neighbours, const std::vector<bool>& is_left,
                                     FastRandom& random);

/// The states of a qubit and its parent before gates between them, and that of the parent then.
struct EdgePlan {
  NodeState child = kCleared;
  NodeState parent = kCleared;
  NodeState result = kCleared;
};

/// Computes how the images of two axes are moved to the root of a tree.
///
/// The qubits are cleared from the leaves to the root, each by gates with its parent
/// (edge_steps.hpp) and with leaves that wait. Dynamic programming finds the states with the fewest
/// gates.
class TreePlanner {
 public:
  static constexpr std::uint32_t kNever = EdgeSteps::kNever;

  /// Returns the fewest gates, or kNever or more if the images cannot be moved to the root.
  [[nodiscard]] std::uint32_t gates(const CoupledTree& tree, std::span<const PairClass> classes);
  /// Returns the plan of each qubit of the tree of the last call but the root, by its place in the
  /// order, with ties at random. They are carried out in the opposite order.
  [[nodiscard]] std::vector<EdgePlan> plans(const CoupledTree& tree, FastRandom& random) const;

 private:
  /// The fewest gates by state.
  using ByState = std::array<std::uint32_t, kNodeStates>;

  const EdgeSteps& steps_ = EdgeSteps::table();
  std::vector<ByState> now_;     ///< by qubit
  std::vector<ByState> before_;  ///< those of the parent before each qubit is cleared
};

}  // namespace quartz::optimizer
