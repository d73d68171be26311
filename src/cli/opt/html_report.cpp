#include "cli/opt/html_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "cli/output/circuit_drawing.hpp"
#include "cli/output/html.hpp"

namespace quartz::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Circuits with more operations are folded.
constexpr std::size_t kMaxUnfolded = 60;
/// Rewrites beyond these are left to --stats.
constexpr std::size_t kMaxRewrites = 30;

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: .5rem 0; }
th, td { padding: .2rem .8rem; text-align: right; border-bottom: 1px solid #8886; }
th:first-child, td:first-child { text-align: left; }
td { font-variant-numeric: tabular-nums; }
.drawing { overflow-x: auto; border: 1px solid #8886; margin: .5rem 0; }
pre { overflow-x: auto; padding: .6rem; border: 1px solid #8886; }
svg { font: 12px ui-monospace, monospace; }
svg text { fill: CanvasText; text-anchor: middle; }
svg text.name { text-anchor: end; }
svg path, svg rect, svg circle, svg polyline { stroke: CanvasText; fill: none; }
svg .wire, svg .axis { stroke: #8888; }
svg .box { fill: Canvas; }
svg .dot { fill: CanvasText; }
svg polyline { stroke: #2a7de1; stroke-width: 2; }
)";

std::string cell(const Json& value) {
  if (value.is_null()) return "<td>-</td>";
  return fmt::format("<td>{}</td>",
                     escape_html(value.is_string() ? value.get<std::string>() : value.dump()));
}

std::string header(std::initializer_list<std::string_view> names) {
  std::string row = "<tr>";
  for (const std::string_view name : names) row += fmt::format("<th>{}</th>", escape_html(name));
  return row + "</tr>\n";
}

std::string row(std::initializer_list<Json> values) {
  std::string text = "<tr>";
  for (const Json& value : values) text += cell(value);
  return text + "</tr>\n";
}

std::string table(const std::string& rows) { return "<table>\n" + rows + "</table>\n"; }

/// Returns the rows of the figures that the statistics have for three circuits.
std::string figure_rows(const Json& stats) {
  std::string rows = header({"", "input", "translated", "result"});
  for (const auto& [name, value] : stats["after"].items()) {
    if (!value.is_number()) continue;
    rows +=
        row({name, stats["input"].value(name, Json()), stats["before"].value(name, Json()), value});
  }
  return rows;
}

std::string gate_rows(const Json& stats) {
  std::set<std::string> names;
  for (const char* circuit : {"input", "before", "after"}) {
    for (const auto& [name, count] : stats[circuit]["gates"].items()) names.insert(name);
  }
  std::string rows = header({"gate", "input", "translated", "result"});
  for (const std::string& name : names) {
    rows += row({name, stats["input"]["gates"].value(name, 0),
                 stats["before"]["gates"].value(name, 0), stats["after"]["gates"].value(name, 0)});
  }
  return rows;
}

std::string pass_rows(const Json& stats) {
  std::string rows = header({"pass", "runs", "that paid", "gates removed", "seconds"});
  for (const Json& pass : stats["passes"]) {
    rows += row({pass["pass"], pass["runs"], pass["runs_that_paid"], pass["gates_removed"],
                 fmt::format("{:.3f}", pass["seconds"].get<double>())});
  }
  return rows;
}

std::string rewrite_rows(const Json& stats) {
  std::string rows = header({"rewrite", "pass", "uses", "gates removed"});
  std::size_t number = 0;
  for (const Json& rewrite : stats["rewrites"]) {
    if (++number > kMaxRewrites) break;
    const std::string what =
        rewrite.contains("left")
            ? rewrite["left"].get<std::string>() + " → " +
                  (rewrite["right"] == "" ? "nothing" : rewrite["right"].get<std::string>())
            : rewrite["kind"].get<std::string>();
    rows += row({what, rewrite["pass"], rewrite["uses"], rewrite["gates_removed"]});
  }
  return rows;
}

/// Returns a circuit, folded if it is large.
std::string circuit_section(std::string_view title, const Circuit& circuit) {
  const CircuitDrawing drawing = draw_circuit(circuit);
  const std::string note = drawing.omitted == 0
                               ? fmt::format("{} operations", drawing.shown)
                               : fmt::format("the first {} of {} operations", drawing.shown,
                                             drawing.shown + drawing.omitted);
  return fmt::format(
      "<details{}><summary>{}: {} on {} qubits</summary>\n<div class=\"drawing\">{}</div>"
      "</details>\n",
      circuit.operations.size() <= kMaxUnfolded ? " open" : "", title, note, circuit.qubit_count(),
      drawing.svg);
}

/// Returns the value of one objective against time as steps.
std::string chart(const Objective& objective, std::size_t index,
                  const std::vector<CostAtTime>& points, double end) {
  constexpr double kWidth = 640;
  constexpr double kHeight = 160;
  constexpr double kLeft = 80;
  constexpr double kTop = 12;
  std::uint64_t most = 1;
  for (const CostAtTime& point : points) most = std::max(most, point.cost.units.at(index));
  const double duration = std::max(end, 1e-9);
  const auto x = [&](double seconds) { return kLeft + kWidth * std::min(seconds / duration, 1.0); };
  const auto y = [&](const CostAtTime& point) {
    const auto units = static_cast<double>(point.cost.units.at(index));
    return kTop + kHeight * (1 - units / static_cast<double>(most));
  };
  std::string line;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double until = i + 1 < points.size() ? points[i + 1].seconds : end;
    line += fmt::format("{:.1f},{:.1f} {:.1f},{:.1f} ", x(points[i].seconds), y(points[i]),
                        x(until), y(points[i]));
  }
  return fmt::format(
      "<h3>{0}</h3>\n<svg role=\"img\" aria-label=\"{0} against time\" width=\"760\" "
      "height=\"210\" viewBox=\"0 0 760 210\">"
      "<path class=\"axis\" d=\"M80 12V172H720\"/><text class=\"name\" x=\"74\" "
      "y=\"18\">{1:g}</text>"
      "<text class=\"name\" x=\"74\" y=\"176\">0</text><text x=\"80\" y=\"192\">0 s</text>"
      "<text x=\"700\" y=\"192\">{2:.2f} s</text><polyline points=\"{3}\"/></svg>\n",
      escape_html(objective.name()), objective.value(most), end, line);
}

std::string charts(const OptReport& report, const CostHistory& history) {
  const Cost& cost = report.result.cost;
  std::vector<CostAtTime> points{{0, cost_of(report.result.translated, cost)}};
  points.insert(points.end(), history.points().begin(), history.points().end());
  points.push_back({report.result.seconds, cost_of(report.result.circuit, cost)});
  std::string text;
  for (std::size_t i = 0; i < cost.objectives().size(); ++i) {
    text += chart(cost.objectives()[i], i, points, report.result.seconds);
  }
  return text;
}

std::string repeat_section(const Json& stats, const std::string& command) {
  const Json& replay = stats["replay"];
  return fmt::format(
      "<h2>How to repeat it</h2>\n<pre>{}</pre>\n<p>Version {}, seed {}, {} threads. {}</p>\n",
      escape_html(command), escape_html(replay["version"].get<std::string>()),
      replay["seed"].dump(), replay["threads"].dump(),
      replay["reproducible"].get<bool>()
          ? "With this number of threads, the result is the same on every machine."
          : "The search was limited by time: the result depends on the speed of the machine. "
            "--steps makes it reproducible.");
}

std::string check_section(const OptReport& report) {
  const EquivalenceReport& check = report.result.check.report;
  std::string text = fmt::format("<h2>How it was verified</h2>\n<p>{}</p>\n",
                                 escape_html(report.result.check.text));
  if (report.result.check.verified != true) return text;
  if (check.distance == 0.0) text += "<p>The method is exact.</p>\n";
  if (check.log2_failure) {
    text += fmt::format("<p>The verdict is wrong with a probability of at most 2^{:.0f}.</p>\n",
                        *check.log2_failure);
  }
  return text;
}

}  // namespace

void CostHistory::add(double seconds, const CostValue& cost) {
  if (!points_.empty() && points_.back().cost == cost) return;
  if (points_.size() == kMaxPoints) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < points_.size(); i += 2) points_[kept++] = points_[i];
    points_.resize(kept);
  }
  points_.push_back({seconds, cost});
}

std::string html_report(const OptReport& report, const CostHistory& history,
                        const std::string& command) {
  const Json stats = Json::parse(stats_of(report));
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>Quartz report</title>\n"
      "<style>{}</style>\n</head>\n<body>\n<h1>Quartz report</h1>\n"
      "<p>Gate set {}, cost {}; {:.2f} s, stopped: {}.</p>\n",
      kStyle, escape_html(report.gate_set), escape_html(report.result.cost.name()),
      report.result.seconds, escape_html(stats["stop_reason"].get<std::string>()));
  text += table(figure_rows(stats));
  text += "<h2>Circuits</h2>\n" + circuit_section("Before", report.input) +
          circuit_section("After", report.result.circuit);
  text += "<h2>Gates by kind</h2>\n" + table(gate_rows(stats));
  text += "<h2>Cost against time</h2>\n" + charts(report, history);
  text += "<h2>What the passes brought</h2>\n" + table(pass_rows(stats));
  if (!stats["rewrites"].empty()) {
    text += "<h2>What the rewrites brought</h2>\n" + table(rewrite_rows(stats));
  }
  text += check_section(report) + repeat_section(stats, command);
  return text + "</body>\n</html>\n";
}

}  // namespace quartz::cli
