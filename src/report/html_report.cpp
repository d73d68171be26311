#include "quartz/report/html_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "quartz/base/errors.hpp"
#include "report/circuit_drawing.hpp"
#include "report/cost_chart.hpp"
#include "report/escape_html.hpp"

namespace quartz {
namespace report {
namespace {

using Json = nlohmann::ordered_json;

/// Circuits with more operations are folded.
constexpr std::size_t kMaxUnfolded = 60;
/// Rewrites beyond these are left to --stats.
constexpr std::size_t kMaxRewrites = 30;
/// What a notebook shows of a circuit.
constexpr DrawingLimits kNotebookLimits{.columns = 60, .qubits = 24};

/// The style of documents, and of elements within the pages of others, whose colors of text and
/// background are not known. Boxes have colors of their own for that reason.
constexpr std::string_view kStyle = R"(
.quartz table { border-collapse: collapse; margin: .5rem 0; font-size: inherit; }
.quartz th, .quartz td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #8886; }
.quartz th:first-child, .quartz td:first-child { text-align: left; overflow-wrap: break-word; }
.quartz td { font-variant-numeric: tabular-nums; }
.quartz .wide { overflow-x: auto; }
.quartz .drawing { overflow-x: auto; border: 1px solid #8886; margin: .5rem 0; }
.quartz summary { cursor: pointer; }
.quartz pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: .6rem; border: 1px solid #8886; }
.quartz svg { font: 12px ui-monospace, "DejaVu Sans Mono", monospace; max-width: none; }
.quartz svg.chart { display: block; width: 100%; max-width: 32rem; font-size: 13px; }
.quartz svg text { fill: currentColor; text-anchor: middle; }
.quartz svg text.name { text-anchor: end; }
.quartz svg text.last { text-anchor: start; font-weight: bold; }
.quartz svg text.label { fill: #10151c; }
.quartz svg path, .quartz svg polyline { stroke: currentColor; fill: none; }
.quartz svg .wire, .quartz svg .axis { stroke: #8889; }
.quartz svg .barrier { stroke: #888; stroke-dasharray: 4 3; stroke-width: 2; }
.quartz svg .box { fill: #d6e6fb; stroke: #4a78b5; }
.quartz svg .rotation { fill: #fce3bd; stroke: #b07a26; }
.quartz svg .boundary { fill: #e2e2e2; stroke: #808080; }
.quartz svg .dot, .quartz svg .target { fill: #2a7de1; stroke: #2a7de1; }
.quartz svg .plus { stroke: #fff; stroke-width: 2; }
.quartz svg polyline { stroke: #2a7de1; stroke-width: 2; }
@media (max-width: 40rem) { .quartz th, .quartz td { padding: .2rem .35rem; } }
)";

/// The style of a document.
constexpr std::string_view kPageStyle = R"(
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
)";

std::string cell(const Json& value) {
  if (value.is_null()) return "<td>-</td>";
  std::string text = value.is_string()         ? value.get<std::string>()
                     : value.is_number_float() ? fmt::format("{:.6g}", value.get<double>())
                                               : value.dump();
  return fmt::format("<td>{}</td>", escape_html(text));
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

std::string table(const std::string& rows) {
  return "<div class=\"wide\"><table>\n" + rows + "</table></div>\n";
}

/// Returns the change in percent; a dash if there is none to compute.
std::string change(const Json& before, const Json& after) {
  if (!before.is_number() || !after.is_number() || before.get<double>() == 0) return "-";
  return fmt::format("{:+.1f}%", 100 * (after.get<double>() / before.get<double>() - 1));
}

std::string figure_row(std::string name, const Json& input, const Json& translated,
                       const Json& result) {
  std::replace(name.begin(), name.end(), '_', '-');
  return row({name, input, translated, result, change(input, result), change(translated, result)});
}

/// Returns the rows of the figures that the statistics have for three circuits: the named costs,
/// and the weighted sums of the cost that was minimized.
std::string figure_rows(const Json& stats) {
  std::string rows = header({"", "input", "translated", "result", "vs input", "vs translated"});
  const Json& input = stats.at("input");
  const Json& translated = stats.at("before");
  const Json& result = stats.at("after");
  for (const auto& [name, value] : result.items()) {
    if (!value.is_number()) continue;
    rows += figure_row(name, input.value(name, Json()), translated.value(name, Json()), value);
  }
  for (const auto& [name, value] : result.at("cost").items()) {
    if (find_cost(name) != nullptr) continue;
    rows += figure_row(name, input.at("cost").at(name), translated.at("cost").at(name), value);
  }
  return rows;
}

std::string gate_rows(const Json& stats) {
  std::set<std::string> names;
  for (const char* circuit : {"input", "before", "after"}) {
    for (const auto& [name, count] : stats.at(circuit).at("gates").items()) names.insert(name);
  }
  const auto count = [&](const char* circuit, const std::string& name) {
    return stats.at(circuit).at("gates").value(name, 0);
  };
  std::string rows = header({"gate", "input", "translated", "result"});
  for (const std::string& name : names) {
    rows += row({name, count("input", name), count("before", name), count("after", name)});
  }
  return rows;
}

std::string pass_rows(const Json& stats) {
  std::string rows = header({"pass", "runs", "that paid", "gates removed", "seconds"});
  for (const Json& pass : stats.at("passes")) {
    const std::string name = fmt::format("{}: {}", pass.at("pass").get<std::string>(),
                                         pass.at("description").get<std::string>());
    rows += row({name, pass.at("runs"), pass.at("runs_that_paid"), pass.at("gates_removed"),
                 fmt::format("{:.3f}", pass.at("seconds").get<double>())});
  }
  return rows;
}

/// Returns what a rewrite replaces by what.
std::string rewrite_label(const Json& rewrite) {
  if (!rewrite.contains("left")) return rewrite.at("description").get<std::string>();
  const std::string right = rewrite.at("right").get<std::string>();
  return rewrite.at("left").get<std::string>() + " → " + (right.empty() ? "nothing" : right);
}

std::string rewrite_rows(const Json& stats) {
  std::string rows = header({"rewrite", "pass", "uses", "gates removed"});
  std::size_t number = 0;
  for (const Json& rewrite : stats.at("rewrites")) {
    if (++number > kMaxRewrites) break;
    rows += row({rewrite_label(rewrite), rewrite.at("pass"), rewrite.at("uses"),
                 rewrite.at("gates_removed")});
  }
  return rows;
}

/// Returns a circuit, folded if it is large.
std::string circuit_section(std::string_view title, const Circuit& circuit,
                            const DrawingLimits& limits) {
  const CircuitDrawing drawing = draw_circuit(circuit, limits);
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

/// Returns the values of the objectives of a circuit in the gates of the set.
std::vector<double> objective_values(const Json& circuit) {
  std::vector<double> values;
  for (const auto& [name, value] : circuit.at("cost").items()) values.push_back(value);
  return values;
}

std::string charts(const Json& stats, std::span<const CostAtTime> history) {
  const double seconds = stats.at("seconds");
  const std::vector<double> least = objective_values(stats.at("after"));
  std::vector<CostAtTime> points{{0, objective_values(stats.at("before"))}};
  for (const CostAtTime& point : history) {
    if (point.values.size() != least.size()) throw InputError("a cost of the history is too short");
    points.push_back(point);
  }
  points.push_back({seconds, least});
  std::string text;
  std::size_t index = 0;
  for (const auto& [name, value] : stats.at("after").at("cost").items()) {
    text += fmt::format("<h3>{}</h3>\n", escape_html(name)) +
            cost_chart(name, index++, points, seconds);
  }
  return text;
}

std::string repeat_section(const Json& stats, const std::string& command) {
  const Json& replay = stats.at("replay");
  return fmt::format(
      "<h2>How to repeat it</h2>\n<pre>{}</pre>\n<p>Version {}, seed {}, threads {}. {}</p>\n",
      escape_html(command), escape_html(replay.at("version").get<std::string>()),
      replay.at("seed").dump(), replay.at("threads").dump(),
      replay.at("reproducible").get<bool>()
          ? "With this number of threads, the result is the same on every machine."
          : "The search was limited by time: the result depends on the speed of the machine. A "
            "limit of steps in place of the time makes it reproducible.");
}

std::string check_section(const Json& stats) {
  std::string text = fmt::format("<h2>How it was verified</h2>\n<p>{}</p>\n",
                                 escape_html(stats.at("checked").get<std::string>()));
  const Json& check = stats.at("check");
  if (check.is_null()) return text;
  if (check.at("distance") == 0.0) text += "<p>The method is exact.</p>\n";
  if (!check.at("log2_failure").is_null()) {
    text += fmt::format("<p>The verdict is wrong with a probability of at most 2^{:.0f}.</p>\n",
                        check.at("log2_failure").get<double>());
  }
  return text;
}

std::string introduction(const Json& stats) {
  return fmt::format("<p>Gate set {}, cost {}; {:.2f} s, stopped: {}.</p>\n",
                     escape_html(stats.at("gate_set").get<std::string>()),
                     escape_html(stats.at("cost").get<std::string>()),
                     stats.at("seconds").get<double>(),
                     escape_html(stats.at("stop_reason").get<std::string>()));
}

std::string document(const HtmlReport& report, const Json& stats) {
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Quartz report: "
      "{0}</title>\n<style>{1}{2}</style>\n</head>\n<body class=\"quartz\">\n<h1>Quartz report: "
      "{0}</h1>\n",
      escape_html(report.circuit_name), kPageStyle, kStyle);
  text += introduction(stats) + table(figure_rows(stats));
  text += "<h2>Circuits</h2>\n" + circuit_section("Before", report.before, {}) +
          circuit_section("After", report.after, {});
  text += "<h2>Gates by kind</h2>\n" + table(gate_rows(stats));
  text += "<h2>Cost against time</h2>\n" + charts(stats, report.history);
  text += "<h2>What the passes brought</h2>\n" + table(pass_rows(stats));
  if (!stats.at("rewrites").empty()) {
    text += "<h2>What the rewrites brought</h2>\n" + table(rewrite_rows(stats));
  }
  text += check_section(stats) + repeat_section(stats, report.command);
  return text + "</body>\n</html>\n";
}

std::string element(const std::string& content) {
  return fmt::format("<div class=\"quartz\">\n<style>{}</style>\n{}</div>\n", kStyle, content);
}

std::string summary(const HtmlReport& report, const Json& stats) {
  return element(introduction(stats) + table(figure_rows(stats)) +
                 circuit_section("Before", report.before, kNotebookLimits) +
                 circuit_section("After", report.after, kNotebookLimits) +
                 "<details><summary>Gates by kind</summary>\n" + table(gate_rows(stats)) +
                 "</details>\n<details><summary>Cost against time</summary>\n" +
                 charts(stats, report.history) + "</details>\n<p>Checked: " +
                 escape_html(stats.at("checked").get<std::string>()) + "</p>\n");
}

/// Returns what `make` makes of the report and its statistics. Throws InputError if these are not
/// the statistics of a run.
std::string with_statistics(const HtmlReport& report,
                            std::string (*make)(const HtmlReport&, const Json&)) {
  try {
    return make(report, Json::parse(report.statistics));
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("these are not the statistics of a run: {}", error.what()));
  }
}

}  // namespace
}  // namespace report

void CostHistory::add(double seconds, const CostValue& value, const Cost& cost) {
  CostAtTime point{seconds, {}};
  for (std::size_t i = 0; i < cost.objectives().size(); ++i) {
    point.values.push_back(cost.objectives()[i].value(value.units.at(i)));
  }
  if (!points_.empty() && points_.back().values == point.values) return;
  if (points_.size() == kMaxPoints) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < points_.size(); i += 2) points_[kept++] = points_[i];
    points_.resize(kept);
  }
  points_.push_back(std::move(point));
}

std::string html_report(const HtmlReport& content) {
  return report::with_statistics(content, &report::document);
}

std::string html_summary(const HtmlReport& content) {
  return report::with_statistics(content, &report::summary);
}

std::string html_drawing(const Circuit& circuit) {
  const GateCounts counts = count_gates(circuit);
  return report::element(
      fmt::format("<p>{} qubits, {} gates, {} of them on two or more, depth {}</p>\n",
                  circuit.qubit_count(), counts.total, counts.two_qubit, counts.depth) +
      report::circuit_section("Circuit", circuit, report::kNotebookLimits));
}

}  // namespace quartz
