#include <catch2/catch.hpp>
#include <vector>

#include "certify/pauli/affine_map.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::certify;
using namespace quartz::test;

namespace {

unsigned applied(const MapStep& step, unsigned b) {
  const unsigned first = b >> step.first & 1U;
  const unsigned second = b >> step.second & 1U;
  switch (step.kind) {
    case CliffordLog::Kind::x:
      return b ^ 1U << step.second;
    case CliffordLog::Kind::cx:
      return b ^ first << step.second;
    case CliffordLog::Kind::swap:
      return first == second ? b : b ^ 1U << step.first ^ 1U << step.second;
    default:
      FAIL("not a gate of a map");
      return 0;
  }
}

std::vector<unsigned> images(const std::vector<MapStep>& steps, unsigned operands) {
  std::vector<unsigned> output;
  for (unsigned b = 0; b < 1U << operands; ++b) {
    unsigned image = b;
    for (const MapStep& step : steps) image = applied(step, image);
    output.push_back(image);
  }
  return output;
}

}  // namespace

TEST_CASE("Affine maps are products of their gates", "[affine map]") {
  Random random(81);
  INFO("seed 81");
  for (int round = 0; round < 300; ++round) {
    const unsigned operands = 1 + below(random, 4);
    std::vector<MapStep> random_steps;
    for (int i = 0; i < 12; ++i) {
      const unsigned first = below(random, operands);
      const unsigned second = below(random, operands);
      if (first == second) {
        random_steps.push_back({CliffordLog::Kind::x, first, first});
      } else {
        random_steps.push_back({CliffordLog::Kind::cx, first, second});
      }
    }
    const std::vector<unsigned> output = images(random_steps, operands);
    REQUIRE(affine_map(output).has_value());
    const std::vector<MapStep> steps = steps_of_map(output);
    CHECK(images(steps, operands) == output);
    CHECK(steps.size() <= operands * (operands + 1));
  }
  CHECK(steps_of_map({0, 1, 2, 3}).empty());
  CHECK(steps_of_map({0, 2, 1, 3}).size() >= 1);
}

TEST_CASE("A Toffoli gate is not affine", "[affine map]") {
  CHECK(!affine_map({0, 1, 2, 7, 4, 5, 6, 3}).has_value());
}
