#include "optimize/pauli_network/layered_network.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "optimize/pauli_network/growing_network.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// Rotations behind a layer that are considered in the choice of a CNOT.
constexpr std::size_t kRotationsAhead = 64;
/// How much a smaller operator of the layer counts in the choice of a CNOT, where a smaller
/// operator of the next rotation counts 1.
constexpr double kWeightOfLayer = 2;
/// How much the images of X and Z count, which the network undoes at its end.
constexpr double kWeightOfImages = 0.05;

/// Pauli operators without their signs, as linearly independent rows over F2.
class IndependentOperators {
 public:
  /// Adds an operator unless it is a product of those before; returns whether it was added.
  bool add(const PauliColumns& operators, std::size_t index) {
    std::vector<std::uint64_t> bits((2 * std::size_t{operators.qubits()} + 63) / 64);
    for (const std::uint32_t qubit : operators.support(index)) {
      // The bits of x and z of each qubit are beside each other.
      bits[qubit / 32] |= std::uint64_t{operators.axis(index, qubit)} << (2 * (qubit % 32));
    }
    for (const Row& row : rows_) {
      if ((bits[row.word] & row.pivot) == 0) continue;
      for (std::size_t word = 0; word < bits.size(); ++word) bits[word] ^= row.bits[word];
    }
    const auto first = std::ranges::find_if(bits, [](std::uint64_t word) { return word != 0; });
    if (first == bits.end()) return false;
    const auto word = static_cast<std::size_t>(first - bits.begin());
    const std::uint64_t pivot = *first & -*first;
    rows_.push_back({std::move(bits), word, pivot});
    return true;
  }

 private:
  struct Row {
    std::vector<std::uint64_t> bits;
    std::size_t word = 0;     ///< that of the pivot
    std::uint64_t pivot = 0;  ///< one bit that no later row has
  };
  std::vector<Row> rows_;
};

/// Returns for each rotation the length of the longest chain of rotations that begins with it, each
/// of which must come after the one before.
std::vector<std::size_t> lengths_of_chains(const UnplacedRotations& rotations) {
  const std::size_t count = rotations.size();
  std::vector<std::size_t> lengths(count, 1);
  for (std::size_t i = count; i-- > 0;) {
    for (const std::size_t next : rotations.successors(i)) {
      lengths[i] = std::max(lengths[i], lengths[next] + 1);
    }
  }
  return lengths;
}

class LayeredNetworkBuilder {
 public:
  LayeredNetworkBuilder(RotationColumns sequence, const LayerChoice& choice)
      : network_(std::move(sequence), choice.most_work),
        lengths_(lengths_of_chains(network_.open())),
        most_parities_(choice.most_parities) {
    for (std::size_t i = 0; i < kRotationsAhead; ++i) {
      weights_[i] = std::exp2(-static_cast<double>(i) / choice.reach);
    }
  }

  [[nodiscard]] std::optional<LayeredNetwork> built(const Budget& budget) && {
    std::vector<NetworkLayer> layers;
    while (!open().is_empty()) {
      choose_layer();
      if (!separate_layer(budget)) return std::nullopt;
      layers.push_back(emit_layer());
    }
    std::optional<circuit::PhasedGates> network = std::move(network_).finished(budget);
    if (!network) return std::nullopt;
    return LayeredNetwork{*std::move(network), std::move(layers)};
  }

 private:
  [[nodiscard]] const UnplacedRotations& open() const { return network_.open(); }
  [[nodiscard]] const PauliColumns& axes() const { return open().axes(); }
  [[nodiscard]] LocalAxis axis(std::size_t place, std::uint32_t qubit) const {
    return axes().axis(place, qubit);
  }
  [[nodiscard]] std::uint32_t weight(std::size_t place) const { return axes().weight(place); }

  void choose_layer() {
    std::vector<std::size_t> first;
    for (std::size_t place = 0; place < open().size(); ++place) {
      if (open().is_first(place)) first.push_back(place);
    }
    const auto length = [&](std::size_t place) { return lengths_[open().number_at(place)]; };
    std::ranges::stable_sort(first, [&](std::size_t a, std::size_t b) {
      if (length(a) != length(b)) return length(a) > length(b);
      return weight(a) < weight(b);
    });
    IndependentOperators chosen;
    layer_.clear();
    parities_.clear();
    for (const std::size_t place : first) {
      if (chosen.add(axes(), place)) {
        layer_.push_back(place);
      } else if (parities_.size() < most_parities_) {
        parities_.push_back(place);
      }
    }
    ahead_.clear();
    for (std::size_t place = 0; place < open().size(); ++place) {
      if (ahead_.size() == kRotationsAhead) break;
      if (std::ranges::find(layer_, place) == layer_.end()) ahead_.push_back(place);
    }
  }

  /// Applies CNOTs until each operator of the layer is on a qubit of its own. As they are
  /// independent and commute, it suffices that each is on one qubit.
  bool separate_layer(const Budget& budget) {
    bool keeps_single = false;
    for (;;) {
      if (network_.is_over(budget)) return false;
      const std::optional<std::size_t> smallest = smallest_large_operator();
      if (!smallest) return true;
      if (const std::optional<PauliCnot> cnot = best_cnot(keeps_single)) {
        network_.apply(*cnot);
        continue;
      }
      // From here on, the number of operators on a single qubit only grows, so that this ends.
      keeps_single = true;
      make_single(*smallest);
    }
  }

