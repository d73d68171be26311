#include "optimize/pauli_network/pauli_network.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "optimize/pauli_network/growing_network.hpp"

namespace quartz::optimizer {
namespace {

/// Most rotations that are considered in the choice of a CNOT: those whose weight has not halved
/// this often. Others would only decide between sums that are equal.
constexpr std::size_t kMostLookAhead = 192;
constexpr double kHalvings = 40;

/// Random numbers in [0, most), or 0 without a source.
struct Noise {
  double most = 0;
  FastRandom* random = nullptr;

  [[nodiscard]] double operator()() const { return random ? most * random->unit() : 0; }
};

/// Builds the network of a sequence.
class NetworkBuilder {
 public:
  /// The work of a network that has a deadline is limited by that alone.
  NetworkBuilder(RotationSequence sequence, double reach, Noise noise, const Budget& budget)
      : noise_(noise),
        network_(std::move(sequence), budget.has_deadline()
                                          ? std::numeric_limits<std::uint64_t>::max()
                                          : kMostWorkOfNetwork) {
    const auto look_ahead = static_cast<std::size_t>(std::ceil(kHalvings * reach));
    weights_.resize(std::clamp<std::size_t>(look_ahead, 1, kMostLookAhead));
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      weights_[i] = std::exp2(-static_cast<double>(i) / reach);
    }
  }

  /// Returns nothing if the budget is spent, or the limit of the work reached, before the network
  /// is complete.
  [[nodiscard]] std::optional<circuit::PhasedGates> built(const Budget& budget) && {
    while (!open().is_empty()) {
      if (network_.is_over(budget)) return std::nullopt;
      if (emit_rotations()) continue;
      network_.apply(best_cnot_for_rotations());
    }
    return std::move(network_).finished(budget);
  }

 private:
  [[nodiscard]] const UnplacedRotations& open() const { return network_.open(); }

  /// Emits rotations about operators on single qubits. Returns whether there were any.
  bool emit_rotations() {
    const std::vector<std::size_t> indices = open().open();
    bool has_emitted = false;
    for (const std::size_t index : indices) {
      if (!open().is_first(index) || weight_of(open()[index].axis) > 1) continue;
      network_.emit(index);
      has_emitted = true;
    }
    return has_emitted;
  }

  [[nodiscard]] double score(const PauliCnot& cnot) {
    double sum = 0;
    std::size_t place = 0;
    for (const std::size_t index : open().open()) {
      if (place == weights_.size()) break;
      const double change = cnot.change(open()[index].axis);
      sum += weights_[place++] * change;
    }
    const double rows = network_.change_of_rows(cnot);
    network_.count_work(place);
    // What is left to do at the end counts like a rotation far ahead.
    return sum + kWeightOfRows * weights_[std::min(place, weights_.size() - 1)] * rows;
  }
  [[nodiscard]] PauliCnot best_cnot_for_rotations() {
    unsigned least = kMaxQubitsOfPauliString + 1;
    for (const std::size_t index : open().open()) {
      if (open().is_first(index)) least = std::min(least, weight_of(open()[index].axis));
    }
    PauliCnot best;
    double best_score = std::numeric_limits<double>::infinity();
    for (const std::size_t index : open().open()) {
      if (!open().is_first(index) || weight_of(open()[index].axis) > least) continue;
      for_each_reduction(open()[index].axis, [&](const PauliCnot& cnot) {
        const double now = score(cnot) + noise_();
        if (now >= best_score) return;
        best_score = now;
        best = cnot;
      });
    }
    return best;
  }

  static constexpr double kWeightOfRows = 0.3;

  Noise noise_;
  GrowingNetwork network_;
  std::vector<double> weights_;  ///< one for each rotation that is considered
};

}  // namespace

std::optional<circuit::PhasedGates> pauli_network(RotationSequence sequence, double reach,
                                                  const Budget& budget) {
  return NetworkBuilder(std::move(sequence), reach, {}, budget).built(budget);
}

std::optional<circuit::PhasedGates> random_pauli_network(RotationSequence sequence, double reach,
                                                         double noise, FastRandom& random,
                                                         const Budget& budget) {
  return NetworkBuilder(std::move(sequence), reach, {noise, &random}, budget).built(budget);
}

}  // namespace quartz::optimizer
