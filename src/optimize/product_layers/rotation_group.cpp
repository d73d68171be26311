#include "optimize/product_layers/rotation_group.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/random.hpp"

namespace quartz::optimizer {
namespace {

/// Unmatched rotations that are looked at for each rotation, and their number for all of them
/// together: a fraction of a second.
constexpr std::size_t kMinReach = 32;
constexpr std::size_t kMaxReach = 512;
constexpr std::size_t kMaxPairs = std::size_t{1} << 22U;

/// Layers to which a group is compared. A group further ahead stays behind them.
constexpr std::size_t kMaxLayersBack = 64;

bool is_odd_eighth(const Angle& angle) {
  return angle.is_pi_multiple() && angle.pi_part().denominator() == 4;
}

/// Keys of axes without their phases: the key of a product of two axes is the exclusive or of their
/// keys, and different axes practically never have the same key.
class AxisKeys {
 public:
  explicit AxisKeys(const PulledRotations& circuit) : keys_(circuit.size()) {
    FastRandom random(1);
    std::vector<std::uint64_t> of_bit(64 * circuit.paulis.bit_words());
    for (std::uint64_t& key : of_bit) key = random();
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const PauliRows::ConstRow bits = circuit.paulis.bits(circuit.axis(i));
      for (std::size_t word = 0; word < bits.size(); ++word) {
        for (std::uint64_t rest = bits[word]; rest != 0; rest &= rest - 1) {
          keys_[i] ^= of_bit[64 * word + static_cast<std::size_t>(std::countr_zero(rest))];
        }
      }
    }
  }
  [[nodiscard]] std::uint64_t operator[](std::size_t rotation) const { return keys_[rotation]; }

 private:
  std::vector<std::uint64_t> keys_;
};

class Grouping {
 public:
  explicit Grouping(const PulledRotations& circuit) : circuit_(circuit), keys_(circuit) {
    const auto odd = static_cast<std::size_t>(std::ranges::count_if(circuit.angles, is_odd_eighth));
    reach_ = std::clamp(kMaxPairs / std::max<std::size_t>(odd, 1), kMinReach, kMaxReach);
  }

  [[nodiscard]] std::vector<RotationGroup> run() {
    for (std::uint32_t rotation = 0; rotation < circuit_.size(); ++rotation) {
      const std::size_t place = groups_.size();
      groups_.push_back({rotation});
      if (!is_odd_eighth(circuit_.angles[rotation])) continue;
      add_single(rotation, place);
      if (const auto product = product_with(rotation)) close(*product);
    }
    std::erase_if(groups_, [](const RotationGroup& group) { return group.empty(); });
    return std::move(groups_);
  }

 private:
  /// An unmatched rotation and its place in the list of groups.
  struct Single {
    std::uint32_t rotation = 0;
    std::size_t place = 0;
  };

  void add_single(std::uint32_t rotation, std::size_t place) {
    singles_.push_back({rotation, place});
    places_[keys_[rotation]] = place;
    if (singles_.size() <= reach_) return;
    forget(singles_.front());
    singles_.pop_front();
  }
  void forget(const Single& single) {
    const auto entry = places_.find(keys_[single.rotation]);
    if (entry != places_.end() && entry->second == single.place) places_.erase(entry);
  }

  /// Returns the unmatched rotation whose axis has a key.
  [[nodiscard]] std::optional<std::uint32_t> with_key(std::uint64_t key) const {
    const auto entry = places_.find(key);
    if (entry == places_.end()) return std::nullopt;
    return groups_[entry->second][0];
  }

  /// Returns a product of unmatched rotations, of which this one is the last.
  [[nodiscard]] std::optional<RotationGroup> product_with(std::uint32_t last) const {
    // Pairs of rotations whose axes have the axis of this one as their product.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const Single& single : singles_) {
      const auto other = with_key(keys_[last] ^ keys_[single.rotation]);
      if (other && *other > single.rotation) pairs.emplace_back(single.rotation, *other);
    }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      for (std::size_t j = i + 1; j < pairs.size(); ++j) {
        const auto [b, ab] = pairs[i];
        const auto [c, ac] = pairs[j];
        const auto bc = with_key(keys_[b] ^ keys_[c]);
        const auto abc = with_key(keys_[ab] ^ keys_[c]);
        if (!bc || !abc) continue;
        const RotationGroup product{last, b, c, ab, ac, *bc, *abc};
        if (has_axes_of_product(product)) return product;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] bool has_axes_of_product(const RotationGroup& group) const {
    const PauliRows& paulis = circuit_.paulis;
    const auto axis = [&](std::size_t i) { return paulis.bits(circuit_.axis(group[i])); };
    for (std::size_t word = 0; word < paulis.bit_words(); ++word) {
      const std::uint64_t a = axis(0)[word];
      const std::uint64_t b = axis(1)[word];
      const std::uint64_t c = axis(2)[word];
      if (axis(3)[word] != (a ^ b) || axis(4)[word] != (a ^ c) || axis(5)[word] != (b ^ c) ||
          axis(6)[word] != (a ^ b ^ c)) {
        return false;
      }
    }
    return !paulis.anticommute(axis(0), axis(1)) && !paulis.anticommute(axis(0), axis(2)) &&
           !paulis.anticommute(axis(1), axis(2));
  }