  /// Returns the smallest operator of the layer that is on several qubits.
  [[nodiscard]] std::optional<std::size_t> smallest_large_operator() const {
    std::optional<std::size_t> smallest;
    for (const std::size_t place : layer_) {
      if (weight(place) < 2) continue;
      if (!smallest || weight(place) < weight(*smallest)) smallest = place;
    }
    return smallest;
  }

  /// Returns the CNOT with the best score of those that make the operators of the layer smaller,
  /// all together, or nothing if there is none.
  [[nodiscard]] std::optional<PauliCnot> best_cnot(bool keeps_single) {
    std::optional<PauliCnot> best;
    double best_score = std::numeric_limits<double>::infinity();
    for (const std::size_t place : layer_) {
      for_each_reduction(axes(), place, [&](const PauliCnot& cnot) {
        const std::optional<int> change = change_of_layer(cnot, keeps_single);
        if (!change || *change >= 0) return;
        const double now = kWeightOfLayer * *change + score_ahead(cnot);
        if (now >= best_score) return;
        best_score = now;
        best = cnot;
      });
    }
    return best;
  }

  /// Returns by how much the operators of the layer grow, or nothing if one on a single qubit does
  /// and `keeps_single` is set.
  [[nodiscard]] std::optional<int> change_of_layer(const PauliCnot& cnot, bool keeps_single) {
    network_.count_work(layer_.size());
    int sum = 0;
    for (const std::size_t place : layer_) {
      const int change = axes().change(cnot, place);
      if (keeps_single && change != 0 && weight(place) == 1) return std::nullopt;
      sum += change;
    }
    return sum;
  }

  /// Returns how much the operators behind the layer grow, the next ones counting most.
  [[nodiscard]] double score_ahead(const PauliCnot& cnot) {
    network_.count_work(ahead_.size());
    double sum = 0;
    for (std::size_t i = 0; i < ahead_.size(); ++i) {
      sum += weights_[i] * axes().change(cnot, ahead_[i]);
    }
    return sum + kWeightOfImages * network_.change_of_rows(cnot);
  }

  /// Applies CNOTs until an operator is on one qubit, which keep those that already are.
  void make_single(std::size_t place) {
    std::vector<bool> is_taken(axes().qubits());
    for (const std::size_t other : layer_) {
      if (weight(other) == 1) is_taken[axes().support(other).front()] = true;
    }
    // An operator on a taken qubit commutes with this one, and is therefore the same there.
    for (;;) {
      const std::vector<std::uint32_t> support = axes().support(place);
      const auto target =
          std::ranges::find_if(support, [&](std::uint32_t qubit) { return is_taken[qubit]; });
      if (target == support.end()) break;
      const auto from =
          std::ranges::find_if(support, [&](std::uint32_t qubit) { return !is_taken[qubit]; });
      ensure(from != support.end(), "the operators of a layer are independent");
      const LocalAxis other = axis(place, *from) == 1 ? 2 : 1;
      network_.apply(PauliCnot{*from, *target, other, axis(place, *target)});
    }
    while (weight(place) > 1) {
      std::optional<PauliCnot> best;
      double best_score = std::numeric_limits<double>::infinity();
      for_each_reduction(axes(), place, [&](const PauliCnot& cnot) {
        const double now =
            kWeightOfLayer * change_of_layer(cnot, false).value_or(0) + score_ahead(cnot);
        if (now >= best_score) return;
        best_score = now;
        best = cnot;
      });
      network_.apply(best.value());
    }
  }

  /// Appends the rotations of the layer, whose operators are on qubits of their own. Once these are
  /// Z, the further operators, which are products of them, are parities.
  NetworkLayer emit_layer() {
    for (const std::size_t place : layer_) network_.turn_to_z(place);
    NetworkLayer layer{network_.gate_count(), layer_.size(), {}};
    // The places change with each rotation that is emitted.
    const std::vector<std::size_t> of_qubits = numbers_of(layer_);
    const std::vector<std::size_t> of_parities = numbers_of(parities_);
    for (const std::size_t number : of_qubits) network_.emit(open().place_of(number));
    for (const std::size_t number : of_parities) {
      layer.of_parities.push_back(network_.emit_parity(open().place_of(number)));
    }
    return layer;
  }
  [[nodiscard]] std::vector<std::size_t> numbers_of(std::span<const std::size_t> places) const {
    std::vector<std::size_t> numbers;
    for (const std::size_t place : places) numbers.push_back(open().number_at(place));
    return numbers;
  }

  GrowingNetwork network_;
  std::vector<std::size_t> lengths_;  ///< lengths_of_chains()
  std::size_t most_parities_;
  // Places of rotations.
  std::vector<std::size_t> layer_;     ///< those on qubits of their own, beside each other
  std::vector<std::size_t> parities_;  ///< further ones, whose operators are products of those
  std::vector<std::size_t> ahead_;     ///< the next rotations that are not in the layer
  std::array<double, kRotationsAhead> weights_{};
};

}  // namespace

std::optional<LayeredNetwork> layered_network(RotationColumns sequence, const LayerChoice& choice,
                                              const Budget& budget) {
  return LayeredNetworkBuilder(std::move(sequence), choice).built(budget);
}

}  // namespace quartz::optimizer
