#include "optimize/pauli_network/layered_network.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
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
  bool add(PauliString axis) {
    for (const auto& [row, x_pivot, z_pivot] : rows_) {
      if ((axis.x & x_pivot) != 0 || (axis.z & z_pivot) != 0) {
        axis.x ^= row.x;
        axis.z ^= row.z;
      }
    }
    if (axis.support() == 0) return false;
    const std::uint64_t x_pivot = axis.x & -axis.x;
    rows_.push_back({axis, x_pivot, x_pivot != 0 ? 0 : axis.z & -axis.z});
    return true;
  }

 private:
  struct Row {
    PauliString axis;
    std::uint64_t x_pivot = 0;  ///< one bit of x or of z that no later row has
    std::uint64_t z_pivot = 0;
  };
  std::vector<Row> rows_;
};

/// Returns for each rotation the length of the longest chain of rotations that begins with it, each
/// of which must come after the one before.
std::vector<std::size_t> lengths_of_chains(const UnplacedRotations& rotations) {
  const std::size_t count = rotations.open().size();
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
  LayeredNetworkBuilder(RotationSequence sequence, const LayerChoice& choice)
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
  [[nodiscard]] const PauliString& axis(std::size_t rotation) const {
    return open()[rotation].axis;
  }

  void choose_layer() {
    std::vector<std::size_t> first;
    for (const std::size_t index : open().open()) {
      if (open().is_first(index)) first.push_back(index);
    }
    std::ranges::stable_sort(first, [&](std::size_t a, std::size_t b) {
      if (lengths_[a] != lengths_[b]) return lengths_[a] > lengths_[b];
      return weight_of(axis(a)) < weight_of(axis(b));
    });
    IndependentOperators chosen;
    layer_.clear();
    parities_.clear();
    for (const std::size_t index : first) {
      if (chosen.add(axis(index))) {
        layer_.push_back(index);
      } else if (parities_.size() < most_parities_) {
        parities_.push_back(index);
      }
    }
    ahead_.clear();
    for (const std::size_t index : open().open()) {
      if (ahead_.size() == kRotationsAhead) break;
      if (std::ranges::find(layer_, index) == layer_.end()) ahead_.push_back(index);
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
    for (const std::size_t index : layer_) {
      if (weight_of(axis(index)) < 2) continue;
      if (!smallest || weight_of(axis(index)) < weight_of(axis(*smallest))) smallest = index;
    }
    return smallest;
  }

  /// Returns the CNOT with the best score of those that make the operators of the layer smaller,
  /// all together, or nothing if there is none.
  [[nodiscard]] std::optional<PauliCnot> best_cnot(bool keeps_single) {
    std::optional<PauliCnot> best;
    double best_score = std::numeric_limits<double>::infinity();
    for (const std::size_t index : layer_) {
      for_each_reduction(axis(index), [&](const PauliCnot& cnot) {
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
    for (const std::size_t index : layer_) {
      const int change = cnot.change(axis(index));
      if (keeps_single && change != 0 && weight_of(axis(index)) == 1) return std::nullopt;
      sum += change;
    }
    return sum;
  }

  /// Returns how much the operators behind the layer grow, the next ones counting most.
  [[nodiscard]] double score_ahead(const PauliCnot& cnot) {
    network_.count_work(ahead_.size());
    double sum = 0;
    for (std::size_t place = 0; place < ahead_.size(); ++place) {
      sum += weights_[place] * cnot.change(axis(ahead_[place]));
    }
    return sum + kWeightOfImages * network_.change_of_rows(cnot);
  }

  /// Applies CNOTs until an operator is on one qubit, which keep those that already are.
  void make_single(std::size_t rotation) {
    std::uint64_t taken = 0;
    for (const std::size_t index : layer_) {
      if (weight_of(axis(index)) == 1) taken |= axis(index).support();
    }
    // An operator on a taken qubit commutes with this one, and is therefore the same there.
    while ((axis(rotation).support() & taken) != 0) {
      const std::uint64_t free = axis(rotation).support() & ~taken;
      ensure(free != 0, "the operators of a layer are independent");
      const auto from = static_cast<std::uint32_t>(__builtin_ctzll(free));
      const auto target =
          static_cast<std::uint32_t>(__builtin_ctzll(axis(rotation).support() & taken));
      const LocalAxis other = axis_on(axis(rotation), from) == 1 ? 2 : 1;
      network_.apply(PauliCnot{from, target, other, axis_on(axis(rotation), target)});
    }
    while (weight_of(axis(rotation)) > 1) {
      std::optional<PauliCnot> best;
      double best_score = std::numeric_limits<double>::infinity();
      for_each_reduction(axis(rotation), [&](const PauliCnot& cnot) {
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
    for (const std::size_t rotation : layer_) network_.turn_to_z(rotation);
    NetworkLayer layer{network_.gate_count(), layer_.size(), {}};
    for (const std::size_t rotation : layer_) network_.emit(rotation);
    for (const std::size_t rotation : parities_) {
      layer.of_parities.push_back(network_.emit_parity(rotation));
    }
    return layer;
  }

  GrowingNetwork network_;
  std::vector<std::size_t> lengths_;  ///< lengths_of_chains()
  std::size_t most_parities_;
  std::vector<std::size_t> layer_;     ///< rotations on qubits of their own, beside each other
  std::vector<std::size_t> parities_;  ///< further ones, whose operators are products of those
  std::vector<std::size_t> ahead_;     ///< the next rotations that are not in the layer
  std::array<double, kRotationsAhead> weights_{};
};

}  // namespace

std::optional<LayeredNetwork> layered_network(RotationSequence sequence, const LayerChoice& choice,
                                              const Budget& budget) {
  return LayeredNetworkBuilder(std::move(sequence), choice).built(budget);
}

}  // namespace quartz::optimizer
