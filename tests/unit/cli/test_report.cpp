#include <catch2/catch.hpp>

#include "cli/output/report.hpp"
#include "quartz/base/errors.hpp"

using namespace quartz;
using namespace quartz::cli;

TEST_CASE("Tables are aligned") {
  const Table table{{"name", "n"}, {{"a", "1000"}, {"longer", "2"}}};
  CHECK(format_table(table) ==
        "name       n\n"
        "a       1000\n"
        "longer     2\n");
  CHECK_THROWS_AS(format_table({{"one", "two"}, {{"only"}}}), InternalError);
}

TEST_CASE("Lines of a table have the same length") {
  const Table table{{"name", "n"}, {{"longer", ""}, {"a", "12"}}};
  CHECK(format_lines(table) == std::vector<std::string>{"name     n", "longer    ", "a       12"});
  CHECK(figure_text(0.5) == "0.5");
  CHECK(figure_text({}) == "-");
}

TEST_CASE("The table before and after shows the change") {
  const std::vector<Figure> before{{"total", 200}, {"two-qubit", 0},    {"t", 10},
                                   {"depth", 0},   {"errors", 0.30103}, {"w", {}}};
  const std::vector<Figure> after{{"total", 150}, {"two-qubit", 0}, {"t", 10},
                                  {"depth", 5},   {"errors", 0.1},  {"w", 7}};
  CHECK(format_table(before_after_table(before, after)) ==
        "gates       before  after  change\n"
        "total          200    150  -25.0%\n"
        "two-qubit        0      0    0.0%\n"
        "t               10     10    0.0%\n"
        "depth            0      5       -  grew\n"
        "errors     0.30103    0.1  -66.8%\n"
        "w                -      7       -\n");
}

TEST_CASE("If nothing grew, nothing is marked") {
  CHECK(format_table(before_after_table({{"total", 4}}, {{"total", 2}})) ==
        "gates  before  after  change\n"
        "total       4      2  -50.0%\n");
  CHECK(growth_note({{"total", 4}}, {{"total", 2}}, "total").empty());
}

TEST_CASE("The result is compared with the translated circuit, not with an input in other gates") {
  const std::vector<Figure> input{{"total", 10}, {"two-qubit", 10}, {"t", 0}, {"w", {}}};
  const std::vector<Figure> translated{{"total", 600}, {"two-qubit", 8}, {"t", 0}, {"w", 3}};
  const std::vector<Figure> after{{"total", 12}, {"two-qubit", 14}, {"t", 0}, {"w", 1.5}};
  CHECK(format_table(translated_after_table(input, translated, after)) ==
        "gates      input  translated  after  change\n"
        "total         10         600     12  -98.0%\n"
        "two-qubit     10           8     14  +75.0%  grew\n"
        "t              0           0      0    0.0%\n"
        "w              -           3    1.5  -50.0%\n");
  CHECK(growth_note(translated, after, "w,total") ==
        "note     two-qubit grew, because the cost to minimize was w,total (--cost)\n");
}

TEST_CASE("Every named cost is reported, and the weighted sums of the cost") {
  using enum GateKind;
  const Circuit circuit = make_circuit(2, {make_operation(t, {0}), make_operation(cx, {0, 1})});
  const Cost cost(
      {GateWeights("w", {{cx, {}, 0.1}}, 0.2), CostKind::t, GateWeights("partial", {{cx, {}, 1}})});
  std::string told;
  for (const Figure& figure : report::figures_of(circuit, cost).costs) {
    told += figure.name + "=" + (figure.value ? std::to_string(*figure.value) : "none") + " ";
  }
  CHECK(told ==
        "total=2.000000 two-qubit=1.000000 t=1.000000 depth=2.000000 w=0.300000 partial=none ");
}
