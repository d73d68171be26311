#pragma once

#include <string>

#include "quartz/algebra/angle.hpp"

namespace quartz::qasm {

/// Appends the angle as an expression that reads back as exactly the same Angle: multiples of pi
/// and of free parameters as fractions, numbers as decimals where they are finite and short enough,
/// else as fractions.
void append_angle(std::string& text, const Angle& angle);

}  // namespace quartz::qasm
