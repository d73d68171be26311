#pragma once

#include <cmath>

namespace quartz::target {

/// The weight of a gate that always fails. Its logarithm would be infinite, but sums must stay
/// finite. This value is greater than the weight of any smaller rate (at most -ln(2^-53) = 36.7),
/// and small enough in units to leave enough digits for small rates.
inline constexpr double kWeightOfErrorRateOne = 37;

/// Returns minus the logarithm of the fidelity for an error rate from 0 to 1: the fidelities of
/// gates multiply, so their weights add up.
[[nodiscard]] inline double weight_of_error_rate(double rate) {
  if (rate == 1) return kWeightOfErrorRateOne;
  return -std::log1p(-rate) + 0.0;  // + 0.0 turns minus zero into zero
}

}  // namespace quartz::target
