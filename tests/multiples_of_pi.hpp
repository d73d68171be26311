#pragma once

#include <cstdint>

#include "quartz/algebra/angle.hpp"

namespace quartz::test {

/// Returns the angle `numerator` / `denominator` times pi.
inline Angle pi(std::int64_t numerator, std::int64_t denominator = 1) {
  return Angle::pi_times(Rational(numerator, denominator));
}

}  // namespace quartz::test
