#pragma once

#include <array>
#include <functional>
#include <vector>

#include "approximation/fixed_point.hpp"
#include "approximation/rings/cyclotomic_integer.hpp"

namespace quartz::approximation {

/// The elements u of Z[w] (step 0) or of (1 + w) Z[w] (step 1), with u / sqrt(2)^k in the segment
/// of the unit disc that a chord cuts off around a point z of the unit circle, and with the
/// conjugate (w -> -w) of u / sqrt(2)^k in the unit disc: the two-dimensional grid problem of Ross
/// and Selinger (arXiv 1403.2975), for all k.
///
/// The elements with their conjugates form a lattice in four dimensions. The segment is enclosed in
/// its smallest ellipse, which with the disc gives a norm in four dimensions. A basis that is
/// reduced for this norm does what grid operators do for a pair of ellipses. It depends on the
/// segment but not on k, so one reduction serves all k, and then the few lattice points in a ball
/// are enumerated (Fincke, Pohst, 1985). If z is close to a power of w, some 2^k epsilon of them
/// are on the tangent there, outside of the segment or with a conjugate outside of the disc: of
/// each line, only the part inside both is visited. Points near the edge of the segment may lie
/// outside of it by a rounding error: callers check each point exactly.
class GridProblem {
 public:
  /// `z` has `bits` bits, of which 4 log2(1 / epsilon) + 100 are needed; the height of the segment
  /// is epsilon^2 / 2.
  GridProblem(const CirclePoint& z, double epsilon, unsigned step, unsigned bits);

  /// Calls `visit` with every point for this k, in an order that depends on the arguments only,
  /// until it returns true. Returns whether it did.
  bool any_of(unsigned k, const std::function<bool(const CyclotomicInteger&)>& visit) const;

 private:
  static constexpr unsigned kDimension = 4;

  /// A vector of the basis.
  struct BasisVector {
    CyclotomicInteger element;  ///< an element of Z[w], to be multiplied by (1 + w)^step
    std::array<Integer, kDimension> coordinates;  ///< along z, across z, and those of the conjugate
    /// Coordinate, in this basis, of the point z with the conjugate 0; after the reduction, of the
    /// center of the ellipse.
    Integer center;
  };
  using Vector = std::array<double, kDimension>;
  using Basis = std::array<Vector, kDimension>;

  void set_standard_basis(const CirclePoint& z, unsigned step);
  void reduce(double epsilon);
  void subtract_multiple(unsigned target, unsigned source, double factor, Basis& scaled);
  [[nodiscard]] Basis scaled_basis(double epsilon) const;
  [[nodiscard]] bool may_be_inside(const Vector& coordinates, double radius) const;
  /// A range of multiples of a vector.
  struct Range {
    double least;
    double most;
  };
  [[nodiscard]] static Range multiples_below_zero(double square, double linear, double constant);
  /// Returns the multiples of the first vector of the basis that lead from a point into the segment
  /// and its conjugate into the disc, and none beside them by more than rounding errors.
  [[nodiscard]] Range multiples_inside(const Vector& coordinates, double radius) const;

  unsigned bits_;
  unsigned step_;
  Integer root_two_;
  std::array<BasisVector, kDimension> basis_;
  /// The basis in coordinates in which the ellipse and the disc are unit discs.
  Basis scaled_{};
  /// The height of the segment.
  double height_;
  /// The Gram-Schmidt coefficients of the scaled basis, and squares of the lengths.
  std::array<Vector, kDimension> coefficients_{};
  Vector squares_{};
};

}  // namespace quartz::approximation
