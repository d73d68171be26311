#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "quartz/base/errors.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/report/html_report.hpp"
#include "quartz/report/statistics.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/superoptimize.hpp"

using namespace quartz;

namespace {

const Circuit& input() {
  static const Circuit circuit = parse_qasm(
      "OPENQASM 2.0; include \"qelib1.inc\"; qreg q[3]; h q[2]; ccx q[0],q[1],q[2]; h q[2]; "
      "ccx q[0],q[1],q[2];");
  return circuit;
}

const SuperoptimizeResult& result() {
  static const SuperoptimizeResult made =
      superoptimize(input(), load_gate_set("nam"), {.seconds = 0, .threads = 1});
  return made;
}

std::string statistics() {
  const std::string set = "nam";
  return statistics_of({.input = input(), .result = result(), .gate_set = set});
}

std::string report_with(const std::string& statistics, std::span<const CostAtTime> history = {}) {
  return html_report({.before = input(),
                      .after = result().circuit,
                      .statistics = statistics,
                      .history = history,
                      .circuit_name = "<a>",
                      .command = "quartz-opt"});
}

}  // namespace

TEST_CASE("The document says what the statistics say") {
  const nlohmann::json stats = nlohmann::json::parse(statistics());
  const std::string html = report_with(statistics());
  CHECK(html.find(fmt::format("<td>total</td><td>4</td><td>{}</td><td>{}</td>",
                              stats["before"]["total"].get<int>(),
                              stats["after"]["total"].get<int>())) != std::string::npos);
  CHECK(html.find(stats["checked"].get<std::string>()) != std::string::npos);
  CHECK(html.find("Quartz report: &lt;a&gt;") != std::string::npos);
}

TEST_CASE("The summary for notebooks is an element, not a document") {
  const std::string text = statistics();
  const std::string html =
      html_summary({.before = input(), .after = result().circuit, .statistics = text});
  CHECK(html.starts_with("<div class=\"quartz\">"));
  CHECK(html.find("<body") == std::string::npos);
  CHECK(html_drawing(input()).find("3 qubits, 4 gates") != std::string::npos);
}

TEST_CASE("The history is drawn, and has a value for each objective") {
  const std::vector<CostAtTime> history{{0.0, {20}}, {0.5, {10}}};
  CHECK(report_with(statistics(), history) != report_with(statistics()));
  const std::vector<CostAtTime> empty{{0.0, {}}};
  CHECK_THROWS_AS(report_with(statistics(), empty), InputError);
}

TEST_CASE("Statistics of something else are refused") {
  CHECK_THROWS_AS(report_with("no JSON"), InputError);
  CHECK_THROWS_AS(report_with("{}"), InputError);
  CHECK_THROWS_AS(report_with("[1]"), InputError);
  nlohmann::json stats = nlohmann::json::parse(statistics());
  stats["after"]["cost"]["total"] = "few";
  CHECK_THROWS_AS(report_with(stats.dump()), InputError);
}

TEST_CASE("The history of costs keeps a bounded number of points") {
  const Cost cost = CostKind::total;
  CostHistory history;
  history.add(0, cost_of(input(), cost), cost);
  history.add(1, cost_of(input(), cost), cost);
  CHECK(history.points().size() == 1);
  CostValue value = cost_of(input(), cost);
  for (int i = 0; i < 5000; ++i) {
    ++value.units.at(0);
    history.add(i, value, cost);
  }
  CHECK(history.points().size() <= CostHistory::kMaxPoints);
  CHECK(history.points().front().values == std::vector<double>{4});
}
