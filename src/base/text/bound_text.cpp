#include "base/text/bound_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace quartz {

namespace {

/// Returns the positive bound in two digits, after adding units of its second digit until the text
/// is on the side of the bound that the sign of the step names.
std::string rounded_towards(double bound, double step) {
  std::string text = fmt::format("{:.2g}", bound);
  const double unit = std::pow(10.0, std::floor(std::log10(bound)) - 1);
  for (double value = bound; step * (std::strtod(text.c_str(), nullptr) - bound) < 0;) {
    value += step * unit;
    text = fmt::format("{:.2g}", value);
  }
  return text;
}

}  // namespace

std::string upper_bound_text(double bound) {
  return std::isfinite(bound) && bound > 0 ? rounded_towards(bound, 1)
                                           : fmt::format("{:.2g}", bound);
}

std::string lower_bound_text(double bound) {
  return std::isfinite(bound) && bound > 0 ? rounded_towards(bound, -1)
                                           : fmt::format("{:.2g}", bound);
}

}  // namespace quartz
