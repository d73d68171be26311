#include "optimize/clifford_synthesis/coupled_reduction.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "optimize/clifford_synthesis/coupled_tree.hpp"
#include "optimize/clifford_synthesis/step_gains.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// How much a random number may change the choice of the next qubit, in gates.
constexpr double kNoise = 1.5;

/// What a qubit counts more for each of its neighbours that are left: trees have the more leaves
/// the more pairs are left to the other qubits. Less and more do worse on grids of 20 to 100
/// qubits.
constexpr double kGatesOfNeighbour = 4;

/// Qubits that are looked at for the next one.
constexpr std::size_t kMostCandidates = 24;

/// Trees that are tried for the next qubit once it is chosen.
constexpr std::size_t kTreesOfChosen = 4;

/// How much the measure of the map counts under the inverse, and the largest random number that is
/// added to it, in the choice among gates that do the same for a tree (step_gains.hpp).
constexpr double kInverseShareOfTrees = 1.0;
constexpr double kNoiseOfTrees = 0.25;

/// The images of two axes of a qubit, and a tree along which they are moved to it.
struct Finish {
  std::uint32_t qubit = 0;
  MapEnd end = MapEnd::start;  ///< that of the images; the gates are at the other one
  CoupledTree tree;
  std::uint32_t gates = TreePlanner::kNever;
};

class CoupledReduction {
 public:
  CoupledReduction(const SymplecticMap& map, const Neighbours& neighbours, FastRandom& random,
                   const Budget& budget)
      : reduction_{map, {}, {}},
        neighbours_(neighbours),
        random_(random),
        budget_(budget),
        gains_(map.qubits(), kInverseShareOfTrees),
        is_left_(map.qubits(), true),
        classes_(map.qubits(), PairClass::none) {}

  [[nodiscard]] std::optional<ControlledPauliCircuit> run() {
    for (std::uint32_t i = 0; i < map().qubits(); ++i) {
      const std::optional<Finish> next = next_finish();
      if (!next) return std::nullopt;
      carry_out(*next);
      is_left_[next->qubit] = false;
    }
    return circuit_of(reduction_);
  }

 private:
  [[nodiscard]] const SymplecticMap& map() const { return reduction_.map; }

