#pragma once

#include <string>

namespace quartz {

/// Returns an upper bound in two significant digits: the least such number that is not below the
/// bound, so that what is said of a distance is true as printed. Infinity and values that are not a
/// number are printed as such.
[[nodiscard]] std::string upper_bound_text(double bound);
/// Returns a lower bound in two significant digits: the greatest such number that is not above the
/// bound.
[[nodiscard]] std::string lower_bound_text(double bound);

}  // namespace quartz
