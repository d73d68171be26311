#include <catch2/catch.hpp>

#include "cli/report.hpp"
#include "quartz/errors.hpp"

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

TEST_CASE("The table before and after shows the change") {
  GateCounts before;
  before.total = 200;
  before.two_qubit = 0;
  before.t = 10;
  before.depth = 0;
  GateCounts after = before;
  after.total = 150;
  after.depth = 5;
  CHECK(format_table(before_after_table(before, after)) ==
        "gates      before  after  change\n"
        "total         200    150  -25.0%\n"
        "two-qubit       0      0    0.0%\n"
        "T              10     10    0.0%\n"
        "depth           0      5       -\n");
}
