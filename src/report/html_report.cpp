#include "quartz/report/html_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"
#include "report/cost_chart.hpp"
#include "report/drawing/circuit_drawing.hpp"
#include "report/drawing/escape_html.hpp"
#include "report/headline.hpp"
#include "report/html_style.hpp"
#include "report/html_tables.hpp"

namespace quartz {
namespace report {
namespace {

/// Circuits with fewer operations are drawn completely.
constexpr std::size_t kMaxComplete = 300;
/// What is drawn of larger circuits.
constexpr DrawingLimits kLargeLimits{.columns = 200, .qubits = 40, .folds_repetitions = true};
/// What a notebook shows of a circuit.
constexpr DrawingLimits kNotebookLimits{.columns = 60, .qubits = 24, .folds_repetitions = true};

/// Returns "22 gates and 3 other operations on 10 qubits".
std::string size_text(const Circuit& circuit) {
  const std::size_t gates = count_gates(circuit).total;
  const std::size_t others = circuit.operations.size() - gates;
  return counted(gates, "gate") +
         (others == 0 ? "" : " and " + counted(others, "other operation")) + " on " +
         counted(circuit.qubit_count(), "qubit");
}

/// Returns what a drawing leaves out, as a paragraph; empty if it is complete.
std::string note_on(const CircuitDrawing& drawing, const Circuit& circuit,
                    const DrawingLimits& limits) {
  std::string text;
  if (drawing.folded > 0) {
    text += "Repeated parts are drawn once, in a frame with the number of times. ";
  }
  if (drawing.omitted > 0) {
    text += fmt::format("{} of {} are not drawn", drawing.omitted,
                        counted(drawing.shown + drawing.omitted, "operation"));
    if (circuit.qubit_count() > limits.qubits) {
      text += fmt::format(", among them all on {}",
                          counted(circuit.qubit_count() - limits.qubits, "other qubit"));
    }
    text += ".";
  }
  return text.empty() ? text : fmt::format("<p class=\"note\">{}</p>\n", text);
}

/// Returns a circuit as a drawing that can be folded, with its size.
std::string circuit_section(std::string_view title, const Circuit& circuit,
                            const DrawingLimits& limits) {
  const CircuitDrawing drawing = draw_circuit(circuit, limits);
  const bool is_large = circuit.operations.size() >= kMaxComplete;
  return fmt::format(
      "<details open><summary>{}: {}</summary>\n{}<div class=\"drawing{}\">{}</div></details>\n",
      title, size_text(circuit), note_on(drawing, circuit, limits), is_large ? " large" : "",
      drawing.svg);
}

/// Returns what is drawn of a circuit in a document.
DrawingLimits document_limits(const Circuit& circuit) {
  if (circuit.operations.size() >= kMaxComplete) return kLargeLimits;
  return {.columns = kMaxComplete, .qubits = kLargeLimits.qubits};
}

/// Returns both circuits, side by side if there is room.
std::string both_circuits(const HtmlReport& report, DrawingLimits (*limits)(const Circuit&)) {
  return "<div class=\"pair\">\n" +
         circuit_section("Before", report.before, limits(report.before)) +
         circuit_section("After", report.after, limits(report.after)) + "</div>\n";
}

std::vector<Figure> objectives_in(const Json& circuit) {
  std::vector<Figure> figures;
  for (const auto& [name, value] : circuit.at("cost").items()) {
    figures.push_back({name, value.get<double>()});
  }
  return figures;
}

std::string headline_of(const Json& stats) {
  HeadlineCheck check;
  if (!stats.at("verified").is_null()) check.verified = stats.at("verified").get<bool>();
  if (const Json& details = stats.at("check"); !details.is_null()) {
    if (!details.at("distance").is_null()) check.distance = details.at("distance").get<double>();
    check.drew_random_numbers = !details.at("log2_failure").is_null();
  }
  check.is_within_epsilon =
      stats.at("checked").get<std::string>().starts_with("equal within epsilon");
  check.is_up_to_phase =
      stats.at("checked").get<std::string>().starts_with("equal up to global phase");
  check.has_assumptions = !stats.at("assumed").get<std::string>().empty();
  return headline(objectives_in(stats.at("before")), objectives_in(stats.at("after")), check);
}

/// Returns the name of the circuit without its folders.
std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

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
      "<h2>How to repeat the run</h2>\n<pre>{}</pre>\n<p>Version {}, seed {}, threads {}. {}</p>\n",
      escape_html(command), escape_html(replay.at("version").get<std::string>()),
      replay.at("seed").dump(), replay.at("threads").dump(),
      replay.at("reproducible").get<bool>()
          ? "With this number of threads, the result is the same on every machine."
          : "The search was limited by time, so that the result depends on the speed of the "
            "machine. With a number of steps instead of a time limit, it does not.");
}

std::string check_section(const Json& stats) {
  std::string text = fmt::format("<h2>Check of the result</h2>\n<p>{}</p>\n",
                                 escape_html(stats.at("checked").get<std::string>()));
  if (const Json& lacked = stats.at("check_lacked"); !lacked.is_null()) {
    text += fmt::format("<p>A method lacked {}: with more, the check may decide.</p>\n",
                        lacked.get<std::string>());
  }
  if (const auto assumed = stats.at("assumed").get<std::string>(); !assumed.empty()) {
    text += fmt::format("<p>It is assumed that {}.</p>\n", escape_html(assumed));
  }
  const Json& check = stats.at("check");
  if (check.is_null()) return text;
  if (check.at("distance") == 0.0) text += "<p>The method is exact.</p>\n";
  if (!check.at("log2_failure").is_null()) {
    text += fmt::format("<p>The verdict is wrong with a probability of at most 2^{:.0f}.</p>\n",
                        check.at("log2_failure").get<double>());
  }
  return text;
}

/// Returns what was asked for and how the search ended.
std::string introduction(const Json& stats) {
  const auto text = [&](const char* key) { return escape_html(stats.at(key).get<std::string>()); };
  std::string line =
      fmt::format("<p>Gate set {}, cost {}; {:.2f} s, stopped: {}.", text("gate_set"), text("cost"),
                  stats.at("seconds").get<double>(), text("stop_reason"));
  if (was_translated(stats)) {
    line +=
        " The input has other gates, so that the result is compared with the input's "
        "translation into the gate set.";
  }
  return line + "</p>\n";
}

std::string document(const HtmlReport& report, const Json& stats) {
  const std::string name = escape_html(file_name(report.circuit_name));
  const std::string result = escape_html(headline_of(stats));
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}: {1}"
      "</title>\n<style>{2}{3}</style>\n</head>\n<body class=\"quartz\">\n<p "
      "class=\"circuit\">{0}</p>\n<h1>{1}</h1>\n",
      name, result, kPageStyle, kElementStyle);
  text += introduction(stats) + figure_table(stats);
  text += "<h2>Circuits</h2>\n" + both_circuits(report, document_limits);
  text += "<div class=\"pair\">\n<section>\n<h2>Gates by kind</h2>\n" + gate_table(stats) +
          "</section>\n<section>\n<h2>Cost during the search</h2>\n" +
          charts(stats, report.history) + "</section>\n</div>\n";
  text += "<h2>Gates removed by each pass</h2>\n" + pass_table(stats);
  if (!stats.at("rewrites").empty()) {
    text += "<h2>Rewrites that led to the result</h2>\n" + rewrite_table(stats);
  }
  text += check_section(stats) + repeat_section(stats, report.command);
  return text + "</body>\n</html>\n";
}

std::string element(const std::string& content) {
  return fmt::format("<div class=\"quartz\">\n<style>{}</style>\n{}</div>\n", kElementStyle,
                     content);
}

std::string summary(const HtmlReport& report, const Json& stats) {
  return element(fmt::format("<p class=\"headline\">{}</p>\n", escape_html(headline_of(stats))) +
                 introduction(stats) + figure_table(stats) +
                 both_circuits(report, [](const Circuit&) { return kNotebookLimits; }) +
                 "<details><summary>Gates by kind</summary>\n" + gate_table(stats) +
                 "</details>\n<details><summary>Cost during the search</summary>\n" +
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
  return report::element(fmt::format("<p>{}, {}, {} of them on two or more, depth {}</p>\n",
                                     counted(circuit.qubit_count(), "qubit"),
                                     counted(counts.total, "gate"), counts.two_qubit,
                                     counts.depth) +
                         report::circuit_section("Circuit", circuit, report::kNotebookLimits));
}

}  // namespace quartz