  /// Replaces the rotations of a product by the product, at the last place of one of them to which
  /// all others can be moved, if there is one.
  void close(const RotationGroup& product) {
    // A rotation is at the place of its number until a product moves it. There may be a later one
    // about the same axis, so that places_ cannot tell.
    std::array<std::size_t, 7> places{};
    std::ranges::copy(product, places.begin());
    std::ranges::sort(places, std::greater<>());
    const auto target = std::ranges::find_if(places, [&](std::size_t place) {
      return std::ranges::all_of(places, [&](std::size_t from) { return can_move(from, place); });
    });
    if (target == places.end()) return;
    for (const std::size_t place : places) {
      const auto single = std::ranges::find(singles_, place, &Single::place);
      forget(*single);
      singles_.erase(single);
      groups_[place].clear();
    }
    groups_[*target] = product;
  }

  /// Returns whether the single rotation at one place commutes with all groups on the way to
  /// another place.
  [[nodiscard]] bool can_move(std::size_t from, std::size_t to) const {
    const PauliRows::ConstRow axis = circuit_.axis(groups_[from][0]);
    for (std::size_t i = std::min(from, to); i <= std::max(from, to); ++i) {
      const std::size_t generators = std::min<std::size_t>(groups_[i].size(), 3);
      for (std::size_t j = 0; j < generators; ++j) {
        if (circuit_.paulis.anticommute(axis, circuit_.axis(groups_[i][j]))) return false;
      }
    }
    return true;
  }

  const PulledRotations& circuit_;
  AxisKeys keys_;
  std::size_t reach_ = 0;
  std::vector<RotationGroup> groups_;
  std::deque<Single> singles_;
  std::unordered_map<std::uint64_t, std::size_t> places_;  ///< places of single rotations, by keys
};

/// Rotations whose axes are independent, as rows in echelon form.
class AxisSpan {
 public:
  /// Adds an axis; returns false if it is a product of those before.
  [[nodiscard]] bool add(PauliRows::ConstRow bits) {
    std::vector<std::uint64_t> row(bits.begin(), bits.end());
    for (const Row& other : rows_) {
      if ((row[other.pivot / 64] >> (other.pivot % 64) & 1U) == 0) continue;
      for (std::size_t word = 0; word < row.size(); ++word) row[word] ^= other.bits[word];
    }
    const auto nonzero = std::ranges::find_if(row, [](std::uint64_t word) { return word != 0; });
    if (nonzero == row.end()) return false;
    const auto pivot = 64 * static_cast<std::size_t>(nonzero - row.begin()) +
                       static_cast<std::size_t>(std::countr_zero(*nonzero));
    rows_.push_back({pivot, std::move(row)});
    return true;
  }

 private:
  struct Row {
    std::size_t pivot = 0;
    std::vector<std::uint64_t> bits;
  };
  std::vector<Row> rows_;
};

/// A layer that groups are added to.
struct OpenLayer {
  RotationLayer layer;
  AxisSpan span;
};

/// Returns the rotations of a group whose axes span those of all of them.
std::span<const std::uint32_t> generators_of(const RotationGroup& group) {
  return std::span(group.data(), std::min<std::size_t>(group.size(), 3));
}

bool commutes(const PulledRotations& circuit, const RotationGroup& group,
              const RotationLayer& layer) {
  return std::ranges::none_of(generators_of(group), [&](std::uint32_t rotation) {
    return std::ranges::any_of(layer.basis, [&](std::uint32_t other) {
      return circuit.paulis.anticommute(circuit.axis(rotation), circuit.axis(other));
    });
  });
}

/// Puts each group into the layer whose index `choose` returns. It is called with the index of the
/// earliest layer to which the group can be moved, and with the number of layers, which is the
/// index of a new layer.
template <typename Choice>
std::vector<RotationLayer> layers_by(const PulledRotations& circuit,
                                     const std::vector<RotationGroup>& groups, Choice choose) {
  std::vector<OpenLayer> open;
  for (const RotationGroup& group : groups) {
    std::size_t earliest = open.size();
    const std::size_t first = earliest - std::min(earliest, kMaxLayersBack);
    while (earliest > first && commutes(circuit, group, open[earliest - 1].layer)) --earliest;
    const std::size_t layer = choose(earliest, open.size());
    if (layer == open.size()) open.emplace_back();
    open[layer].layer.groups.push_back(group);
    for (const std::uint32_t rotation : generators_of(group)) {
      if (open[layer].span.add(circuit.paulis.bits(circuit.axis(rotation)))) {
        open[layer].layer.basis.push_back(rotation);
      }
    }
  }
  std::vector<RotationLayer> result;
  result.reserve(open.size());
  for (OpenLayer& layer : open) result.push_back(std::move(layer.layer));
  return result;
}

}  // namespace

std::vector<RotationGroup> group_rotations(const PulledRotations& circuit) {
  return Grouping(circuit).run();
}

std::vector<RotationLayer> layers_of(const PulledRotations& circuit,
                                     const std::vector<RotationGroup>& groups) {
  return layers_by(circuit, groups,
                   [](std::size_t earliest, std::size_t /*layers*/) { return earliest; });
}

std::vector<RotationLayer> random_layers_of(const PulledRotations& circuit,
                                            const std::vector<RotationGroup>& groups,
                                            FastRandom& random) {
  constexpr std::array<std::uint32_t, 4> kDelayed{0, 2, 10, 40};
  const std::uint32_t delayed = kDelayed.at(random.below(kDelayed.size()));
  const auto choose = [&](std::size_t earliest, std::size_t layers) {
    if (earliest == layers || random.below(100) >= delayed) return earliest;
    return earliest + random.below(static_cast<std::uint32_t>(layers - earliest));
  };
  if (random.below(2) != 0) return layers_by(circuit, groups, choose);
  const std::vector<RotationGroup> reversed(groups.rbegin(), groups.rend());
  std::vector<RotationLayer> layers = layers_by(circuit, reversed, choose);
  std::ranges::reverse(layers);
  return layers;
}

}  // namespace quartz::optimizer
