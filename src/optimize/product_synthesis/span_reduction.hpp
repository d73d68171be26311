#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "optimize/product_synthesis/form_block.hpp"

namespace quartz::optimizer {

/// Chooses CNOTs that bring the forms of blocks to as few wires as they span dimensions.
///
/// Each wire has a vector: its coefficients in a basis of the forms. The elements of the basis are
/// on wires with unit vectors. A CNOT adds the vector of its target to that of its control, and the
/// vectors of all other wires have to become zero. Always one of the CNOTs is chosen after which
/// they have the fewest ones, so that equal vectors are added first: the one after which the linear
/// map that is left is lightest.
template <std::size_t kWords>
class SpanReduction {
 public:
  SpanReduction(std::span<const FormBlock<kWords>> blocks, std::uint32_t wires, FastRandom& random)
      : random_(random), vectors_(wires), is_unit_(wires, false), most_(wires) {
    choose_basis(blocks);
    while (exchange_units()) {
    }
    for (std::uint32_t wire = 0; wire < wires; ++wire) {
      if (count_wires(vectors_[wire]) == 0) continue;
      used_.push_back(wire);
      if (!is_unit_[wire]) open_.push_back(wire);
    }
    for (const std::uint32_t wire : open_) update_most(wire);
  }

  /// Returns the next CNOT, which has to be applied to the map; nothing after the last one.
  [[nodiscard]] std::optional<NetworkCnot> next(MapLeft<kWords>& map) {
    if (open_.empty()) return std::nullopt;
    const NetworkCnot cnot = lightest(candidates(), map);
    const std::uint32_t changed = cnot.control;
    std::vector<std::uint32_t> outdated{changed};
    for (const std::uint32_t wire : open_) {
      if (wire != changed && gain({wire, changed}) == most_[wire]) outdated.push_back(wire);
    }
    add_bits(vectors_[changed], vectors_[cnot.target]);
    if (count_wires(vectors_[changed]) == 0) {
      std::erase(open_, changed);
      std::erase(used_, changed);
      outdated.erase(outdated.begin());
    } else {
      for (const std::uint32_t wire : open_) {
        if (wire != changed) most_[wire] = std::max(most_[wire], gain({wire, changed}));
      }
    }
    for (const std::uint32_t wire : outdated) update_most(wire);
    return cnot;
  }

 private:
  static constexpr std::size_t kComparedCandidates = 16;

