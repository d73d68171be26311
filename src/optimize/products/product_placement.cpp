#include "optimize/products/product_placement.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>

#include "optimize/products/triple_walks.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// What the choices of a run depend on.
struct PlacementWeights {
  /// Gain for a product that comes one CNOT nearer, for each CNOT that it is away.
  double decay = 0.95;
  double output = 0.2;  ///< gain for each wire by which an output becomes shorter
  double cnot = 1;      ///< price of each CNOT on the three wires of a product
  double noise = 0.1;
};

/// How the forms of an item, a product or a parity, are made of what the wires carry: the class of
/// a wire says which of the forms contain it, as bits.
struct ItemClasses {
  std::array<std::uint16_t, 8> wires{};  ///< number of wires of each class

  [[nodiscard]] unsigned mask() const {
    unsigned result = 0;
    for (unsigned c = 1; c < 8; ++c) result |= wires.at(c) != 0 ? 1U << c : 0U;
    return result;
  }
  /// Moves a wire to another class.
  void move(unsigned from, unsigned to) {
    --wires.at(from);
    ++wires.at(to);
  }
  /// Returns the number of CNOTs after which the forms are on as many wires.
  [[nodiscard]] unsigned distance() const {
    const unsigned present = mask();
    unsigned all = 0;
    for (unsigned c = 1; c < 8; ++c) all += wires.at(c);
    return all - static_cast<unsigned>(__builtin_popcount(present)) +
           cnots_to_independent_classes(present);
  }
};

/// One run of randomized greedy steps.
class PlacementRun {
 public:
  PlacementRun(const PlacementTask& task, const PlacementWeights& weights, FastRandom& random)
      : task_(task),
        weights_(weights),
        random_(random),
        wanted_(task.parities.begin(), task.parities.end()),
        output_columns_(task.wires, LinearForm(task.wires)) {
    for (std::size_t wire = 0; wire < task.wires; ++wire) {
      carried_.emplace_back(task.wires);
      carried_.back().set(wire);
      wanted_.erase(carried_.back());
      for (std::size_t output = 0; output < task.wires; ++output) {
        output_columns_[wire][output] = task.outputs[output][wire];
      }
    }
    add_items();
    // The potential of an item is what remains to be gained by bringing it nearer.
    double gain = 1;
    potentials_.push_back(0);
    for (std::size_t i = 0; i < 3 * task.wires + 4; ++i, gain *= weights.decay) {
      potentials_.push_back(potentials_.back() + gain);
    }
  }

  /// Returns the CNOTs after which all parities have been carried, or nothing if that takes at
  /// least `most`, or more than the budget.
  [[nodiscard]] std::optional<std::vector<NetworkCnot>> run(std::size_t most,
                                                            const Budget& budget) {
    while (!left_.empty()) {
      if (cnots_.size() >= most || budget.spent()) return std::nullopt;
      budget.spend(left_.size() / kItemsOfTick + 1);
      const std::vector<std::size_t> items = nearest();
      if (distances_[items[0]] == 0) {
        finish(items[random_.below(static_cast<std::uint32_t>(items.size()))]);
      } else {
        apply(next_cnot(items));
      }
    }
    ensure(wanted_.empty(), "all parities are carried after the placement of all items");
    return std::move(cnots_);
  }
  /// Returns the outputs in terms of what the wires carry now.
  [[nodiscard]] std::vector<LinearForm> outputs() const {
    std::vector<LinearForm> rows(task_.wires, LinearForm(task_.wires));
    for (std::size_t output = 0; output < task_.wires; ++output) {
      for (std::size_t wire = 0; wire < task_.wires; ++wire) {
        rows[output][wire] = output_columns_[wire][output];
      }
    }
    return rows;
  }

 private:
  static constexpr std::size_t kNearest = 6;
  static constexpr std::size_t kPairs = 10;
  static constexpr std::size_t kItemsOfTick = 4;
  /// Walks on three wires that are longer than the shortest one by up to as many CNOTs are tried.
  static constexpr unsigned kDetour = 3;

  using Item = std::vector<LinearForm>;

  void add_items() {
    std::set<LinearForm> of_products;
    for (const Product& product : task_.products) {
      items_.emplace_back(product.forms.begin(), product.forms.end());
      for (unsigned c = 1; c < 8; ++c) of_products.insert(sum_of(items_.back(), c));
    }
    for (const LinearForm& parity : wanted_) {
      if (!of_products.contains(parity)) items_.push_back({parity});
    }
    classes_.assign(task_.wires, std::vector<std::uint8_t>(items_.size(), 0));
    counts_.resize(items_.size());
    for (std::size_t item = 0; item < items_.size(); ++item) {
      for (std::size_t wire = 0; wire < task_.wires; ++wire) {
        unsigned c = 0;
        for (std::size_t form = 0; form < items_[item].size(); ++form) {
          if (items_[item][form][wire]) c |= 1U << form;
        }
        classes_[wire][item] = static_cast<std::uint8_t>(c);
        ++counts_[item].wires.at(c);
      }
      distances_.push_back(counts_[item].distance());
      left_.push_back(item);
    }
  }

