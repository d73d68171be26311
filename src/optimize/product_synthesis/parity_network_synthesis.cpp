#include "optimize/product_synthesis/parity_network_synthesis.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "optimize/product_synthesis/linear_reduction.hpp"

namespace quartz::optimizer {
namespace {

using NetworkCnots = std::vector<NetworkCnot>;

/// What the choice of the next CNOT of a run depends on.
struct GreedyWeights {
  /// Gain for a parity of two wires that is brought to one. From each further wire, it is as many
  /// times as much as `decay`.
  double decay = 0.5;
  /// Gain for each wire by which an output becomes shorter.
  double output = 0.1;
  double noise = 0.1;
};

/// One run of randomized greedy steps. Parities and outputs are sums of what the wires carry at the
/// time, of which a CNOT changes those that contain its target: they gain or lose its control.
class GreedyRun {
 public:
  GreedyRun(const ParityNetworkTask& task, const GreedyWeights& weights, FastRandom& random)
      : task_(task),
        weights_(weights),
        random_(random),
        items_(task.parities.size() + task.wires),
        columns_(task.wires, LinearForm(items_)),
        sizes_(items_),
        is_left_(task.parities.size(), true),
        left_(task.parities.size()) {
    for (std::size_t item = 0; item < items_; ++item) {
      const LinearForm& form = form_of(item);
      for (std::size_t i = form.find_first(); i != LinearForm::npos; i = form.find_next(i)) {
        columns_[i].set(item);
        ++sizes_[item];
      }
    }
    gains_.resize(task.wires + 2);
    double gain = 1;
    for (std::size_t size = 2; size < gains_.size(); ++size, gain *= weights.decay) {
      gains_[size] = gain;
    }
  }

  /// Returns the CNOTs after which all parities have been carried, or nothing if that takes at
  /// least `most`, or more than the budget.
  [[nodiscard]] std::optional<NetworkCnots> run(std::size_t most, const Budget& budget) {
    for (std::size_t item = 0; item < task_.parities.size(); ++item) finish_if_carried(item);
    while (left_ > 0) {
      if (cnots_.size() >= most || budget.spent()) return std::nullopt;
      budget.spend(items_ / kItemsOfTick + 1);
      apply(next_cnot());
    }
    return std::move(cnots_);
  }
  /// Returns the outputs in terms of what the wires carry now.
  [[nodiscard]] std::vector<LinearForm> outputs() const {
    std::vector<LinearForm> rows(task_.wires, LinearForm(task_.wires));
    for (std::size_t output = 0; output < task_.wires; ++output) {
      for (std::size_t wire = 0; wire < task_.wires; ++wire) {
        if (columns_[wire][task_.parities.size() + output]) rows[output].set(wire);
      }
    }
    return rows;
  }

 private:
  /// Parities of the fewest wires that are candidates for the next step, and pairs of wires of each
  /// of them.
  static constexpr std::size_t kParities = 6;
  static constexpr std::size_t kPairs = 12;
  /// A step takes about a tick for this many parities.
  static constexpr std::size_t kItemsOfTick = 64;

  [[nodiscard]] const LinearForm& form_of(std::size_t item) const {
    return item < task_.parities.size() ? task_.parities[item]
                                        : task_.outputs[item - task_.parities.size()];
  }

  void finish_if_carried(std::size_t item) {
    if (!is_left_[item] || sizes_[item] != 1) return;
    is_left_[item] = false;
    --left_;
    for (LinearForm& column : columns_) column.reset(item);
  }

  /// Returns parities that have the fewest wires of all that are left, chosen at random.
  [[nodiscard]] std::vector<std::size_t> nearest() {
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::size_t> result;
    std::size_t seen = 0;
    for (std::size_t item = 0; item < is_left_.size(); ++item) {
      if (!is_left_[item] || sizes_[item] > least) continue;
      if (sizes_[item] < least) {
        least = sizes_[item];
        result.clear();
        seen = 0;
      }
      ++seen;
      if (result.size() < kParities) {
        result.push_back(item);
      } else if (const auto place = random_.below(static_cast<std::uint32_t>(seen));
                 place < kParities) {
        result[place] = item;
      }
    }
    return result;
  }

