#include "optimize/pauli_network/pauli_network.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "optimize/pauli_network/cnot_changes.hpp"
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

/// The scores of CNOTs between any two qubits, each of which is known until something changes on
/// which it depends. A CNOT is looked at again and again as one after the other is chosen, and most
/// of these are on other qubits.
class KnownScores {
 public:
  explicit KnownScores(std::uint32_t qubits)
      : scores_(CnotNumbers::kOfPair * CnotNumbers(qubits).pairs()), changes_(qubits, kFirstTime) {}

  /// Returns the score of a CNOT, by `compute` unless it is known.
  template <typename Compute>
  [[nodiscard]] double of(const PauliCnot& cnot, const Compute& compute) {
    Score& score = scores_[CnotNumbers::of(cnot)];
    if (score.time < std::max(changes_[cnot.control], changes_[cnot.target])) {
      score = {compute(), now_};
    }
    return score.value;
  }
  /// Considers that operators have changed on the qubits of a CNOT.
  void forget(const PauliCnot& cnot) {
    ++now_;
    changes_[cnot.control] = now_;
    changes_[cnot.target] = now_;
  }
  void forget_all() { std::ranges::fill(changes_, ++now_); }

 private:
  static constexpr std::uint64_t kFirstTime = 1;
  struct Score {
    double value = 0;
    std::uint64_t time = 0;  ///< when it was computed
  };

  std::vector<Score> scores_;           ///< by CnotNumbers
  std::vector<std::uint64_t> changes_;  ///< when the operators last changed on each qubit
  std::uint64_t now_ = kFirstTime;
};

/// Builds the network of a sequence.
class NetworkBuilder {
 public:
  /// The work of a network that has a deadline is limited by that alone.
  NetworkBuilder(RotationColumns sequence, double reach, Noise noise, const Budget& budget)
      : noise_(noise),
        network_(std::move(sequence), budget.has_deadline()
                                          ? std::numeric_limits<std::uint64_t>::max()
                                          : kMostWorkOfNetwork),
        scores_(open().axes().qubits()) {
    const auto look_ahead = static_cast<std::size_t>(std::ceil(kHalvings * reach));
    weights_.resize(std::clamp<std::size_t>(look_ahead, 1, kMostLookAhead));
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      weights_[i] = std::exp2(-static_cast<double>(i) / reach);
    }
  }

  /// Returns nothing if the budget is spent, or the limit of the work reached, before the network
  /// is complete.
  [[nodiscard]] std::optional<EndedNetwork> built(const Budget& budget) && {
    while (!open().is_empty()) {
      if (network_.is_over(budget)) return std::nullopt;
      if (emit_rotations()) continue;
      const PauliCnot cnot = best_cnot_for_rotations();
      network_.apply(cnot);
      scores_.forget(cnot);
    }
    const std::size_t end = network_.gate_count();
    std::optional<circuit::PhasedGates> network = std::move(network_).finished(budget);
    if (!network) return std::nullopt;
    return EndedNetwork{*std::move(network), end};
  }

 private:
  [[nodiscard]] const UnplacedRotations& open() const { return network_.open(); }

  /// Emits rotations about operators on single qubits. Returns whether there were any.
  bool emit_rotations() {
    bool has_emitted = false;
    for (std::size_t place = 0; place < open().size();) {
      if (!open().is_first(place) || open().axes().weight(place) > 1) {
        ++place;
        continue;
      }
      network_.emit(place);
      has_emitted = true;
    }
    if (has_emitted) scores_.forget_all();
    return has_emitted;
  }

  [[nodiscard]] double score(const PauliCnot& cnot) {
    const std::size_t count = std::min(weights_.size(), open().size());
    const double sum = open().axes().change(cnot, std::span(weights_).first(count));
    const double rows = network_.change_of_rows(cnot);
    network_.count_work(count);
    // What is left to do at the end counts like a rotation far ahead.
    return sum + kWeightOfRows * weights_[std::min(count, weights_.size() - 1)] * rows;
  }
  [[nodiscard]] PauliCnot best_cnot_for_rotations() {
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    for (std::size_t place = 0; place < open().size(); ++place) {
      if (open().is_first(place)) least = std::min(least, open().axes().weight(place));
    }
    PauliCnot best;
    double best_score = std::numeric_limits<double>::infinity();
    for (std::size_t place = 0; place < open().size(); ++place) {
      if (!open().is_first(place) || open().axes().weight(place) > least) continue;
      for_each_reduction(open().axes(), place, [&](const PauliCnot& cnot) {
        network_.count_work(1);
        const double now = scores_.of(cnot, [&] { return score(cnot); }) + noise_();
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
  KnownScores scores_;
  std::vector<double> weights_;  ///< one for each rotation that is considered
};

}  // namespace

std::optional<EndedNetwork> ended_pauli_network(RotationColumns sequence, double reach,
                                                const Budget& budget) {
  return NetworkBuilder(std::move(sequence), reach, {}, budget).built(budget);
}

std::optional<circuit::PhasedGates> pauli_network(RotationColumns sequence, double reach,
                                                  const Budget& budget) {
  std::optional<EndedNetwork> made = ended_pauli_network(std::move(sequence), reach, budget);
  if (!made) return std::nullopt;
  return std::move(made->network);
}

std::optional<circuit::PhasedGates> random_pauli_network(RotationColumns sequence, double reach,
                                                         double noise, FastRandom& random,
                                                         const Budget& budget) {
  std::optional<EndedNetwork> made =
      NetworkBuilder(std::move(sequence), reach, {noise, &random}, budget).built(budget);
  if (!made) return std::nullopt;
  return std::move(made->network);
}

}  // namespace quartz::optimizer
