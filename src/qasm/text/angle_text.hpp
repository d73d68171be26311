#pragma once

#include <string>
#include <string_view>

#include "quartz/algebra/angle.hpp"

namespace quartz::qasm {

/// Appends the angle as an expression that reads back as exactly the same Angle: multiples of pi
/// and of free parameters as fractions; numbers as decimals if these are finite and short enough,
/// and otherwise as fractions. Free parameters are multiplied by `factor`, a text such as "pi*".
void append_angle(std::string& text, const Angle& angle, std::string_view factor = {});

/// Returns what append_angle appends.
[[nodiscard]] std::string angle_text(const Angle& angle);

/// Appends the angle in turns, as a number or as an expression of append_angle divided by 2*pi.
/// Expression::turns_to_radians converts it back to exactly the same Angle.
void append_turns(std::string& text, const Angle& angle, std::string_view factor = {});

}  // namespace quartz::qasm
