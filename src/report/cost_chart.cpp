#include "report/cost_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/drawing/escape_html.hpp"
#include "report/headline.hpp"

namespace quartz::report {
namespace {

/// The area of the curve, in pixels.
constexpr double kLeft = 62;
constexpr double kTop = 14;
constexpr double kWidth = 350;
constexpr double kHeight = 140;
constexpr double kTickLength = 5;

/// The scale from values to pixels; both axes begin at 0.
struct Scale {
  double most_x;
  double most_y;

  [[nodiscard]] double x(double value) const {
    return kLeft + kWidth * std::clamp(value / most_x, 0.0, 1.0);
  }
  [[nodiscard]] double y(double value) const { return kTop + kHeight * (1 - value / most_y); }
};

std::string line_of(std::size_t index, std::span<const CostAtTime> points, double end,
                    const Scale& scale) {
  std::string line;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double y = scale.y(points[i].values.at(index));
    const double until = i + 1 < points.size() ? points[i + 1].seconds : end;
    line += fmt::format("{:.1f},{:.1f} {:.1f},{:.1f} ", scale.x(points[i].seconds), y,
                        scale.x(until), y);
  }
  return line;
}

std::string axes(const Scale& scale) {
  constexpr double kBottom = kTop + kHeight;
  std::string text = fmt::format("<path class=\"axis\" d=\"M{} {}V{}H{}\"/>", kLeft, kTop, kBottom,
                                 kLeft + kWidth);
  for (const double value : ticks(scale.most_y)) {
    text += fmt::format(
        "<path class=\"grid\" d=\"M{0} {1:.1f}H{2}\"/><path class=\"axis\" d=\"M{3} {1:.1f}H{0}\"/>"
        "<text class=\"name\" x=\"{4}\" y=\"{5:.1f}\">{6}</text>",
        kLeft, scale.y(value), kLeft + kWidth, kLeft - kTickLength, kLeft - kTickLength - 4,
        scale.y(value) + 4, number_text(value));
  }
  for (const double value : ticks(scale.most_x)) {
    text += fmt::format(
        "<path class=\"axis\" d=\"M{0:.1f} {1}V{2}\"/><text class=\"tick\" x=\"{0:.1f}\" "
        "y=\"{3}\">{4} s</text>",
        scale.x(value), kBottom, kBottom + kTickLength, kBottom + kTickLength + 14,
        number_text(value));
  }
  return text;
}

}  // namespace

std::vector<double> ticks(double most) {
  constexpr double kIntervals = 5;  // at most
  const double power = std::pow(10.0, std::floor(std::log10(most / kIntervals)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (most / (factor * power) > kIntervals) continue;
    step = factor * power;
    break;
  }
  std::vector<double> values;
  constexpr double kRounding = 1e-9;
  for (int i = 0; step * i <= most * (1 + kRounding); ++i) values.push_back(step * i);
  return values;
}

std::string cost_chart(std::string_view objective, std::size_t index,
                       std::span<const CostAtTime> points, double end) {
  double most = 0;
  for (const CostAtTime& point : points) most = std::max(most, point.values.at(index));
  const Scale scale{std::max(end, 1e-3), most > 0 ? most : 1};
  const double last = points.empty() ? 0 : points.back().values.at(index);
  return fmt::format(
      "<svg class=\"chart\" role=\"img\" aria-label=\"{} against time\" viewBox=\"0 0 480 184\">"
      "{}<polyline points=\"{}\"/><text class=\"last\" x=\"{}\" y=\"{:.1f}\">{}</text></svg>\n",
      escape_html(objective), axes(scale), line_of(index, points, end, scale), kLeft + kWidth + 6,
      scale.y(last) + 4, number_text(last));
}

}  // namespace quartz::report