  /// Returns the sum of the forms whose bits are set.
  [[nodiscard]] LinearForm sum_of(const Item& forms, unsigned bits) const {
    LinearForm sum(task_.wires);
    for (std::size_t i = 0; i < forms.size(); ++i) {
      if ((bits >> i & 1U) != 0) sum ^= forms[i];
    }
    return sum;
  }

  [[nodiscard]] std::vector<std::size_t> nearest() {
    unsigned least = std::numeric_limits<unsigned>::max();
    std::vector<std::size_t> result;
    std::uint32_t seen = 0;
    for (const std::size_t item : left_) {
      if (distances_[item] > least) continue;
      if (distances_[item] < least) {
        least = distances_[item];
        result.clear();
        seen = 0;
      }
      ++seen;
      if (result.size() < kNearest) {
        result.push_back(item);
      } else if (const std::uint32_t place = random_.below(seen); place < kNearest) {
        result[place] = item;
      }
    }
    return result;
  }

  /// Returns CNOTs that bring an item nearer, at most kPairs.
  [[nodiscard]] std::vector<NetworkCnot> cnots_towards(std::size_t item) {
    std::vector<std::uint32_t> wires;
    for (std::uint32_t wire = 0; wire < task_.wires; ++wire) {
      if (classes_[wire][item] != 0) wires.push_back(wire);
    }
    std::vector<NetworkCnot> result;
    for (std::size_t i = wires.size(); i > 1; --i) {
      std::swap(wires[i - 1], wires[random_.below(static_cast<std::uint32_t>(i))]);
    }
    for (const std::uint32_t control : wires) {
      for (const std::uint32_t target : wires) {
        if (control == target) continue;
        ItemClasses after = counts_[item];
        const unsigned from = classes_[control][item];
        after.move(from, from ^ classes_[target][item]);
        if (after.distance() >= distances_[item]) continue;
        result.push_back({control, target});
        if (result.size() == kPairs) return result;
        if (result.size() % 2 == 0) break;  // look at other controls as well
      }
    }
    return result;
  }

  [[nodiscard]] NetworkCnot next_cnot(const std::vector<std::size_t>& items) {
    double best_gain = -std::numeric_limits<double>::infinity();
    NetworkCnot best;
    for (const std::size_t item : items) {
      for (const NetworkCnot& cnot : cnots_towards(item)) {
        const double gain = gain_of(cnot) + weights_.noise * random_.unit();
        if (gain <= best_gain) continue;
        best_gain = gain;
        best = cnot;
      }
    }
    return best;
  }

  [[nodiscard]] double gain_of(const NetworkCnot& cnot) const {
    const std::vector<std::uint8_t>& controls = classes_[cnot.control];
    const std::vector<std::uint8_t>& targets = classes_[cnot.target];
    double gain = 0;
    for (const std::size_t item : left_) {
      if (targets[item] == 0) continue;
      ItemClasses after = counts_[item];
      after.move(controls[item], controls[item] ^ targets[item]);
      gain += potentials_[distances_[item]] - potentials_[after.distance()];
    }
    const LinearForm& control = output_columns_[cnot.control];
    const LinearForm& target = output_columns_[cnot.target];
    const auto shorter = static_cast<double>((control & target).count());
    return gain + weights_.output * (2 * shorter - static_cast<double>(target.count()));
  }

  void apply(const NetworkCnot& cnot) {
    std::vector<std::uint8_t>& controls = classes_[cnot.control];
    const std::vector<std::uint8_t>& targets = classes_[cnot.target];
    for (const std::size_t item : left_) {
      if (targets[item] == 0) continue;
      const auto to = static_cast<std::uint8_t>(controls[item] ^ targets[item]);
      counts_[item].move(controls[item], to);
      controls[item] = to;
      distances_[item] = counts_[item].distance();
    }
    output_columns_[cnot.control] ^= output_columns_[cnot.target];
    carried_[cnot.target] ^= carried_[cnot.control];
    wanted_.erase(carried_[cnot.target]);
    cnots_.push_back(cnot);
  }

