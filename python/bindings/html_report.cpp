#include "quartz/report/html_report.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "python/bindings/bindings.hpp"
#include "python/bindings/gil_release.hpp"

namespace quartz::python {
namespace {

/// Times in seconds, each with the value of each objective.
using History = std::vector<std::pair<double, std::vector<double>>>;

std::string html_of(const Circuit& before, const Circuit& after, const std::string& statistics,
                    const History& history, const std::string& name, const std::string& call) {
  std::vector<CostAtTime> points;
  for (const auto& [seconds, values] : history) points.push_back({seconds, values});
  const HtmlReport report{.before = before,
                          .after = after,
                          .statistics = statistics,
                          .history = points,
                          .circuit_name = name,
                          .command = call};
  return call.empty() ? html_summary(report) : html_report(report);
}

}  // namespace

void bind_html_report(nb::module_& module) {
  module.def("_html_report", &html_of, nb::arg("before"), nb::arg("after"), nb::arg("statistics"),
             nb::arg("history"), nb::arg("name"), nb::arg("call"), nb::call_guard<GilRelease>(),
             "Returns the report, or the element for notebooks if ``call`` is empty.");
  module.def("_html_drawing", &html_drawing, nb::arg("circuit"), nb::call_guard<GilRelease>());
}

}  // namespace quartz::python
