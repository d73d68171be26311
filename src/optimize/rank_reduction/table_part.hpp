#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "optimize/rank_reduction/point_table.hpp"

namespace quartz::optimizer {

/// The points of a table in an affine subspace, in coordinates of that subspace. The table keeps
/// its cubic form if the part is replaced by one with the same sum of cubes.
template <std::size_t Words>
class TablePart {
 public:
  using Parity = PackedParity<Words>;

  /// Chooses a subspace of some dimension at random, with many points: it begins at a point of the
  /// table and grows by one direction after the other. Directions that bring many points are likely
  /// to be chosen.
  TablePart(const PointTable<Words>& table, std::size_t dimension, FastRandom& random)
      : origin_(table[random.below(static_cast<std::uint32_t>(table.size()))]) {
    std::vector<Parity> rest;  // the points modulo the subspace
    for (const Parity& point : table) rest.push_back(point ^ origin_);
    while (basis_.size() < dimension && grow(rest, random)) {
    }
    for (std::size_t i = 0; i < table.size(); ++i) {
      if (rest[i].none()) {
        points_.push_back(in_coordinates(table[i]));
      } else {
        others_.push_back(table[i]);
      }
    }
    normalize(points_);
  }

  [[nodiscard]] std::size_t dimension() const { return basis_.size(); }
  /// Returns the points in coordinates, with a last coordinate that is 1.
  [[nodiscard]] const PointTable<Words>& points() const { return points_; }
  [[nodiscard]] const PointTable<Words>& others() const { return others_; }

  /// Returns the table with other points in the subspace.
  [[nodiscard]] PointTable<Words> table_with(const PointTable<Words>& points) const {
    PointTable<Words> table = others_;
    for (const Parity& coordinates : points) {
      Parity& point = table.emplace_back(origin_);
      for (std::size_t i = 0; i < basis_.size(); ++i) {
        if (coordinates.test(i)) point ^= basis_[i];
      }
    }
    normalize(table);
    return table;
  }

 private:
  /// Adds a direction; returns whether there was one.
  bool grow(std::vector<Parity>& rest, FastRandom& random) {
    std::vector<Parity> classes;
    for (const Parity& point : rest) {
      if (!point.none()) classes.push_back(point);
    }
    if (classes.empty()) return false;
    std::sort(classes.begin(), classes.end());
    // A class of n points is drawn with a weight of n^3.
    std::uint64_t sum = 0;
    Parity chosen;
    for (std::size_t begin = 0; begin < classes.size();) {
      std::size_t end = begin;
      while (end < classes.size() && classes[end] == classes[begin]) ++end;
      const std::uint64_t weight = (end - begin) * (end - begin) * (end - begin);
      sum += weight;
      if (random() % sum < weight) chosen = classes[begin];
      begin = end;
    }
    basis_.push_back(chosen);
    const std::size_t pivot = chosen.lowest();
    for (Parity& point : rest) {
      if (point.test(pivot)) point ^= chosen;
    }
    return true;
  }

  [[nodiscard]] Parity in_coordinates(const Parity& point) const {
    Parity left = point ^ origin_;
    Parity coordinates;
    for (std::size_t i = 0; i < basis_.size(); ++i) {
      if (!left.test(basis_[i].lowest())) continue;
      left ^= basis_[i];
      coordinates.set(i);
    }
    coordinates.set(basis_.size());
    return coordinates;
  }

  Parity origin_;
  std::vector<Parity> basis_;  ///< each without the lowest bits of those before it
  PointTable<Words> points_;
  PointTable<Words> others_;
};

}  // namespace quartz::optimizer
