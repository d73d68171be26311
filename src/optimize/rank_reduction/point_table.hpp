#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "optimize/rank_reduction/packed_parity.hpp"

namespace quartz::optimizer {

/// Different points of an affine space, sorted, an even number of them: each parity p as the point
/// (p, 1), and the origin (0, 1) if that makes the number even.
///
/// The sum of the cubes of the points contains the cubic form of the parities, and the parity of
/// their number. The origin is no rotation, so that it may enter and leave the table.
template <std::size_t Words>
using PointTable = std::vector<PackedParity<Words>>;

/// Sorts the points, and removes equal ones in pairs.
template <std::size_t Words>
void normalize(PointTable<Words>& table) {
  std::sort(table.begin(), table.end());
  std::size_t left = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (left > 0 && table[left - 1] == table[i]) {
      --left;
    } else {
      table[left++] = table[i];
    }
  }
  table.resize(left);
}

/// The space of the points of tables with the same cubic form.
template <std::size_t Words>
class PointSpace {
 public:
  using Parity = PackedParity<Words>;

  /// Creates the space for tables of parities of some dimension with the cubic form of a given one.
  PointSpace(std::size_t dimension, std::span<const Parity> parities) : dimension_(dimension + 1) {
    origin_.set(dimension);
    std::vector<Parity> rows(dimension);  // the rows of the sum of the squares
    for (const Parity& parity : parities) {
      for_each_bit(parity, [&](std::size_t i) { rows[i] ^= parity; });
    }
    is_pure_ = std::ranges::all_of(rows, &Parity::none);
  }

  /// Creates the space for parts of tables, in which the origin is a point like all others.
  [[nodiscard]] static PointSpace of_parts(std::size_t dimension) {
    return PointSpace(dimension, std::span<const Parity>());
  }

  /// Returns the dimension of the points, one more than that of the parities.
  [[nodiscard]] std::size_t dimension() const { return dimension_; }
  [[nodiscard]] const Parity& origin() const { return origin_; }
  /// Returns whether the squares of the parities have the sum zero, as those of products do. All
  /// points of a table may then be shifted by any vector, so that one of them may be the origin.
  [[nodiscard]] bool is_pure() const { return is_pure_; }

  /// Returns the number of parities that a table stands for.
  [[nodiscard]] std::size_t size_of(const PointTable<Words>& table) const {
    if (table.empty()) return 0;
    if (is_pure_) return table.size() - 1;
    return table.size() - (std::binary_search(table.begin(), table.end(), origin_) ? 1 : 0);
  }

  [[nodiscard]] PointTable<Words> table_of(std::span<const Parity> parities) const {
    PointTable<Words> table;
    for (const Parity& parity : parities) table.push_back(parity ^ origin_);
    if (table.size() % 2 != 0) table.push_back(origin_);
    normalize(table);
    return table;
  }
  [[nodiscard]] std::vector<Parity> parities_of(PointTable<Words> table) const {
    if (table.empty()) return {};
    const Parity shift = is_pure_ ? table[0] : origin_;
    std::vector<Parity> parities;
    for (const Parity& point : table) {
      if (point != shift) parities.push_back(point ^ shift);
    }
    return parities;
  }

 private:
  std::size_t dimension_;
  Parity origin_;
  bool is_pure_ = false;
};

[[nodiscard]] constexpr std::uint64_t mixed_word(std::uint64_t word) {
  word *= 0x9e3779b97f4a7c15ULL;
  return word ^ word >> 32U;
}

template <std::size_t Words>
[[nodiscard]] std::uint64_t hash_of(const PackedParity<Words>& parity) {
  std::uint64_t hash = 0;
  for (const std::uint64_t word : parity.words) hash = mixed_word(hash ^ word);
  return hash;
}

/// A hash table from points or vectors to numbers.
template <std::size_t Words>
class PointMap {
 public:
  using Parity = PackedParity<Words>;

  /// Removes everything, and makes room for a number of points.
  void clear_for(std::size_t capacity) {
    std::size_t slots = 64;
    while (slots < 2 * capacity + 2) slots *= 2;
    slots_.assign(slots, {});
  }
  /// Returns the number of a point and whether it is new: the given one if it is.
  std::pair<std::uint32_t, bool> insert(const Parity& point, std::uint32_t number) {
    Slot& slot = slots_[place_of(point)];
    if (slot.number != kNone) return {slot.number, false};
    slot = {point, number};
    return {number, true};
  }
  [[nodiscard]] bool contains(const Parity& point) const {
    return slots_[place_of(point)].number != kNone;
  }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  struct Slot {
    Parity point;
    std::uint32_t number = kNone;
  };
  [[nodiscard]] std::size_t place_of(const Parity& point) const {
    std::size_t place = hash_of(point) & (slots_.size() - 1);
    while (slots_[place].number != kNone && slots_[place].point != point) {
      place = (place + 1) & (slots_.size() - 1);
    }
    return place;
  }

  std::vector<Slot> slots_;
};

}  // namespace quartz::optimizer
