#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/report/html_report.hpp"

namespace quartz::report {

/// Returns an SVG element with the value of one objective against time, as steps. The times of the
/// points ascend, and the last value is held until `end`, in seconds.
[[nodiscard]] std::string cost_chart(std::string_view objective, std::size_t index,
                                     std::span<const CostAtTime> points, double end);

/// Returns the values of the ticks of an axis from 0 to `most`, which is positive: multiples of 1,
/// 2 or 5 times a power of 10, at least 3 and at most 6.
[[nodiscard]] std::vector<double> ticks(double most);

}  // namespace quartz::report
