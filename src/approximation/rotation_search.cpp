#include "approximation/rotation_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "approximation/fixed_point.hpp"
#include "approximation/grid_problem.hpp"
#include "approximation/norm_equation.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::approximation {
namespace {

/// Bits that all real numbers need for this epsilon.
unsigned bits_for(double epsilon) {
  return static_cast<unsigned>(std::ceil(-4 * std::log2(epsilon))) + 128;
}

/// Returns a lower bound of the real part of u z^dagger / sqrt(2)^k, with twice the bits of z.
Integer lower_bound_of_overlap(const CyclotomicInteger& u, unsigned k, const CirclePoint& z,
                               const Integer& root_two, unsigned bits) {
  // Twice u is (2 c0 + (c1 - c3) sqrt(2)) + i (2 c2 + (c1 + c3) sqrt(2)).
  const RootTwoInteger real = twice_real_part(u);
  const RootTwoInteger imaginary = twice_imaginary_part(u);
  const Integer x = (real.a << bits) + real.b * root_two;
  const Integer y = (imaginary.a << bits) + imaginary.b * root_two;
  Integer overlap = x * z.cosine + y * z.sine;
  // Errors of the last bit: up to 2 in the coordinates of z, up to 2 in sqrt(2).
  const Integer one = Integer(1) << bits;
  overlap -= 2 * (abs(x) + abs(y)) + 2 * (abs(real.b) + abs(imaginary.b)) * (one + 2);
  // overlap / 2^(2 bits + 1) / sqrt(2)^k
  if (k % 2 != 0) overlap = floor_shift(overlap * (overlap > 0 ? root_two : root_two + 1), bits);
  return floor_shift(overlap, 1 + (k + 1) / 2);
}

/// One of the two kinds of unitaries over the ring: products of an even number of T gates have a
/// determinant 1, up to a phase, and those of an odd number w.
class Parity {
 public:
  Parity(const Angle& angle, double epsilon, unsigned parity)
      : parity_(parity),
        bits_(bits_for(epsilon)),
        root_two_(root_two(bits_)),
        z_(point(angle, parity, bits_)),
        grid_(z_, epsilon, parity, bits_),
        largest_defect_(scaled_to_integer(epsilon, bits_)) {
    largest_defect_ = largest_defect_ * largest_defect_ / 2;
  }

  /// Returns a unitary with `t_count` T gates, which has this parity; nullopt if none was found.
  [[nodiscard]] std::optional<ExactRotation> find(unsigned t_count) const {
    // A unitary with the upper left entry u / sqrt(2)^k has at least 2 k - 2 T gates. It has 2 k -
    // 3 if and only if 1 + w divides u, and the determinant is w.
    const unsigned k = (t_count + 2 + parity_) / 2;
    std::optional<ExactRotation> found;
    grid_.any_of(k, [&](const CyclotomicInteger& u) {
      found = complete(u, k, t_count);
      return found.has_value();
    });
    return found;
  }

 private:
  /// Returns the upper left entry of rz(angle - parity pi/4), as a point: e^{-i angle/2}.
  static CirclePoint point(const Angle& angle, unsigned parity, unsigned bits) {
    const Angle shifted = angle.reduced_modulo(4) - Angle::pi_times({parity, 4});
    CirclePoint result = half_angle_point(shifted, bits);
    result.sine = -result.sine;
    return result;
  }

  /// Returns a unitary with this upper left entry and this many T gates, if there is one.
  [[nodiscard]] std::optional<ExactRotation> complete(const CyclotomicInteger& u, unsigned k,
                                                      unsigned t_count) const {
    const Integer defect =
        (Integer(1) << (2 * bits_)) - lower_bound_of_overlap(u, k, z_, root_two_, bits_);
    if (defect > largest_defect_) return std::nullopt;
    const RootTwoInteger xi = RootTwoInteger{Integer(1) << k, 0} - absolute_square(u);
    if (!is_doubly_nonnegative(xi)) return std::nullopt;
    const std::optional<CyclotomicInteger> t = solve_norm_equation(xi);
    if (!t) return std::nullopt;
    // The other solutions differ by powers of w. Even powers add Clifford gates only.
    for (const unsigned power : {0U, 1U}) {
      const CyclotomicInteger lower = turned(*t, power);
      const CyclotomicInteger upper_right = adjoint(lower);
      ExactRotation rotation;
      rotation.unitary = {{u, turned(upper_right, 4 + parity_), lower, turned(adjoint(u), parity_)},
                          k};
      rotation.gates = normal_form(rotation.unitary);
      rotation.phase = parity_;
      rotation.distance = upper_bound_of_distance(defect);
      const auto count = std::count(rotation.gates.begin(), rotation.gates.end(), GateKind::t);
      if (static_cast<unsigned>(count) <= t_count) return rotation;
    }
    return std::nullopt;
  }

  /// Returns sqrt(2 defect), rounded up.
  [[nodiscard]] double upper_bound_of_distance(const Integer& defect) const {
    // Each of the two roundings has a relative error of at most 2^-52.
    const double distance = std::sqrt(2 * scaled_to_double(defect, 2 * bits_)) * (1 + 0x1p-50);
    return std::nextafter(distance, std::numeric_limits<double>::infinity());
  }

  unsigned parity_;
  unsigned bits_;
  Integer root_two_;
  CirclePoint z_;
  GridProblem grid_;
  /// epsilon^2 / 2, rounded down: the difference of 1 and the overlap at the distance epsilon.
  Integer largest_defect_;
};

}  // namespace

ExactRotation search_rotation(const Angle& angle, double epsilon) {
  const Parity even(angle, epsilon, 0);
  const Parity odd(angle, epsilon, 1);
  for (unsigned t_count = 0;; ++t_count) {
    std::optional<ExactRotation> found = (t_count % 2 == 0 ? even : odd).find(t_count);
    if (found) return *std::move(found);
  }
}

}  // namespace quartz::approximation