  [[nodiscard]] NetworkCnot next_cnot() {
    double best_gain = -std::numeric_limits<double>::infinity();
    NetworkCnot best;
    for (const std::size_t item : nearest()) {
      std::vector<std::uint32_t> wires;
      for (std::uint32_t wire = 0; wire < task_.wires; ++wire) {
        if (columns_[wire][item]) wires.push_back(wire);
      }
      const auto size = static_cast<std::uint32_t>(wires.size());
      const std::uint32_t pairs = size * (size - 1);
      const bool takes_all = pairs <= kPairs;
      for (std::uint32_t i = 0; i < (takes_all ? pairs : kPairs); ++i) {
        const std::uint32_t pair = takes_all ? i : random_.below(pairs);
        const std::uint32_t control = pair / (size - 1);
        const std::uint32_t target = pair % (size - 1);
        const NetworkCnot cnot{wires[control], wires[target + (target >= control ? 1 : 0)]};
        const double gain = gain_of(cnot) + weights_.noise * random_.unit();
        if (gain <= best_gain) continue;
        best_gain = gain;
        best = cnot;
      }
    }
    return best;
  }

  [[nodiscard]] double gain_of(const NetworkCnot& cnot) const {
    const LinearForm& changed = columns_[cnot.target];
    const LinearForm& control = columns_[cnot.control];
    const std::size_t parities = task_.parities.size();
    double gain = 0;
    for (std::size_t i = changed.find_first(); i != LinearForm::npos; i = changed.find_next(i)) {
      const bool is_shorter = control[i];
      if (i >= parities) {
        gain += is_shorter ? weights_.output : -weights_.output;
      } else {
        gain += is_shorter ? gains_[sizes_[i]] : -gains_[sizes_[i] + 1];
      }
    }
    return gain;
  }

  void apply(const NetworkCnot& cnot) {
    const LinearForm changed = columns_[cnot.target];
    columns_[cnot.control] ^= changed;
    const LinearForm& control = columns_[cnot.control];
    for (std::size_t i = changed.find_first(); i != LinearForm::npos; i = changed.find_next(i)) {
      sizes_[i] += control[i] ? 1 : -1;
    }
    for (std::size_t i = changed.find_first(); i < is_left_.size(); i = changed.find_next(i)) {
      finish_if_carried(i);
    }
    cnots_.push_back(cnot);
  }

  const ParityNetworkTask& task_;
  GreedyWeights weights_;
  FastRandom& random_;
  std::size_t items_;
  std::vector<LinearForm> columns_;  ///< for each wire, the parities and outputs that contain it
  std::vector<std::uint32_t> sizes_;
  std::vector<bool> is_left_;
  std::size_t left_;
  std::vector<double> gains_;  ///< gain for a parity that loses a wire, by its number of wires
  NetworkCnots cnots_;
};

GreedyWeights random_weights(FastRandom& random) {
  constexpr std::array kDecays{0.3, 0.5, 0.7, 0.85};
  constexpr std::array kOutputs{0.0, 0.02, 0.05, 0.1, 0.2, 0.4};
  constexpr std::array kNoises{0.05, 0.2, 0.5};
  return {kDecays.at(random.below(kDecays.size())), kOutputs.at(random.below(kOutputs.size())),
          kNoises.at(random.below(kNoises.size()))};
}

/// Runs without a better network after which the search ends.
constexpr std::size_t kIdleRuns = 2'000;

}  // namespace

std::optional<NetworkCnots> synthesize_parity_network(const ParityNetworkTask& task,
                                                      const Budget& budget, FastRandom& random) {
  std::optional<NetworkCnots> best;
  for (std::size_t idle = 0; idle < kIdleRuns && !budget.spent(); ++idle) {
    GreedyRun run(task, best ? random_weights(random) : GreedyWeights(), random);
    const std::size_t most = best ? best->size() : std::numeric_limits<std::size_t>::max();
    std::optional<NetworkCnots> cnots = run.run(most, budget);
    if (!cnots) continue;
    const NetworkCnots last = cnots_of_linear_map(run.outputs());
    cnots->insert(cnots->end(), last.begin(), last.end());
    if (best && cnots->size() >= most) continue;
    best = std::move(cnots);
    idle = 0;
  }
  return best;
}

}  // namespace quartz::optimizer
