#include "approximation/grid_problem.hpp"

#include <algorithm>
#include <cmath>

namespace quartz::approximation {
namespace {

/// The semi-axes of the smallest ellipse around a segment of the unit disc, along z and across it.
/// It touches the ends of the chord and the top of the arc, and its center is a third of the height
/// above the chord.
struct Ellipse {
  double height;
  double along;
  double across;

  explicit Ellipse(double epsilon)
      : height(epsilon * epsilon / 2),
        along(2 * height / 3),
        across(2 / std::sqrt(3.0) * std::sqrt(height * (2 - height))) {}
};

/// Two real numbers as integers of a given number of bits.
using Point = std::array<Integer, 2>;

/// Returns w^power as a point.
Point root_of_unity(unsigned power, const Integer& root_of_half, unsigned bits) {
  const Integer one = Integer(1) << bits;
  const std::array<Integer, 8> cosines{
      one,           root_of_half,           0, Integer(-root_of_half),
      Integer(-one), Integer(-root_of_half), 0, root_of_half};
  return {cosines[power % 8], cosines[(power + 6) % 8]};
}

/// Returns a times the complex conjugate of b.
Point times_conjugate(const Point& a, const Point& b, unsigned bits) {
  return {floor_shift(a[0] * b[0] + a[1] * b[1], bits),
          floor_shift(a[1] * b[0] - a[0] * b[1], bits)};
}

Point sum(const Point& a, const Point& b) { return {a[0] + b[0], a[1] + b[1]}; }

/// Gram-Schmidt orthogonalization of four vectors.
template <typename Basis>
void orthogonalize(const Basis& basis, Basis& coefficients, typename Basis::value_type& squares) {
  Basis orthogonal = basis;
  for (unsigned i = 0; i < basis.size(); ++i) {
    for (unsigned j = 0; j < i; ++j) {
      double product = 0;
      for (unsigned d = 0; d < basis.size(); ++d) product += basis[i][d] * orthogonal[j][d];
      coefficients[i][j] = product / squares[j];
      for (unsigned d = 0; d < basis.size(); ++d) {
        orthogonal[i][d] -= coefficients[i][j] * orthogonal[j][d];
      }
    }
    squares[i] = 0;
    for (const double x : orthogonal[i]) squares[i] += x * x;
  }
}

/// Fraction of Lovasz's condition.
constexpr double kLovasz = 0.99;
/// The segment is narrowed by this factor before each reduction, so that double precision is enough
/// for every one of them.
constexpr double kNarrowing = 1.0 / 16;
/// What rounding errors may add to the square of the radius of a ball, as a fraction.
constexpr double kRadiusSlack = 1e-9;
/// What rounding errors may add to the coordinates of a point in the segment and in the disc, in
/// units of the segment's height and of the radius. They are near 1e-15.
constexpr double kPointSlack = 1e-6;
/// Fewer points of a line are visited sooner than the part inside the segment is found.
constexpr double kLongLine = 8;

}  // namespace

GridProblem::GridProblem(const CirclePoint& z, double epsilon, unsigned step, unsigned bits)
    : bits_(bits), step_(step), root_two_(root_two(bits)), height_(Ellipse(epsilon).height) {
  set_standard_basis(z, step);
  for (double wide = kNarrowing; wide > epsilon; wide *= kNarrowing) reduce(wide);
  reduce(epsilon);
  scaled_ = scaled_basis(epsilon);
  orthogonalize(scaled_, coefficients_, squares_);
  // The center of the ellipse is a third of the height above the chord.
  const Integer center =
      (Integer(1) << bits) - scaled_to_integer(2 * Ellipse(epsilon).height / 3, bits);
  for (BasisVector& vector : basis_) vector.center = floor_shift(vector.center * center, bits);
}

void GridProblem::set_standard_basis(const CirclePoint& z, unsigned step) {
  const Integer root_of_half = root_two_ / 2;
  const auto root = [&](unsigned power) { return root_of_unity(power, root_of_half, bits_); };
  const Point direction{z.cosine, z.sine};
  // The point z with conjugate 0 is c0 + c1 w + c2 w^2 + c3 w^3 with c0 + c2 i = z / 2 and c1 + c3
  // i = z w^-1 / 2. It is first divided by (1 + w)^step, 1 / (1 + w) = (1 + w^-1) (1 - 1/sqrt(2)).
  Point center = direction;
  if (step == 1) {
    center = sum(center, times_conjugate(center, root(1), bits_));
    const Integer factor = (Integer(1) << bits_) - root_of_half;
    for (Integer& each : center) each = floor_shift(each * factor, bits_);
  }
  const Point turned_center = times_conjugate(center, root(1), bits_);
  for (unsigned j = 0; j < kDimension; ++j) {
    BasisVector& vector = basis_[j];
    vector.element = CyclotomicInteger{};
    vector.element.c[j] = 1;
    Point place = root(j);
    Point conjugate = root(5 * j);
    if (step == 1) {
      place = sum(place, root(j + 1));
      conjugate = sum(conjugate, root(5 * (j + 1)));
    }
    place = times_conjugate(place, direction, bits_);
    vector.coordinates = {place[0], place[1], conjugate[0], conjugate[1]};
    vector.center = floor_shift((j % 2 == 0 ? center : turned_center)[j / 2], 1);
  }
}

GridProblem::Basis GridProblem::scaled_basis(double epsilon) const {
  const Ellipse ellipse(epsilon);
  const Vector scales{1 / ellipse.along, 1 / ellipse.across, 1, 1};
  Basis scaled{};
  for (unsigned j = 0; j < kDimension; ++j) {
    for (unsigned d = 0; d < kDimension; ++d) {
      scaled[j][d] = scales[d] * scaled_to_double(basis_[j].coordinates[d], bits_);
    }
  }
  return scaled;
}

void GridProblem::subtract_multiple(unsigned target, unsigned source, double factor,
                                    Basis& scaled) {
  const Integer multiple(factor);
  for (unsigned d = 0; d < kDimension; ++d) {
    basis_[target].element.c[d] -= multiple * basis_[source].element.c[d];
    basis_[target].coordinates[d] -= multiple * basis_[source].coordinates[d];
    scaled[target][d] -= factor * scaled[source][d];
  }
  basis_[source].center += multiple * basis_[target].center;
}

/// The algorithm of Lenstra, Lenstra and Lovasz.
void GridProblem::reduce(double epsilon) {
  Basis scaled = scaled_basis(epsilon);
  Basis coefficients{};
  Vector squares{};
  for (unsigned k = 1; k < kDimension;) {
    for (unsigned j = k; j-- > 0;) {
      orthogonalize(scaled, coefficients, squares);
      const double factor = std::round(coefficients[k][j]);
      if (factor != 0) subtract_multiple(k, j, factor, scaled);
    }
    orthogonalize(scaled, coefficients, squares);
    const double coefficient = coefficients[k][k - 1];
    if (squares[k] >= (kLovasz - coefficient * coefficient) * squares[k - 1]) {
      ++k;
      continue;
    }
    std::swap(basis_[k], basis_[k - 1]);
    std::swap(scaled[k], scaled[k - 1]);
    k = std::max(k - 1, 1U);
  }
}

/// Returns the t with square t^2 + 2 linear t + constant <= 0, and none beside them by more than
/// rounding errors.
GridProblem::Range GridProblem::multiples_below_zero(double square, double linear,
                                                     double constant) {
  const double discriminant = linear * linear - square * constant;
  if (discriminant < 0) return {0, -1};
  const double half_length = std::sqrt(discriminant) / square * (1 + kPointSlack) + kPointSlack;
  return {-linear / square - half_length, -linear / square + half_length};
}

/// Returns whether a point may be in the segment, and its conjugate in the disc of this radius. The
/// coordinates are scaled and begin at the center of the ellipse.
bool GridProblem::may_be_inside(const Vector& coordinates, double radius) const {
  const Ellipse ellipse(std::sqrt(2 * height_));
  const double below_top = 2 * height_ / 3 - ellipse.along * coordinates[0] / radius;
  const double across = ellipse.across * coordinates[1] / radius;
  const double slack = kPointSlack * height_;
  const double conjugate = coordinates[2] * coordinates[2] + coordinates[3] * coordinates[3];
  return below_top <= height_ + slack && across * across <= below_top * (2 - below_top) + slack &&
         conjugate <= radius * radius * (1 + kPointSlack);
}

GridProblem::Range GridProblem::multiples_inside(const Vector& coordinates, double radius) const {
  const Ellipse ellipse(std::sqrt(2 * height_));
  // In the plane, with the top of the segment as the origin and z as the first axis.
  const double x = ellipse.along * coordinates[0] / radius - 2 * height_ / 3;
  const double y = ellipse.across * coordinates[1] / radius;
  const double step_x = ellipse.along * scaled_[0][0] / radius;
  const double step_y = ellipse.across * scaled_[0][1] / radius;
  const Range in_disc =
      multiples_below_zero(step_x * step_x + step_y * step_y, step_x * (1 + x) + step_y * y,
                           2 * x + x * x + y * y - kPointSlack * height_);
  const double conjugate_x = coordinates[2];
  const double conjugate_y = coordinates[3];
  const double conjugate_step_x = scaled_[0][2];
  const double conjugate_step_y = scaled_[0][3];
  const Range of_conjugate = multiples_below_zero(
      conjugate_step_x * conjugate_step_x + conjugate_step_y * conjugate_step_y,
      conjugate_step_x * conjugate_x + conjugate_step_y * conjugate_y,
      conjugate_x * conjugate_x + conjugate_y * conjugate_y - radius * radius * (1 + kPointSlack));
  Range result{std::max(in_disc.least, of_conjugate.least),
               std::min(in_disc.most, of_conjugate.most)};
  // Above the chord, x + t step_x is at least -height.
  if (step_x != 0) {
    const double at_chord = -(height_ * (1 + kPointSlack) + x) / step_x;
    const double slack = kPointSlack * (1 + std::abs(at_chord));
    if (step_x > 0) {
      result.least = std::max(result.least, at_chord - slack);
    } else {
      result.most = std::min(result.most, at_chord + slack);
    }
  }
  return result;
}

bool GridProblem::any_of(unsigned k,
                         const std::function<bool(const CyclotomicInteger&)>& visit) const {
  // In the basis, the center of the ball has the coordinates whole + fraction.
  std::array<Integer, kDimension> whole;
  Vector fraction{};
  for (unsigned j = 0; j < kDimension; ++j) {
    Integer coordinate = basis_[j].center << (k / 2);
    if (k % 2 != 0) coordinate = floor_shift(coordinate * root_two_, bits_);
    whole[j] = floor_shift(coordinate, bits_);
    fraction[j] = scaled_to_double(coordinate - (whole[j] << bits_), bits_);
  }
  const double radius = 2 * std::ldexp(1.0, static_cast<int>(k)) * (1 + kRadiusSlack);
  const double disc_radius = std::sqrt(std::ldexp(1.0, static_cast<int>(k)));
  Vector offsets{};  // integers
  const auto coordinates = [&] {
    Vector sum{};
    for (unsigned j = 0; j < kDimension; ++j) {
      for (unsigned d = 0; d < kDimension; ++d)
        sum[d] += (offsets[j] - fraction[j]) * scaled_[j][d];
    }
    return sum;
  };
  const std::function<bool(unsigned, double)> enumerate = [&](unsigned level, double left) -> bool {
    if (level == 0) {
      if (!may_be_inside(coordinates(), disc_radius)) return false;
      CyclotomicInteger point;
      for (unsigned j = 0; j < kDimension; ++j) {
        const Integer multiple = whole[j] + static_cast<long long>(offsets[j]);
        for (unsigned d = 0; d < kDimension; ++d) {
          point.c[d] += multiple * basis_[j].element.c[d];
        }
      }
      return visit(step_ == 0 ? point : point * one_plus_omega());
    }
    const unsigned i = level - 1;
    double middle = fraction[i];
    for (unsigned j = level; j < kDimension; ++j) {
      middle -= coefficients_[j][i] * (offsets[j] - fraction[j]);
    }
    const double reach = std::sqrt(left / squares_[i]);
    Range range{middle - reach, middle + reach};
    if (i == 0 && 2 * reach > kLongLine) {
      offsets[i] = 0;
      const Range inside = multiples_inside(coordinates(), disc_radius);
      range = {std::max(range.least, inside.least), std::min(range.most, inside.most)};
    }
    for (double x = std::ceil(range.least); x <= range.most; ++x) {
      offsets[i] = x;
      const double distance = x - middle;
      if (enumerate(i, std::max(0.0, left - distance * distance * squares_[i]))) return true;
    }
    return false;
  };
  return enumerate(kDimension, radius);
}

}  // namespace quartz::approximation
