#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "report/cost_chart.hpp"

using namespace quartz;
using namespace quartz::report;

TEST_CASE("Ticks are round numbers, and neither few nor many") {
  CHECK(ticks(162) == std::vector<double>{0, 50, 100, 150});
  CHECK(ticks(5) == std::vector<double>{0, 1, 2, 3, 4, 5});
  CHECK(ticks(10) == std::vector<double>{0, 2, 4, 6, 8, 10});
  for (double most = 1e-3; most < 1e7; most *= 1.37) {
    INFO(most);
    CHECK(ticks(most).size() >= 3);
    CHECK(ticks(most).size() <= 6);
    CHECK(ticks(most).back() <= most * (1 + 1e-6));
  }
}

TEST_CASE("A chart labels its axes and the last value") {
  const std::vector<CostAtTime> points{{0, {162}}, {1, {80}}};
  const std::string chart = cost_chart("total", 0, points, 5);
  for (const char* label : {">0<", ">50<", ">150<", ">0 s<", ">1 s<", ">5 s<", ">80<"}) {
    CHECK(chart.find(label) != std::string::npos);
  }
}
