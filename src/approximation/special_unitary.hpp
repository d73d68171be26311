#pragma once

#include <cstdint>

#include "approximation/fixed_point.hpp"
#include "quartz/algebra/angle.hpp"

namespace quartz::approximation {

/// The first column of an element of SU(2), which has the second column (-b^dagger, a^dagger).
struct SpecialUnitary {
  /// In fixed point, with this number of bits (fixed_point.hpp).
  CirclePoint a;  ///< real and imaginary part of the upper entry
  CirclePoint b;
  unsigned bits = 0;
  /// Largest error of the column, as a vector of four coordinates, in units of the last bit.
  std::uint64_t error = 0;
};

[[nodiscard]] SpecialUnitary identity(unsigned bits);

/// The following functions multiply an element from the left, as a gate does that is applied after
/// it.

/// By rz(angle). The angle is constant.
void apply_rz(const Angle& angle, SpecialUnitary& unitary);
/// By a rotation about Z, of which this is the point of half of the angle.
void apply_turn(const CirclePoint& turn, SpecialUnitary& unitary);
/// By -i H, and by its inverse.
void apply_h(SpecialUnitary& unitary);
void apply_inverse_h(SpecialUnitary& unitary);
/// By -i X.
void apply_x(SpecialUnitary& unitary);

/// Multiplies the column by a phase, with which it is one of a unitary of another determinant.
void multiply_by_phase(const CirclePoint& phase, SpecialUnitary& unitary);

}  // namespace quartz::approximation
