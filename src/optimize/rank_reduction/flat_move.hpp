#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/random.hpp"
#include "optimize/rank_reduction/point_table.hpp"

namespace quartz::optimizer {

/// Adds affine spaces of four dimensions to tables, where they cancel the points that are there.
/// The cubes of the points of such a space have the sum zero.
template <std::size_t Words>
class FlatMove {
 public:
  using Parity = PackedParity<Words>;

  explicit FlatMove(FastRandom& random) : random_(random) {}

  /// Adds a space in which many points of the table are. It grows by one dimension after the other,
  /// and each time by the best one of `tries` directions to other points of the table.
  void apply(PointTable<Words>& table, std::size_t tries) {
    if (table.empty()) return;
    points_.clear_for(table.size());
    for (const Parity& point : table) points_.insert(point, 0);
    std::array<Parity, 16> flat;
    flat[0] = random_point(table);
    for (std::size_t size = 1; size < flat.size(); size *= 2) {
      Parity best;
      std::size_t most = 0;
      for (std::size_t i = 0; i < (size == 1 ? 1 : tries); ++i) {
        const Parity direction = random_point(table) ^ flat[0];
        if (is_direction(flat, size, direction)) continue;
        std::size_t count = 0;
        for (std::size_t j = 0; j < size; ++j) {
          if (points_.contains(flat.at(j) ^ direction)) ++count;
        }
        if (count <= most) continue;
        most = count;
        best = direction;
      }
      if (most == 0) return;
      for (std::size_t j = 0; j < size; ++j) flat.at(size + j) = flat.at(j) ^ best;
    }
    table.insert(table.end(), flat.begin(), flat.end());
    normalize(table);
  }

 private:
  [[nodiscard]] const Parity& random_point(const PointTable<Words>& table) {
    return table[random_.below(static_cast<std::uint32_t>(table.size()))];
  }
  [[nodiscard]] static bool is_direction(const std::array<Parity, 16>& flat, std::size_t size,
                                         const Parity& vector) {
    for (std::size_t j = 0; j < size; ++j) {
      if ((flat.at(j) ^ flat[0]) == vector) return true;
    }
    return false;
  }

  FastRandom& random_;
  PointMap<Words> points_;
};

}  // namespace quartz::optimizer
