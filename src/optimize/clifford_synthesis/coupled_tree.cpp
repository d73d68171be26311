#include "optimize/clifford_synthesis/coupled_tree.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// States that take this many gates more than the best one of their qubit are not continued: three
/// gates on two qubits apply any Clifford operator.
constexpr std::uint32_t kMostGatesAboveBest = 3;

/// What a qubit in the tree counts that the images are not on: it may lead to others.
constexpr double kCleanQubit = 0.25;

/// Gates that a qubit of a class takes more if others hang on it, and a part that all have.
double gates_of_inner(PairClass kind) {
  return 0.5 + (kind == PairClass::none ? 2 : is_single(kind) ? 1 : 0);
}

class TreeGrowth {
 public:
  TreeGrowth(std::span<const PairClass> classes, const Neighbours& neighbours,
             const std::vector<bool>& is_left, FastRandom& random)
      : classes_(classes), neighbours_(neighbours), random_(random), is_free_(is_left) {}

  [[nodiscard]] CoupledTree run(std::uint32_t root) {
    tree_.order = {root};
    tree_.parent.assign(classes_.size(), root);
    is_free_[root] = false;
    border_ = {root};
    while (!border_.empty()) extend();
    return std::move(tree_);
  }

 private:
  /// Hangs free neighbours on the qubit of the border that is best for that.
  void extend() {
    std::size_t best = 0;
    double most = 0;
    for (std::size_t i = 0; i < border_.size();) {
      const double gain = gain_of(border_[i]);
      if (gain == 0) {
        border_[i] = border_.back();
        border_.pop_back();
        continue;
      }
      if (gain > most) {
        most = gain;
        best = i;
      }
      ++i;
    }
    if (border_.empty()) return;
    const std::uint32_t qubit = border_[best];
    border_.erase(border_.begin() + static_cast<std::ptrdiff_t>(best));
    for (const std::uint32_t neighbour : neighbours_[qubit]) {
      if (!is_free_[neighbour]) continue;
      is_free_[neighbour] = false;
      tree_.parent[neighbour] = qubit;
      tree_.order.push_back(neighbour);
      border_.push_back(neighbour);
    }
  }

  /// Returns 0 if a qubit has no free neighbours.
  [[nodiscard]] double gain_of(std::uint32_t qubit) {
    double gain = 0;
    for (const std::uint32_t neighbour : neighbours_[qubit]) {
      if (!is_free_[neighbour]) continue;
      gain += classes_[neighbour] == PairClass::none ? kCleanQubit : 1;
    }
    if (gain == 0) return 0;
    return (gain + 0.5 * random_.unit()) / gates_of_inner(classes_[qubit]);
  }

  std::span<const PairClass> classes_;
  const Neighbours& neighbours_;
  FastRandom& random_;
  std::vector<bool> is_free_;  ///< those that are not in the tree
  std::vector<std::uint32_t> border_;
  CoupledTree tree_;
};

}  // namespace

CoupledTree grown_tree(std::uint32_t root, std::span<const PairClass> classes,
                       const Neighbours& neighbours, const std::vector<bool>& is_left,
                       FastRandom& random) {
  return TreeGrowth(classes, neighbours, is_left, random).run(root);
}

std::uint32_t TreePlanner::gates(const CoupledTree& tree, std::span<const PairClass> classes) {
  now_.resize(classes.size());
  before_.resize(classes.size());
  for (const std::uint32_t qubit : tree.order) {
    now_[qubit].fill(kNever);
    now_[qubit][node_state(classes[qubit], 0)] = 0;
  }
  for (auto at = tree.order.rbegin(); at + 1 != tree.order.rend(); ++at) {
    const ByState& child = now_[*at];
    ByState& parent = now_[tree.parent[*at]];
    const ByState before = before_[*at] = parent;
    parent.fill(kNever);
    const std::uint32_t most = std::ranges::min(child) + kMostGatesAboveBest;
    const std::uint32_t most_before = std::ranges::min(before) + kMostGatesAboveBest;
    for (NodeState i = 0; i < kNodeStates; ++i) {
      if (child[i] > most) continue;
      for (NodeState j = 0; j < kNodeStates; ++j) {
        if (before[j] > most_before) continue;
        const EdgeSteps::ByResult& steps = steps_.gates(i, j);
        const std::uint32_t sum = child[i] + before[j];
        for (std::size_t k = 0; k < kNodeStates; ++k) {
          parent[k] = std::min(parent[k], sum + steps[k]);
        }
      }
    }
  }
  return now_[tree.order.front()][kFinished];
}

std::vector<EdgePlan> TreePlanner::plans(const CoupledTree& tree, FastRandom& random) const {
  std::vector<EdgePlan> plans(tree.order.size());
  // The states that each qubit has to reach before the gates that are not yet planned.
  std::vector<NodeState> wanted(now_.size(), kFinished);
  std::vector<std::uint32_t> gates(now_.size());
  gates[tree.order.front()] = now_[tree.order.front()][kFinished];
  for (std::size_t place = 1; place < tree.order.size(); ++place) {
    const std::uint32_t qubit = tree.order[place];
    const std::uint32_t parent = tree.parent[qubit];
    EdgePlan& plan = plans[place];
    plan.result = wanted[parent];
    std::uint32_t ties = 0;
    for (NodeState i = 0; i < kNodeStates; ++i) {
      for (NodeState j = 0; j < kNodeStates; ++j) {
        const std::uint32_t sum =
            now_[qubit][i] + before_[qubit][j] + steps_.gates(i, j)[plan.result];
        if (sum != gates[parent] || random.below(++ties) != 0) continue;
        plan.child = i;
        plan.parent = j;
      }
    }
    ensure(ties > 0, "the states of a tree lead to those of its root");
    wanted[qubit] = plan.child;
    gates[qubit] = now_[qubit][plan.child];
    wanted[parent] = plan.parent;
    gates[parent] = before_[qubit][plan.parent];
  }
  return plans;
}

}  // namespace quartz::optimizer
