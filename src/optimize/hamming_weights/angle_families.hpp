#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "quartz/algebra/angle.hpp"

namespace quartz::optimizer {

/// An angle as +-2^doublings base + eighths pi/4.
struct FamilyAngle {
  std::size_t family = 0;
  std::size_t doublings = 0;
  bool is_negative = false;
  unsigned eighths = 0;  ///< modulo 8, up to a global phase of rotations
};

/// Angles that are multiples of base angles by powers of 2, up to signs and multiples of pi/4.
struct AngleFamilies {
  std::vector<Angle> bases;
  /// One for each angle; nothing for multiples of pi/4, and for angles that cannot be compared
  /// exactly.
  std::vector<std::optional<FamilyAngle>> angles;
};

[[nodiscard]] AngleFamilies angle_families(std::span<const Angle> angles);

/// Returns 2^doublings angle. Throws OverflowError.
[[nodiscard]] Angle doubled(const Angle& angle, std::size_t doublings);

}  // namespace quartz::optimizer
