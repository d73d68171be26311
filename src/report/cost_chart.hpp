#pragma once

#include <span>
#include <string>
#include <string_view>

#include "quartz/report/html_report.hpp"

namespace quartz::report {

/// Returns an SVG element with the value of one objective against time, as steps. The times of the
/// points ascend, and the last value is held until `end`, in seconds.
[[nodiscard]] std::string cost_chart(std::string_view objective, std::size_t index,
                                     std::span<const CostAtTime> points, double end);

}  // namespace quartz::report