  /// Runs through the parities of an item that is on as many wires as it has independent forms.
  void finish(std::size_t item) {
    std::erase(left_, item);
    std::vector<std::uint32_t> wires;
    for (std::uint32_t wire = 0; wire < task_.wires; ++wire) {
      if (classes_[wire][item] != 0) wires.push_back(wire);
    }
    if (wires.size() < 2) return;
    if (wires.size() == 2) {
      finish_pair(wires);
      return;
    }
    const std::array<std::uint32_t, 3> triple{wires[0], wires[1], wires[2]};
    unsigned needed = 0;
    for (unsigned sum = 1; sum < 8; ++sum) {
      if (wanted_.contains(carried_sum(triple, sum))) needed |= 1U << sum;
    }
    if (needed == 0) return;
    const std::vector<TripleWalk> walks = walks_through(needed, kDetour);
    double best_gain = -std::numeric_limits<double>::infinity();
    const TripleWalk* best = nullptr;
    for (const TripleWalk& walk : walks) {
      const double gain = gain_of(triple, walk) -
                          weights_.cnot * static_cast<double>(walk.steps.size()) +
                          weights_.noise * random_.unit();
      if (gain <= best_gain) continue;
      best_gain = gain;
      best = &walk;
    }
    for (const TripleStep& step : best->steps) {
      apply({triple.at(step.control), triple.at(step.target)});
    }
  }

  /// Runs through the sum of the two forms of a product of dependent forms.
  void finish_pair(const std::vector<std::uint32_t>& wires) {
    if (wanted_.contains(carried_[wires[0]] ^ carried_[wires[1]])) apply({wires[0], wires[1]});
  }

  [[nodiscard]] LinearForm carried_sum(const std::array<std::uint32_t, 3>& wires,
                                       unsigned bits) const {
    LinearForm sum(task_.wires);
    for (unsigned i = 0; i < 3; ++i) {
      if ((bits >> i & 1U) != 0) sum ^= carried_[wires.at(i)];
    }
    return sum;
  }

  /// Returns the gain from what a walk leaves on three wires.
  [[nodiscard]] double gain_of(const std::array<std::uint32_t, 3>& wires,
                               const TripleWalk& walk) const {
    double gain = 0;
    for (const std::size_t item : left_) {
      std::array<std::uint8_t, 3> classes{classes_[wires[0]][item], classes_[wires[1]][item],
                                          classes_[wires[2]][item]};
      if ((classes[0] | classes[1] | classes[2]) == 0) continue;
      ItemClasses after = counts_[item];
      for (const TripleStep& step : walk.steps) {
        const std::uint8_t from = classes.at(step.control);
        classes.at(step.control) ^= classes.at(step.target);
        after.move(from, classes.at(step.control));
      }
      gain += potentials_[distances_[item]] - potentials_[after.distance()];
    }
    std::array<LinearForm, 3> columns{output_columns_[wires[0]], output_columns_[wires[1]],
                                      output_columns_[wires[2]]};
    double sizes = 0;
    for (const LinearForm& column : columns) sizes += static_cast<double>(column.count());
    for (const TripleStep& step : walk.steps) {
      columns.at(step.control) ^= columns.at(step.target);
    }
    for (const LinearForm& column : columns) sizes -= static_cast<double>(column.count());
    return gain + weights_.output * sizes;
  }

  const PlacementTask& task_;
  PlacementWeights weights_;
  FastRandom& random_;
  std::set<LinearForm> wanted_;                     ///< parities not carried yet
  std::vector<LinearForm> carried_;                 ///< parities of the inputs on the wires
  std::vector<LinearForm> output_columns_;          ///< for each wire, the outputs that contain it
  std::vector<Item> items_;                         ///< products, then other parities
  std::vector<std::vector<std::uint8_t>> classes_;  ///< by wire and item
  std::vector<ItemClasses> counts_;
  std::vector<unsigned> distances_;
  std::vector<std::size_t> left_;  ///< items that are not finished
  std::vector<double> potentials_;
  std::vector<NetworkCnot> cnots_;
};

PlacementWeights random_placement_weights(FastRandom& random) {
  constexpr std::array decays{0.7, 0.8, 0.9, 0.95, 0.98, 1.0};
  constexpr std::array outputs{0.02, 0.1, 0.2, 0.4, 0.8, 3.2};
  constexpr std::array prices{0.5, 1.0, 1.5};
  constexpr std::array noises{0.05, 0.2, 0.5};
  return {decays.at(random.below(decays.size())), outputs.at(random.below(outputs.size())),
          prices.at(random.below(prices.size())), noises.at(random.below(noises.size()))};
}

/// Runs without fewer CNOTs after which the search ends.
constexpr std::size_t kIdlePlacements = 1'000;

}  // namespace

std::optional<std::vector<NetworkCnot>> place_products(const PlacementTask& task,
                                                       const Budget& budget, FastRandom& random) {
  std::optional<std::vector<NetworkCnot>> best;
  for (std::size_t idle = 0; idle < kIdlePlacements && !budget.spent(); ++idle) {
    PlacementRun run(task, best ? random_placement_weights(random) : PlacementWeights(), random);
    const std::size_t most = best ? best->size() : std::numeric_limits<std::size_t>::max();
    std::optional<std::vector<NetworkCnot>> cnots = run.run(most, budget);
    if (!cnots) continue;
    append_linear_map(run.outputs(), *cnots);
    if (best && cnots->size() >= most) continue;
    best = std::move(cnots);
    idle = 0;
  }
  return best;
}

}  // namespace quartz::optimizer
