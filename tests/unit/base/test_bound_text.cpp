#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/random.hpp"
#include "base/text/bound_text.hpp"

namespace quartz {
namespace {

TEST_CASE("Bounds are printed in two digits, rounded to the side on which they hold") {
  CHECK(upper_bound_text(0.24936) == "0.25");
  CHECK(upper_bound_text(0.2401) == "0.25");
  CHECK(upper_bound_text(0.1) == "0.1");
  CHECK(upper_bound_text(0.1000001) == "0.11");
  CHECK(upper_bound_text(0.991) == "1");
  CHECK(upper_bound_text(1.23e-9) == "1.3e-09");
  CHECK(upper_bound_text(0) == "0");
  CHECK(upper_bound_text(std::numeric_limits<double>::infinity()) == "inf");
  CHECK(lower_bound_text(0.24936) == "0.24");
  CHECK(lower_bound_text(0.0999) == "0.099");
  CHECK(lower_bound_text(1e-3) == "0.001");
}

TEST_CASE("Printed bounds hold, and are at most a unit of their second digit away") {
  FastRandom random(20261128);
  for (int i = 0; i < 20000; ++i) {
    const double bound = std::pow(10.0, random.unit() * 40 - 36);
    const double above = std::strtod(upper_bound_text(bound).c_str(), nullptr);
    const double below = std::strtod(lower_bound_text(bound).c_str(), nullptr);
    INFO(bound);
    CHECK(above >= bound);
    CHECK(below <= bound);
    CHECK(above - bound <= bound * 0.1000001);
    CHECK(bound - below <= bound * 0.1000001);
  }
}

}  // namespace
}  // namespace quartz
