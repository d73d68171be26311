#include "optimize/clifford_synthesis/coupled_reduction.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace quartz::optimizer {
namespace {

/// Pauli operators of all qubits as bits_of() has them, 0 for the identity.
using PauliRow = std::vector<std::uint8_t>;

/// How much a random number may change the choice of the next qubit, in gates.
constexpr double kNoise = 1.5;

bool anticommute(unsigned a, unsigned b) { return a != 0 && b != 0 && a != b; }

/// Puts a gate behind an operator.
void push(PauliRow& row, const ControlledPauli& gate) {
  const unsigned first = bits_of(gate.first_axis);
  const unsigned second = bits_of(gate.second_axis);
  const bool changes_first = anticommute(row[gate.second], second);
  const bool changes_second = anticommute(row[gate.first], first);
  if (changes_first) row[gate.first] = static_cast<std::uint8_t>(row[gate.first] ^ first);
  if (changes_second) row[gate.second] = static_cast<std::uint8_t>(row[gate.second] ^ second);
}

std::size_t weight_of(const PauliRow& row) {
  return row.size() - static_cast<std::size_t>(std::ranges::count(row, 0));
}

/// A tree of neighbours around a qubit.
struct Tree {
  std::vector<std::uint32_t> order;   ///< the root first, and each qubit behind its parent
  std::vector<std::uint32_t> parent;  ///< by qubit
};

/// The gates that move the images of two axes of a qubit to it.
struct Finish {
  std::uint32_t qubit = 0;
  MapEnd end = MapEnd::start;  ///< that of the images; the gates are at the other one
  std::vector<ControlledPauli> gates;
};

class FinishMaker {
 public:
  FinishMaker(const Tree& tree, PauliRow first, PauliRow second, FastRandom& random)
      : tree_(tree), rows_{std::move(first), std::move(second)}, random_(random) {}

  /// Returns the gates, or nothing if the tree does not reach all of an image.
  [[nodiscard]] std::optional<std::vector<ControlledPauli>> make() {
    const std::uint32_t root = tree_.order.front();
    clear(rows_[0]);
    if (weight_of(rows_[0]) != 1 || rows_[0][root] == 0) return std::nullopt;
    root_axis_ = rows_[0][root];
    clear(rows_[1]);
    if (weight_of(rows_[1]) != 1) return std::nullopt;
    return std::move(gates_);
  }

 private:
  void clear(PauliRow& row) {
    for (auto at = tree_.order.rbegin(); at + 1 != tree_.order.rend(); ++at) {
      const std::uint32_t leaf = *at;
      if (row[leaf] == 0) continue;
      const std::uint32_t parent = tree_.parent[leaf];
      if (row[parent] == 0) {
        append_best(leaf, parent, [&](unsigned a, unsigned) { return anticommute(a, row[leaf]); });
      }
      append_best(leaf, parent, [&](unsigned a, unsigned b) {
        return a == row[leaf] && anticommute(b, row[parent]);
      });
    }
  }

  /// Appends the gate on two qubits with axes as required after which the second image is the least
  /// one.
  template <typename IsRight>
  void append_best(std::uint32_t leaf, std::uint32_t parent, const IsRight& is_right) {
    const bool has_fixed_axis = root_axis_ != 0 && parent == tree_.order.front();
    std::optional<ControlledPauli> best;
    double least = std::numeric_limits<double>::infinity();
    for (const SymplecticAxis a : kSymplecticAxes) {
      for (const SymplecticAxis b : kSymplecticAxes) {
        if (!is_right(bits_of(a), bits_of(b))) continue;
        if (has_fixed_axis && bits_of(b) != root_axis_) continue;
        const ControlledPauli gate{leaf, parent, a, b};
        PauliRow pushed{rows_[1][leaf], rows_[1][parent]};
        push(pushed, {0, 1, a, b});
        const double value = static_cast<double>(weight_of(pushed)) + 0.5 * random_.unit();
        if (value >= least) continue;
        least = value;
        best = gate;
      }
    }
    if (!best) return;
    for (PauliRow& row : rows_) push(row, *best);
    gates_.push_back(*best);
  }

