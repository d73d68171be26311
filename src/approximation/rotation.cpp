#include "quartz/approximation/rotation.hpp"

#include <fmt/format.h>

#include "approximation/exact_approximation.hpp"
#include "approximation/rotation_search.hpp"
#include "quartz/base/errors.hpp"

namespace quartz {
namespace {

/// Returns the gates of rz(angle) for a multiple of pi/4, which are powers of t.
RotationApproximation exact_rotation(const Angle& angle) {
  const Rational reduced = angle.reduced_modulo(2).pi_part();
  const auto eighths = 4 * reduced.numerator() / reduced.denominator();
  RotationApproximation result;
  if (eighths % 2 != 0) result.gates.push_back(GateKind::t);
  switch (eighths / 2) {
    case 1:
      result.gates.push_back(GateKind::s);
      break;
    case 2:
      result.gates.push_back(GateKind::z);
      break;
    case 3:
      result.gates.push_back(GateKind::sdg);
      break;
    default:
      break;
  }
  result.t_count = eighths % 2 != 0 ? 1 : 0;
  // rz(a) = e^{-i a/2} p(a), also where a was not reduced.
  result.phase = Angle::pi_times(angle.reduced_modulo(4).pi_part() * Rational(-1, 2));
  return result;
}

}  // namespace

bool is_clifford_t_rotation(const Angle& angle) {
  return angle.is_pi_multiple() && 4 % angle.pi_part().denominator() == 0;
}

RotationApproximation approximate_rotation(const Angle& angle, double epsilon) {
  if (!angle.is_constant()) {
    throw UsageError(
        fmt::format("rz({}) has free parameters and cannot be approximated", angle.to_string()));
  }
  const bool is_exact = is_clifford_t_rotation(angle);
  if (!(epsilon <= 1 && epsilon >= (is_exact ? 0 : kSmallestRotationEpsilon))) {
    throw UsageError(
        fmt::format("the distance of an approximated rotation must be in [{}, 1], not {}",
                    kSmallestRotationEpsilon, epsilon));
  }
  if (is_exact) return exact_rotation(angle);
  return approximation::word_of(approximation::search_rotation(angle, epsilon));
}

}  // namespace quartz
