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

/// An integer vector, and its image under a linear map.
template <typename Coordinate, typename Real>
struct LatticePoint {
  std::array<Coordinate, kLatticeSize> coordinates{};
  std::array<Real, kLatticeSize> image{};

  void add(const Coordinate& factor, const LatticePoint& other);
};

/// A basis of a lattice, which can be reduced (Lenstra, Lenstra, Lovasz 1982). What is orthogonal
/// is computed in the type Near, since it needs less precision than images: these are differences
/// of large numbers.
template <typename Coordinate, typename Real, typename Near>
class LatticeBasis {
 public:
  struct Row {
    LatticePoint<Coordinate, Real> point;
    std::array<Near, kLatticeSize> rounded{};     ///< the image
    std::array<Near, kLatticeSize> orthogonal{};  ///< its part that is orthogonal to those before
    std::array<Near, kLatticeSize> mu{};  ///< the orthogonal parts of the rows before, in the image
    Near square{};                        ///< squared length of the orthogonal part
  };

  /// The points are linearly independent.
  explicit LatticeBasis(const std::array<LatticePoint<Coordinate, Real>, kLatticeSize>& points);

  [[nodiscard]] const std::array<Row, kLatticeSize>& rows() const { return rows_; }

  /// Subtracts multiples of the rows from a point, so that its coefficients are small.
  void subtract_from(LatticePoint<Coordinate, Real>& point) const;

  /// Returns the coefficient of the orthogonal part of a row in an image.
  [[nodiscard]] Near coefficient(const std::array<Real, kLatticeSize>& image,
                                 std::size_t row) const;

 private:
  /// Makes the orthogonal part of a row from those before it.
  void orthogonalize(std::size_t row);
  /// Subtracts multiples of the rows before, so that no coefficient exceeds 1/2.
  void reduce_size(std::size_t row);
  void reduce();

  std::array<Row, kLatticeSize> rows_;
};

/// A lattice of eight dimensions in double precision, as seen from a center. Its basis is reduced,
/// so that the points close to the center are found quickly (Fincke, Pohst 1985).
class LatticeView {
 public:
  using Coordinates = std::array<std::int64_t, kLatticeSize>;
  using Point = LatticePoint<std::int64_t, double>;
  using Points = std::array<Point, kLatticeSize>;

  /// `center` is the center less any point of the lattice: the coordinates are those of minus the
  /// point.
  LatticeView(const Points& basis, const Point& center);

  /// Visits the points whose image has at most this distance from the center, up to relative
  /// rounding errors of 1e-6, until `visit` returns false or `nodes_left` nodes of the search
  /// tree, points included, have been seen, by which it is lessened. Returns whether all were
  /// visited.
  bool visit(double distance, std::uint64_t& nodes_left,
             const std::function<bool(const Coordinates&)>& visit) const;

  [[nodiscard]] Points basis() const;
  /// Returns the center less a point of the lattice close to it.
  [[nodiscard]] const Point& center() const { return center_; }

 private:
  LatticeBasis<std::int64_t, double, double> basis_;
  Point center_;
};

/// Keeps the points of a lattice whose `parities` are 0: bits, each of which is the parity of a sum
/// of coordinates. `basis` becomes one of these points, and `center` the center less one of them.
void keep_even(LatticeView::Points& basis, LatticeView::Point& center,
               const std::function<unsigned(const LatticeView::Coordinates&)>& parities);

/// The lattice of all integer vectors of eight dimensions, seen through a linear map.
class ReducedLattice {
 public:
  using Point = std::array<QuadFloat, kLatticeSize>;

  /// `images` are the images of the unit vectors, which are linearly independent.
  explicit ReducedLattice(const std::array<Point, kLatticeSize>& images);

  /// Returns how many points of the lattice have at most this distance from a point, in the mean
  /// over all points.
  [[nodiscard]] double expected_points(double distance) const;

  /// The coordinates of the points close to the center must fit 62 bits.
  [[nodiscard]] LatticeView view_from(const Point& center) const;

 private:
  LatticeBasis<Integer, QuadFloat, long double> basis_;
};

}  // namespace quartz::approximation
