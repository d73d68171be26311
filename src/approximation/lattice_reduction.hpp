#pragma once

#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cstdint>
#include <functional>

#include "approximation/rings/integer.hpp"

namespace quartz::approximation {

/// A real number with 113 bits.
using QuadFloat =
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float_quad::backend_type,
                                  boost::multiprecision::et_off>;

/// The dimensions of the lattices of this file.
inline constexpr std::size_t kLatticeSize = 8;

/// A lattice of eight dimensions that contains the integer vectors, seen through a linear map. Its
/// basis is reduced (Lenstra, Lenstra, Lovasz 1982), so that the points close to another one are
/// found quickly (Fincke, Pohst 1985).
class ReducedLattice {
 public:
  using Point = std::array<QuadFloat, kLatticeSize>;
  using Coordinates = std::array<std::int64_t, kLatticeSize>;

  /// `images` are the images of the unit vectors, which are linearly independent.
  explicit ReducedLattice(const std::array<Point, kLatticeSize>& images);

  /// Returns how many points of the lattice have at most this distance from a point, in the mean
  /// over all points.
  [[nodiscard]] double expected_points(double distance) const;

  /// Visits the integer vectors whose image has at most this distance from a point, up to relative
  /// rounding errors of 1e-6, until `visit` returns false or `most` nodes of the search tree have
  /// been seen. Returns whether all were visited. The coordinates must fit 62 bits.
  bool visit_close(const Point& center, double distance, std::uint64_t most,
                   const std::function<bool(const Coordinates&)>& visit) const;

 private:
  /// A point with 64 bits, which suffice for all but images: these are differences of large
  /// numbers.
  using NearPoint = std::array<long double, kLatticeSize>;

  /// A vector of the basis.
  struct Row {
    std::array<Integer, kLatticeSize> coordinates;
    Point image;
    NearPoint rounded{};     ///< the image
    NearPoint orthogonal{};  ///< the part of the image that is orthogonal to those before
    long double square = 0;  ///< squared length of the orthogonal part
    NearPoint mu{};          ///< the orthogonal parts of the rows before, in the image
  };

  /// Returns the coefficient of the orthogonal part of a row in a point.
  [[nodiscard]] long double coefficient(const Point& point, std::size_t row) const;
  /// Makes the orthogonal part of a row from those before it.
  void orthogonalize(std::size_t row);
  /// Subtracts multiples of the rows before, so that no coefficient exceeds 1/2.
  void reduce_size(std::size_t row);
  void reduce();

  std::array<Row, kLatticeSize> rows_;
};

}  // namespace quartz::approximation
