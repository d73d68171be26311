#include "optimize/numeric_angle.hpp"

#include <cmath>
#include <numbers>

#include "quartz/errors.hpp"

namespace quartz {

Angle nearest_angle(double radians) {
  ensure(std::isfinite(radians), "a numeric angle is finite");
  constexpr std::int64_t kParts = 192;
  constexpr double kPart = std::numbers::pi / static_cast<double>(kParts);
  double reduced = std::remainder(radians, 2 * std::numbers::pi);
  const std::int64_t parts = std::llround(reduced / kPart);
  if (std::abs(reduced - static_cast<double>(parts) * kPart) <= kNumericTolerance) {
    return Angle::pi_times(Rational(parts == -kParts ? kParts : parts, kParts));
  }
  // 10^16 * pi is below 2^63, and so are the sums of hundreds of such numerators.
  constexpr std::int64_t kUnits = 10'000'000'000'000'000;
  return Angle::radians(Rational(std::llround(reduced * static_cast<double>(kUnits)), kUnits));
}

bool is_eighth_turns(const Angle& angle) {
  return angle.is_pi_multiple() && (angle.pi_part() * Rational(4)).is_integer();
}

}  // namespace quartz
