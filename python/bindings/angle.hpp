#pragma once

#include <nanobind/nanobind.h>

#include <map>
#include <string>
#include <vector>

#include "quartz/algebra/angle.hpp"

namespace quartz::python {

/// The type of what angle_from takes, for signatures.
inline constexpr const char* kAngleType = "float | str | Angle";

/// Returns an angle from an Angle, an expression of OpenQASM such as "pi/4", or a number in radians
/// (angle_from_double). Throws TypeError for anything else, and InputError for a bad expression.
[[nodiscard]] Angle angle_from(nanobind::handle value);

/// Returns values of free parameters with those of the expressions that some of the symbols stand
/// for. Throws UsageError for an expression without a real value.
[[nodiscard]] std::map<std::string, double> with_expressions(
    const std::vector<std::string>& symbols, const std::map<std::string, double>& bindings);

}  // namespace quartz::python
