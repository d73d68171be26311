#include "report/cost_chart.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/escape_html.hpp"

namespace quartz::report {
namespace {

/// The area of the curve, in pixels.
constexpr double kLeft = 56;
constexpr double kTop = 14;
constexpr double kWidth = 350;
constexpr double kHeight = 130;

}  // namespace

std::string cost_chart(std::string_view objective, std::size_t index,
                       std::span<const CostAtTime> points, double end) {
  double most = 0;
  for (const CostAtTime& point : points) most = std::max(most, point.values.at(index));
  const double scale = most > 0 ? most : 1;
  const double duration = std::max(end, 1e-9);
  const auto x = [&](double seconds) {
    return kLeft + kWidth * std::clamp(seconds / duration, 0.0, 1.0);
  };
  const auto y = [&](double value) { return kTop + kHeight * (1 - value / scale); };
  std::string line;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double value = points[i].values.at(index);
    const double until = i + 1 < points.size() ? points[i + 1].seconds : end;
    line += fmt::format("{:.1f},{:.1f} {:.1f},{:.1f} ", x(points[i].seconds), y(value), x(until),
                        y(value));
  }
  const double last = points.empty() ? 0 : points.back().values.at(index);
  return fmt::format(
      "<svg class=\"chart\" role=\"img\" aria-label=\"{0} against time\" viewBox=\"0 0 480 170\">"
      "<path class=\"axis\" d=\"M{1} {2}V{3}H{4}\"/>"
      "<text class=\"name\" x=\"{5}\" y=\"{6}\">{7:.6g}</text>"
      "<text class=\"name\" x=\"{5}\" y=\"{3}\">0</text>"
      "<text class=\"tick\" x=\"{1}\" y=\"{8}\">0 s</text>"
      "<text class=\"tick\" x=\"{4}\" y=\"{8}\">{9} s</text>"
      "<polyline points=\"{10}\"/>"
      "<text class=\"last\" x=\"{11}\" y=\"{12:.1f}\">{13:.6g}</text></svg>\n",
      escape_html(objective), kLeft, kTop, kTop + kHeight, kLeft + kWidth, kLeft - 6, kTop + 5,
      most, kTop + kHeight + 18, fmt::format("{:.{}f}", end, end < 0.1 ? 3 : 2), line,
      kLeft + kWidth + 6, y(last) + 4, last);
}

}  // namespace quartz::report