  /// Returns whether those qubits that are left and connected with one of them stay connected
  /// without it.
  [[nodiscard]] bool stay_connected_without(std::uint32_t qubit) const {
    std::vector<bool> is_free = is_left_;
    is_free[qubit] = false;
    const auto is_reached = [&](std::uint32_t neighbour) { return !is_free[neighbour]; };
    const std::vector<std::uint32_t>& all = neighbours_[qubit];
    const auto first = std::ranges::find_if_not(all, is_reached);
    if (first == all.end()) return true;
    std::vector<std::uint32_t> reached{*first};
    is_free[*first] = false;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const std::uint32_t neighbour : neighbours_[reached[i]]) {
        if (!is_free[neighbour]) continue;
        is_free[neighbour] = false;
        reached.push_back(neighbour);
      }
    }
    return std::ranges::all_of(all, is_reached);
  }

  [[nodiscard]] std::ptrdiff_t neighbours_left(std::uint32_t qubit) const {
    return std::ranges::count_if(neighbours_[qubit],
                                 [&](std::uint32_t neighbour) { return is_left_[neighbour]; });
  }
  /// Returns some qubits without which the others stay connected, those with the fewest neighbours,
  /// in random order.
  [[nodiscard]] std::vector<std::uint32_t> candidates() {
    std::vector<std::uint32_t> left;
    for (std::uint32_t qubit = 0; qubit < is_left_.size(); ++qubit) {
      if (!is_left_[qubit]) continue;
      left.push_back(qubit);
      std::swap(left.back(), left[random_.below(static_cast<std::uint32_t>(left.size()))]);
    }
    std::ranges::stable_sort(left, {}, [&](std::uint32_t qubit) { return neighbours_left(qubit); });
    std::vector<std::uint32_t> result;
    for (const std::uint32_t qubit : left) {
      if (result.size() == kMostCandidates) break;
      if (stay_connected_without(qubit)) result.push_back(qubit);
    }
    return result;
  }

  [[nodiscard]] PauliPair pair_at(const Finish& finish, std::uint32_t qubit) const {
    return {map().operator_at(finish.end, finish.qubit, SymplecticAxis::x, qubit),
            map().operator_at(finish.end, finish.qubit, SymplecticAxis::z, qubit)};
  }
  /// Computes the classes of the images. Returns whether they are on qubits that are left.
  [[nodiscard]] bool classify(const Finish& finish) {
    for (std::uint32_t qubit = 0; qubit < classes_.size(); ++qubit) {
      classes_[qubit] = class_of(pair_at(finish, qubit));
      if (!is_left_[qubit] && classes_[qubit] != PairClass::none) return false;
    }
    return true;
  }
  /// Grows another tree for a qubit, and keeps it if it takes fewer gates.
  void try_tree(Finish& finish) {
    CoupledTree tree = grown_tree(finish.qubit, classes_, neighbours_, is_left_, random_);
    budget_.spend(tree.order.size());
    const std::uint32_t gates = planner_.gates(tree, classes_);
    if (gates >= finish.gates) return;
    finish.gates = gates;
    finish.tree = std::move(tree);
  }

  /// Returns nothing if the budget is spent, or if no qubit can be finished.
  [[nodiscard]] std::optional<Finish> next_finish() {
    std::optional<Finish> best;
    double least = std::numeric_limits<double>::infinity();
    for (const std::uint32_t qubit : candidates()) {
      for (const MapEnd end : {MapEnd::start, MapEnd::end}) {
        if (budget_.spent()) return std::nullopt;
        Finish finish{qubit, end, {}};
        if (!classify(finish)) continue;
        try_tree(finish);
        if (finish.gates >= TreePlanner::kNever) continue;
        const double value = static_cast<double>(finish.gates) + kNoise * random_.unit() +
                             kGatesOfNeighbour * static_cast<double>(neighbours_left(qubit));
        if (value >= least) continue;
        least = value;
        best = std::move(finish);
      }
    }
    if (!best || !classify(*best)) return std::nullopt;
    for (std::size_t i = 0; i < kTreesOfChosen; ++i) try_tree(*best);
    return best;
  }

  /// Puts the gates of a finish.
  void carry_out(const Finish& finish) {
    (void)planner_.gates(finish.tree, classes_);
    const std::vector<EdgePlan> plans = planner_.plans(finish.tree, random_);
    waiting_.assign(classes_.size(), {});
    for (std::size_t place = plans.size(); place-- > 1;) {
      clear(finish, finish.tree.order[place], plans[place]);
    }
  }
  /// Puts gates until a qubit is cleared and its parent is in the state of the plan.
  void clear(const Finish& finish, std::uint32_t qubit, const EdgePlan& plan) {
    const std::uint32_t parent = finish.tree.parent[qubit];
    EdgePlan now = plan;
    while (gates_left(now) > 0) {
      if (wait_for_parent(finish, qubit, now)) continue;
      if (turn_by_leaf(finish, qubit, now, now.child) ||
          turn_by_leaf(finish, parent, now, now.parent))
        continue;
      put_between(finish, qubit, now);
      clear_waiting(finish, qubit);
      clear_waiting(finish, parent);
    }
  }
  [[nodiscard]] static std::uint32_t gates_left(const EdgePlan& plan) {
    return EdgeSteps::table().gates(plan.child, plan.parent)[plan.result];
  }
  /// Continues with a plan if that takes one gate. Returns whether it does.
  [[nodiscard]] static bool go_on(EdgePlan& now, const EdgePlan& next) {
    if (gates_left(next) + 1 != gates_left(now)) return false;
    now = next;
    return true;
  }
  /// Lets a qubit wait for its parent if the plan permits it.
  [[nodiscard]] bool wait_for_parent(const Finish& finish, std::uint32_t qubit, EdgePlan& now) {
    const PairClass kind = class_in(now.child);
    if (!is_single(kind) || waiting_in(now.child) != 0) return false;
    if (!go_on(now, {kCleared, with_waiting(now.parent, kind), now.result})) return false;
    const std::uint32_t parent = finish.tree.parent[qubit];
    waiting_[parent].push_back(qubit);
    clear_waiting(finish, parent);
    return true;
  }
  /// Puts a gate on a qubit, which is in one of the states of the plan, and a leaf that waits for
  /// it if the plan permits it.
  [[nodiscard]] bool turn_by_leaf(const Finish& finish, std::uint32_t qubit, EdgePlan& now,
                                  NodeState& state) {
    const NodeState before = state;
    for (const std::uint32_t leaf : waiting_[qubit]) {
      const PauliPair of_leaf = pair_at(finish, leaf);
      EdgePlan next = now;
      (&state == &now.child ? next.child : next.parent) = turned_by(before, class_of(of_leaf));
      if (!go_on(now, next)) continue;
      const PairClass turned = class_in(state);
      put_best(finish, leaf, qubit, [&](const PauliPair& leaf_behind, const PauliPair& own) {
        return class_of(leaf_behind) == class_of(of_leaf) && class_of(own) == turned;
      });
      clear_waiting(finish, qubit);
      return true;
    }
    return false;
  }
  /// Puts a gate on a qubit and its parent that the plan permits.
  void put_between(const Finish& finish, std::uint32_t qubit, EdgePlan& now) {
    const auto plan_behind = [&](const PauliPair& own, const PauliPair& of_parent) {
      return EdgePlan{node_state(class_of(own), waiting_in(now.child)),
                      node_state(class_of(of_parent), waiting_in(now.parent)), now.result};
    };
    const std::uint32_t parent = finish.tree.parent[qubit];
    put_best(finish, qubit, parent, [&](const PauliPair& own, const PauliPair& of_parent) {
      return gates_left(plan_behind(own, of_parent)) + 1 == gates_left(now);
    });
    now = plan_behind(pair_at(finish, qubit), pair_at(finish, parent));
  }
  /// Clears those leaves that wait for a qubit that one gate with it clears.
  void clear_waiting(const Finish& finish, std::uint32_t qubit) {
    const PairClass kind = class_of(pair_at(finish, qubit));
    std::erase_if(waiting_[qubit], [&](std::uint32_t leaf) {
      if (!clears(kind, class_of(pair_at(finish, leaf)))) return false;
      put_best(finish, leaf, qubit, [](const PauliPair& leaf_behind, const PauliPair&) {
        return class_of(leaf_behind) == PairClass::none;
      });
      return true;
    });
  }
  /// Puts that gate on two qubits behind which the images are as required there and the map is the
  /// simplest.
  template <typename IsRight>
  void put_best(const Finish& finish, std::uint32_t first, std::uint32_t second,
                const IsRight& is_right) {
    const MapEnd end = opposite(finish.end);
    const StepGains::Gains gains = gains_.gains_of(map(), end, first, second);
    std::optional<ControlledPauli> best;
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < gains.size(); ++i) {
      const ControlledPauli gate{first, second, kSymplecticAxes[i / 3], kSymplecticAxes[i % 3]};
      PauliPair first_pair = pair_at(finish, first);
      PauliPair second_pair = pair_at(finish, second);
      push_pairs(first_pair, second_pair, gate.first_axis, gate.second_axis);
      if (!is_right(first_pair, second_pair)) continue;
      const double value = gains[i] + kNoiseOfTrees * random_.unit();
      if (value <= most) continue;
      most = value;
      best = gate;
    }
    ensure(best.has_value(), "a gate leads to the next state of a tree");
    reduction_.map.put(end, *best);
    (end == MapEnd::start ? reduction_.start : reduction_.end).push_back(*best);
  }

  PartialReduction reduction_;
  const Neighbours& neighbours_;
  FastRandom& random_;
  const Budget& budget_;
  StepGains gains_;
  TreePlanner planner_;
  std::vector<bool> is_left_;
  std::vector<PairClass> classes_;  ///< what the images that are moved are on each qubit
  std::vector<std::vector<std::uint32_t>> waiting_;  ///< leaves, by their parent
};

}  // namespace

std::optional<ControlledPauliCircuit> circuit_on_neighbours(const SymplecticMap& map,
                                                            const Neighbours& neighbours,
                                                            FastRandom& random,
                                                            const Budget& budget) {
  return CoupledReduction(map, neighbours, random, budget).run();
}

}  // namespace quartz::optimizer