  /// Sets the vectors of all wires. Units are wires of forms, chosen at random.
  void choose_basis(std::span<const FormBlock<kWords>> blocks) {
    std::vector<WireBits<kWords>> rows;
    for (const FormBlock<kWords>& block : blocks) {
      for (WireBits<kWords> form : block.forms) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
          if (has_wire(form, units_[i])) add_bits(form, rows[i]);
        }
        if (count_wires(form) == 0) continue;
        const std::uint32_t unit = random_wire(form);
        for (WireBits<kWords>& row : rows) {
          if (has_wire(row, unit)) add_bits(row, form);
        }
        rows.push_back(form);
        units_.push_back(unit);
      }
    }
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      for (std::uint32_t wire = 0; wire < vectors_.size(); ++wire) {
        if (has_wire(rows[i], wire)) flip_wire(vectors_[wire], i);
      }
      is_unit_[units_[i]] = true;
    }
  }
  [[nodiscard]] std::uint32_t random_wire(const WireBits<kWords>& form) {
    auto left = random_.below(static_cast<std::uint32_t>(count_wires(form)));
    std::uint32_t wire = 0;
    for (; !has_wire(form, wire) || left != 0; ++wire) left -= has_wire(form, wire) ? 1 : 0;
    return wire;
  }

  /// Makes other wires units where the vectors have fewer ones then. Returns whether any were.
  bool exchange_units() {
    bool has_exchanged = false;
    for (std::uint32_t element = 0; element < units_.size(); ++element) {
      int best = 0;
      std::uint32_t unit = units_[element];
      for (std::uint32_t wire = 0; wire < vectors_.size(); ++wire) {
        if (is_unit_[wire] || !has_wire(vectors_[wire], element)) continue;
        const int change = change_of_exchange(element, wire);
        if (change >= best) continue;
        best = change;
        unit = wire;
      }
      if (best == 0) continue;
      exchange(element, unit);
      has_exchanged = true;
    }
    return has_exchanged;
  }
  /// Returns what is added to the vectors that have an element when a wire becomes its unit.
  [[nodiscard]] WireBits<kWords> substitution(std::uint32_t element, std::uint32_t wire) const {
    WireBits<kWords> bits = vectors_[wire];
    flip_wire(bits, element);
    return bits;
  }
  [[nodiscard]] int change_of_exchange(std::uint32_t element, std::uint32_t wire) const {
    const WireBits<kWords> added = substitution(element, wire);
    int change = 0;
    for (const WireBits<kWords>& vector : vectors_) {
      if (has_wire(vector, element)) change += ones_of_sum(vector, added) - count_wires(vector);
    }
    return change;
  }
  void exchange(std::uint32_t element, std::uint32_t wire) {
    const WireBits<kWords> added = substitution(element, wire);
    for (WireBits<kWords>& vector : vectors_) {
      if (has_wire(vector, element)) add_bits(vector, added);
    }
    is_unit_[units_[element]] = false;
    is_unit_[wire] = true;
    units_[element] = wire;
  }

  [[nodiscard]] static int ones_of_sum(WireBits<kWords> one, const WireBits<kWords>& other) {
    add_bits(one, other);
    return count_wires(one);
  }
  /// Returns by how much a CNOT reduces the ones.
  [[nodiscard]] int gain(NetworkCnot cnot) const {
    const WireBits<kWords>& vector = vectors_[cnot.control];
    return count_wires(vector) - ones_of_sum(vector, vectors_[cnot.target]);
  }
  void update_most(std::uint32_t control) {
    int best = 0;
    for (const std::uint32_t target : used_) {
      if (target != control) best = std::max(best, gain({control, target}));
    }
    most_[control] = best;
  }
  /// Returns some of the CNOTs that reduce the ones most.
  [[nodiscard]] std::vector<NetworkCnot> candidates() {
    int best = 0;
    for (const std::uint32_t control : open_) best = std::max(best, most_[control]);
    std::vector<std::uint32_t> controls;
    for (const std::uint32_t control : open_) {
      if (most_[control] == best) controls.push_back(control);
    }
    keep_some(controls);
    std::vector<NetworkCnot> all;
    for (const std::uint32_t control : controls) {
      for (const std::uint32_t target : used_) {
        if (target != control && gain({control, target}) == best) all.push_back({control, target});
      }
    }
    keep_some(all);
    return all;
  }
  /// Keeps as many elements as are compared, chosen at random.
  template <typename Element>
  void keep_some(std::vector<Element>& all) {
    const std::size_t count = std::min(all.size(), kComparedCandidates);
    for (std::size_t i = 0; i < count; ++i) {
      std::swap(all[i], all[i + random_.below(static_cast<std::uint32_t>(all.size() - i))]);
    }
    all.resize(count);
  }
  [[nodiscard]] static NetworkCnot lightest(const std::vector<NetworkCnot>& cnots,
                                            MapLeft<kWords>& map) {
    NetworkCnot best = cnots.front();
    std::optional<int> least;
    for (const NetworkCnot& cnot : cnots) {
      map.append(cnot);
      const int weight = map.weight();
      map.append(cnot);
      if (least && weight >= *least) continue;
      least = weight;
      best = cnot;
    }
    return best;
  }

  FastRandom& random_;
  std::vector<WireBits<kWords>> vectors_;  ///< the vector of each wire
  std::vector<std::uint32_t> units_;       ///< the wire of each element of the basis
  std::vector<bool> is_unit_;
  std::vector<std::uint32_t> used_;  ///< wires with a nonzero vector
  std::vector<std::uint32_t> open_;  ///< those that are no units
  std::vector<int> most_;            ///< the largest gain of each open wire as a control
};

}  // namespace quartz::optimizer
