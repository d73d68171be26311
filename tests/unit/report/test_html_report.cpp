#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "quartz/base/errors.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/report/html_report.hpp"
#include "quartz/report/statistics.hpp"
#include "quartz/target/cost_file.hpp"
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
  CHECK(html.find("<p class=\"circuit\">&lt;a&gt;</p>") != std::string::npos);
}

TEST_CASE("The document begins with the result") {
  const std::string html = report_with(statistics());
  const nlohmann::json stats = nlohmann::json::parse(statistics());
  const std::size_t headline =
      html.find(fmt::format("<h1>{} gates for {}, ", stats["after"]["total"].get<int>(),
                            stats["before"]["total"].get<int>()));
  REQUIRE(headline != std::string::npos);
  CHECK(html.find(", proved equal</h1>", headline) < html.find("</h1>", headline));
  CHECK(headline < html.find("<table"));
}

TEST_CASE("The rows of the table of gates add up to the total") {
  const nlohmann::json stats = nlohmann::json::parse(statistics());
  const std::string html = report_with(statistics());
  CHECK(
      html.find(fmt::format("<tr class=\"sum\"><td>total</td><td>4</td><td>{}</td><td>{}</td></tr>",
                            stats["before"]["total"].get<int>(),
                            stats["after"]["total"].get<int>())) != std::string::npos);
}

TEST_CASE("The rows of the table of passes add up to the gates that were removed") {
  nlohmann::ordered_json stats = nlohmann::ordered_json::parse(statistics());
  stats["before"]["total"] = 634;
  stats["after"]["total"] = 140;
  stats["passes"] = {{{"pass", "simplify"},
                      {"description", "rotations folded"},
                      {"runs", 1},
                      {"runs_that_paid", 1},
                      {"gates_removed", 480},
                      {"seconds", 0.5}}};
  const std::string html = report_with(stats.dump());
  CHECK(html.find("<td>everything else</td><td>14</td>") != std::string::npos);
  CHECK(html.find("<td>total</td><td>494</td>") != std::string::npos);
}

TEST_CASE("The rows of the table of rewrites add up to the gates that were removed") {
  nlohmann::ordered_json stats = nlohmann::ordered_json::parse(statistics());
  stats["before"]["total"] = 634;
  stats["after"]["total"] = 140;
  stats["rewrites"] = {{{"pass", "anneal"},
                        {"description", "rotations moved and merged"},
                        {"uses", 1},
                        {"gates_removed", 4}}};
  const std::string html = report_with(stats.dump());
  CHECK(html.find("<td>everything else</td><td>490</td>") != std::string::npos);
}

TEST_CASE("The T depth, qubits and measurements have rows where they matter") {
  nlohmann::ordered_json stats = nlohmann::ordered_json::parse(statistics());
  CHECK(stats["after"]["t_depth"].get<int>() > 0);
  CHECK(stats["after"]["qubits"] == 3);
  CHECK(stats["after"]["measurements"] == 0);
  const std::string plain = report_with(stats.dump());
  for (const char* row : {"<td>t-depth</td>", "<td>qubits</td>", "<td>measurements</td>"}) {
    INFO(row);
    CHECK(plain.find(row) == std::string::npos);
  }
  stats["shown_figures"] = {{"t_depth", true}, {"sizes", true}};
  stats["after"]["qubits"] = 4;
  const std::string html = report_with(stats.dump());
  CHECK(html.find("<td>t-depth</td>") != std::string::npos);
  CHECK(html.find("<td>qubits</td><td>3</td><td>3</td><td>4</td>") != std::string::npos);
  CHECK(html.find("<td>measurements</td><td>0</td><td>0</td><td>0</td>") != std::string::npos);
  CHECK(html.find("qubits grew") == std::string::npos);
}

TEST_CASE("The statistics say which figures are shown besides those of every report") {
  const auto shown_of = [](const char* gates, const char* cost) {
    const Circuit circuit = parse_qasm(
        fmt::format("OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[2];\n{}", gates), "given");
    const GateSet set = load_gate_set("nam");
    SuperoptimizeOptions options;
    options.cost = load_cost(cost, set);
    options.steps = 10;
    options.threads = 1;
    const SuperoptimizeResult run = superoptimize(circuit, set, options);
    return nlohmann::json::parse(
               statistics_of({.input = circuit, .result = run, .gate_set = set.name}))
        .at("shown_figures");
  };
  const nlohmann::json none{{"t_depth", false}, {"sizes", false}};
  const nlohmann::json depth{{"t_depth", true}, {"sizes", false}};
  CHECK(shown_of("cx q[0],q[1];\n", "total") == none);
  CHECK(shown_of("cx q[0],q[1];\n", "t-depth,total") == depth);
  CHECK(shown_of("cx q[0],q[1];\n", "t,total") == depth);
}

TEST_CASE("An undecided check says what it lacked") {
  nlohmann::ordered_json stats = nlohmann::ordered_json::parse(statistics());
  CHECK(stats["check_lacked"].is_null());
  CHECK(report_with(stats.dump()).find("A method lacked") == std::string::npos);
  stats["check_lacked"] = "time";
  CHECK(report_with(stats.dump())
            .find("<p>A method lacked time: with more, the check may decide.</p>") !=
        std::string::npos);
}

TEST_CASE("Figures that grew are marked") {
  nlohmann::ordered_json stats = nlohmann::ordered_json::parse(statistics());
  CHECK(report_with(stats.dump()).find("class=\"grew\"") == std::string::npos);
  stats["after"]["depth"] = 2 * stats["before"]["depth"].get<int>();
  CHECK(report_with(stats.dump()).find("<td class=\"grew\">+100% grew</td>") != std::string::npos);
}

TEST_CASE("The input's gates have a column only if they were translated") {
  nlohmann::ordered_json stats = nlohmann::ordered_json::parse(statistics());
  CHECK(report_with(stats.dump()).find("<th>input</th>") != std::string::npos);
  stats["input"] = stats["before"];
  CHECK(report_with(stats.dump()).find("<th>input</th>") == std::string::npos);
}

TEST_CASE("The title of the document is the file's name without its folders") {
  const std::string text = statistics();
  const std::string html = html_report({.before = input(),
                                        .after = result().circuit,
                                        .statistics = text,
                                        .circuit_name = "/some/folder/adder.qasm"});
  CHECK(html.find("<title>adder.qasm: ") != std::string::npos);
  CHECK(html.find("/some/folder") == std::string::npos);
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