  const Tree& tree_;
  std::array<PauliRow, 2> rows_;
  FastRandom& random_;
  unsigned root_axis_ = 0;  ///< the axis of the root that gates must leave, once the first is there
  std::vector<ControlledPauli> gates_;
};

class CoupledReduction {
 public:
  CoupledReduction(const SymplecticMap& map, const Neighbours& neighbours, FastRandom& random,
                   const Budget& budget)
      : reduction_{map, {}, {}},
        neighbours_(neighbours),
        random_(random),
        budget_(budget),
        is_left_(map.qubits(), true) {}

  [[nodiscard]] std::optional<ControlledPauliCircuit> run() {
    for (std::uint32_t i = 0; i < reduction_.map.qubits(); ++i) {
      const std::optional<Finish> next = next_finish();
      if (!next) return std::nullopt;
      const MapEnd end = opposite(next->end);
      for (const ControlledPauli& gate : next->gates) {
        reduction_.map.put(end, gate);
        (end == MapEnd::start ? reduction_.start : reduction_.end).push_back(gate);
      }
      is_left_[next->qubit] = false;
    }
    return circuit_of(reduction_);
  }

 private:
  [[nodiscard]] PauliRow image(MapEnd end, std::uint32_t qubit, SymplecticAxis axis) const {
    PauliRow row(reduction_.map.qubits());
    for (std::uint32_t at = 0; at < row.size(); ++at) {
      row[at] = static_cast<std::uint8_t>(reduction_.map.operator_at(end, qubit, axis, at));
    }
    return row;
  }

  /// Returns a tree of the qubits that are left and can be reached from one of them, by the
  /// shortest paths, without one qubit.
  [[nodiscard]] Tree tree_from(std::uint32_t root, std::optional<std::uint32_t> without) {
    Tree tree{{root}, std::vector<std::uint32_t>(is_left_.size(), root)};
    std::vector<bool> is_known(is_left_.size(), false);
    is_known[root] = true;
    if (without) is_known[*without] = true;
    for (std::size_t i = 0; i < tree.order.size(); ++i) {
      std::vector<std::uint32_t> next = neighbours_[tree.order[i]];
      for (std::size_t j = next.size(); j > 1; --j) {
        std::swap(next[j - 1], next[random_.below(static_cast<std::uint32_t>(j))]);
      }
      for (const std::uint32_t neighbour : next) {
        if (is_known[neighbour] || !is_left_[neighbour]) continue;
        is_known[neighbour] = true;
        tree.parent[neighbour] = tree.order[i];
        tree.order.push_back(neighbour);
      }
    }
    return tree;
  }

  /// Returns whether the qubits of a tree stay connected without its root.
  [[nodiscard]] bool stay_connected_without_root(const Tree& tree) {
    if (tree.order.size() <= 2) return true;
    return tree_from(tree.order[1], tree.order[0]).order.size() + 1 == tree.order.size();
  }

  [[nodiscard]] std::optional<Finish> next_finish() {
    std::optional<Finish> best;
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t qubit = 0; qubit < is_left_.size(); ++qubit) {
      if (!is_left_[qubit]) continue;
      const Tree tree = tree_from(qubit, std::nullopt);
      if (!stay_connected_without_root(tree)) continue;
      for (const MapEnd end : {MapEnd::start, MapEnd::end}) {
        std::array<PauliRow, 3> images;
        for (std::size_t i = 0; i < images.size(); ++i)
          images[i] = image(end, qubit, kSymplecticAxes[i]);
        for (std::size_t i = 0; i < 6; ++i) {
          if (budget_.spent()) return std::nullopt;
          budget_.spend(1);
          auto gates =
              FinishMaker(tree, images[i / 2], images[(i / 2 + 1 + i % 2) % 3], random_).make();
          if (!gates) continue;
          const double value = static_cast<double>(gates->size()) + kNoise * random_.unit();
          if (value >= least) continue;
          least = value;
          best = Finish{qubit, end, *std::move(gates)};
        }
      }
    }
    return best;
  }

  PartialReduction reduction_;
  const Neighbours& neighbours_;
  FastRandom& random_;
  const Budget& budget_;
  std::vector<bool> is_left_;
};

}  // namespace

std::optional<ControlledPauliCircuit> circuit_on_neighbours(const SymplecticMap& map,
                                                            const Neighbours& neighbours,
                                                            FastRandom& random,
                                                            const Budget& budget) {
  return CoupledReduction(map, neighbours, random, budget).run();
}

}  // namespace quartz::optimizer
