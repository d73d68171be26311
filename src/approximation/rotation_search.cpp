#include "approximation/rotation_search.hpp"

#include "approximation/fixed_point.hpp"
#include "approximation/grid_problem.hpp"
#include "approximation/rings/norm_equation.hpp"

namespace quartz::approximation {
namespace {

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
        largest_defect_(defect_of(epsilon, bits_)) {}

  /// Returns a unitary with `t_count` T gates, which has this parity; nullopt if none was found.
  [[nodiscard]] std::optional<ExactApproximation> find(unsigned t_count) const {
    // A unitary with the upper left entry u / sqrt(2)^k has at least 2 k - 2 T gates. It has 2 k -
    // 3 if and only if 1 + w divides u, and the determinant is w.
    const unsigned k = (t_count + 2 + parity_) / 2;
    std::optional<ExactApproximation> found;
    grid_.any_of(k, [&](const CyclotomicInteger& u) {
      found = complete(u, k, t_count);
      return found.has_value();
    });
    return found;
  }

 private:
  /// Returns the upper left entry of rz(angle - parity pi/4), as a point: e^{-i angle/2}.
  static CirclePoint point(const Angle& angle, unsigned parity, unsigned bits) {
    CirclePoint result = half_angle_point(angle, bits, -Rational(parity, 4));
    result.sine = -result.sine;
    return result;
  }

  /// Returns a unitary with this upper left entry and this many T gates, if there is one.
  [[nodiscard]] std::optional<ExactApproximation> complete(const CyclotomicInteger& u, unsigned k,
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
      ExactApproximation rotation;
      rotation.unitary = {{u, turned(upper_right, 4 + parity_), lower, turned(adjoint(u), parity_)},
                          k};
      rotation.gates = normal_form(rotation.unitary);
      rotation.phase = parity_;
      rotation.distance = distance_of(defect, bits_);
      if (approximation::t_count(rotation.gates) <= t_count) return rotation;
    }
    return std::nullopt;
  }

  unsigned parity_;
  unsigned bits_;
  Integer root_two_;
  CirclePoint z_;
  GridProblem grid_;
  Integer largest_defect_;
};

}  // namespace

ExactApproximation search_rotation(const Angle& angle, double epsilon) {
  const Parity even(angle, epsilon, 0);
  const Parity odd(angle, epsilon, 1);
  for (unsigned t_count = 0;; ++t_count) {
    std::optional<ExactApproximation> found = (t_count % 2 == 0 ? even : odd).find(t_count);
    if (found) return *std::move(found);
  }
}

}  // namespace quartz::approximation
