#pragma once

namespace quartz::optimizer {

/// Smaller differences between costs are rounding errors of sums, not gains.
inline constexpr double kMinGain = 1e-9;

}  // namespace quartz::optimizer
