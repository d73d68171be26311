#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/gate_weights.hpp"

using namespace quartz;

namespace {

double weight_of(const GateWeights& weights, const Operation& operation) {
  return static_cast<double>(weights.find(operation).value()) /
         static_cast<double>(weights.units_per_one());
}

}  // namespace

TEST_CASE(
    "An entry for exactly these operands comes first, then the gate's entry, then the default") {
  using enum GateKind;
  const GateWeights weights(
      "w", {{cx, {}, 3}, {cx, {0, 1}, 5}, {cz, {2, 1}, 7}, {ccx, {4, 2, 3}, 11}, {t, {1}, 13}}, 1);
  CHECK(weights.depends_on_qubits());
  CHECK(weight_of(weights, make_operation(cx, {0, 1})) == 5);
  CHECK(weight_of(weights, make_operation(cx, {1, 0})) == 3);
  CHECK(weight_of(weights, make_operation(cx, {0, 2})) == 3);
  CHECK(weight_of(weights, make_operation(cz, {1, 2})) == 7);
  CHECK(weight_of(weights, make_operation(cz, {2, 1})) == 7);
  CHECK(weight_of(weights, make_operation(cz, {0, 1})) == 1);
  // The controls of ccx are interchangeable, its target is not.
  CHECK(weight_of(weights, make_operation(ccx, {2, 4, 3})) == 11);
  CHECK(weight_of(weights, make_operation(ccx, {2, 3, 4})) == 1);
  CHECK(weight_of(weights, make_operation(t, {1})) == 13);
  CHECK(weight_of(weights, make_operation(t, {0})) == 1);
}

TEST_CASE("No weight is found for a gate without one") {
  const GateWeights weights("w", {{GateKind::cx, {}, 3}, {GateKind::cz, {0, 1}, 1}});
  CHECK(weights.covers(GateKind::cx));
  CHECK_FALSE(weights.covers(GateKind::cz));
  CHECK_FALSE(weights.covers(GateKind::h));
  CHECK(weights.find(make_operation(GateKind::cz, {0, 1})).has_value());
  CHECK_FALSE(weights.find(make_operation(GateKind::cz, {0, 2})).has_value());
  CHECK_FALSE(weights.find(make_operation(GateKind::h, {0})).has_value());
}

TEST_CASE("The unit is the largest that represents all weights exactly, next to great ones, too") {
  using enum GateKind;
  const auto units = [](double a, double b) {
    return GateWeights("w", {{h, {}, a}, {x, {}, b}}).units_per_one();
  };
  CHECK(units(10, 1) == 1);
  CHECK(units(0, 0) == 1);
  CHECK(units(1e9, 1) == 1);
  CHECK(units(1e9, 0.1) == 10);
  CHECK(units(0.1, 0.25) == 100);
  // A great weight keeps gates off a pair of qubits, and the others are as they are without it.
  const GateWeights weights("w",
                            {{rz, {}, 0.001}, {sx, {}, 0.3}, {cz, {}, 0.9}, {cz, {0, 2}, 1e9}});
  CHECK(weight_of(weights, make_operation(rz, {0})) == 0.001);
  CHECK(weight_of(weights, make_operation(sx, {0})) == 0.3);
  CHECK(weight_of(weights, make_operation(cz, {0, 1})) == 0.9);
  CHECK(weight_of(weights, make_operation(cz, {2, 0})) == 1e9);
  CHECK_FALSE(weights.rounding());
}

TEST_CASE("Weights that no unit represents have ten digits of the greatest, or four of their own") {
  using enum GateKind;
  const auto units = [](double a, double b) {
    return GateWeights("w", {{h, {}, a}, {x, {}, b}}).units_per_one();
  };
  CHECK(units(1.0 / 3, 1) == 1'000'000'000);
  CHECK(units(1.0 / 3, 0) == 10'000'000'000);
  CHECK(units(0.01 / 7, 37) == 100'000'000);
  CHECK(units(1e-5 / 7, 37) == 10'000'000'000);
  CHECK(units(1e-300, 1e9) == 10'000);
  // A third is kept to ten digits, and a weight that is tiny compared with another one does not
  // vanish.
  const GateWeights weights("w", {{h, {}, 1.0 / 3}, {x, {}, 1e-300}});
  CHECK(std::abs(weight_of(weights, make_operation(h, {0})) * 3 - 1) < 1e-9);
  CHECK(weights.find(make_operation(x, {0})) == 1);
  // The sum of ten gates of weight 0.1 is 1, which it is not in binary floating point.
  const GateWeights tenth("w", {{h, {}, 0.1}});
  CHECK(10 * tenth.find(make_operation(h, {0})).value() == tenth.units_per_one());
}

TEST_CASE("Weights that are rounded by more than a hundredth are reported") {
  using enum GateKind;
  CHECK_FALSE(GateWeights("w", {{h, {}, 1.0 / 3}, {x, {}, 1.0 / 70}}, 1e9).rounding());
  const GateWeights weights("w", {{h, {}, 0.00035}, {x, {}, 1e-9}, {cz, {}, 2}}, 1e9);
  REQUIRE(weights.rounding());
  CHECK(weights.rounding()->weight == 1e-9);
  CHECK(weights.rounding()->counted == 1e-4);
  CHECK(warnings_of_rounding(Cost({CostKind::t, weights})) ==
        std::vector<std::string>{"the weights 'w': 1e-09 counts as 1e-04, because another weight "
                                 "is so much greater"});
  CHECK(warnings_of_rounding(Cost({CostKind::t, GateWeights("w", {}, 0.1)})).empty());
}

TEST_CASE("Sums of weights that need more than 64 bits are refused") {
  using enum GateKind;
  const std::vector<GateWeight> weights{{h, {}, 1e-4}, {x, {}, 1e9}};
  const Cost sum({GateWeights("w", weights)});
  const Cost path({GateWeights("w", weights, std::nullopt, Combination::critical_path)});
  const auto circuit_of = [](std::size_t gates) {
    return make_circuit(1, std::vector<Operation>(gates, make_operation(x, {0})));
  };
  for (const Cost& cost : {sum, path}) {
    CHECK(cost.objectives()[0].value(cost_of(circuit_of(1'000'000), cost).units[0]) == 1e15);
    CHECK_THROWS_AS(cost_of(circuit_of(2'000'000), cost), UsageError);
  }
}

TEST_CASE("A set of only tiny weights does not overflow") {
  const GateWeights weights("w", {{GateKind::h, {}, std::numeric_limits<double>::denorm_min()}});
  CHECK(weights.find(make_operation(GateKind::h, {0})) == 1);
}

TEST_CASE("Invalid weights are refused") {
  using enum GateKind;
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {-1.0, -1e-300, 1.1e9, infinity, std::nan("")}) {
    INFO(bad);
    CHECK_THROWS_AS(GateWeights("w", {{h, {}, bad}}), UsageError);
    CHECK_THROWS_AS(GateWeights("w", {}, bad), UsageError);
  }
  CHECK_THROWS_MATCHES(GateWeights("w", {{h, {}, 1}, {h, {}, 1}}), UsageError,
                       Catch::Message("the weights 'w': a weight of h is given twice"));
  CHECK_THROWS_AS(GateWeights("w", {{cz, {0, 1}, 1}, {cz, {1, 0}, 2}}), UsageError);
  CHECK_NOTHROW(GateWeights("w", {{cx, {0, 1}, 1}, {cx, {1, 0}, 2}, {cx, {}, 3}}));
  CHECK_THROWS_MATCHES(GateWeights("w", {{cx, {0}, 1}}), UsageError,
                       Catch::Message("the weights 'w': cx has 2 different operands"));
  CHECK_THROWS_AS(GateWeights("w", {{cx, {1, 1}, 1}}), UsageError);
}

TEST_CASE("Measurements and resets have weights on a critical path only") {
  using enum OperationKind;
  const GateWeights weights(
      "w", {{GateKind::h, {2}, 3}, {GateKind{}, {}, 5, measure}, {GateKind{}, {2}, 7, measure}}, 1,
      Combination::critical_path);
  Operation operation = make_operation(GateKind::h, {2});
  CHECK(weights.find(operation) == 3);
  operation.kind = measure;
  CHECK(weights.find(operation) == 7);
  operation.qubits = {1};
  CHECK(weights.find(operation) == 5);
  operation.kind = reset;
  CHECK_FALSE(weights.find(operation).has_value());
  CHECK_THROWS_MATCHES(GateWeights("w", {{GateKind{}, {}, 5, measure}}), UsageError,
                       Catch::Message("the weights 'w': only gates have weights in a sum"));
  const auto path = [](std::vector<GateWeight> all) {
    return GateWeights("w", all, std::nullopt, Combination::critical_path);
  };
  CHECK_THROWS_MATCHES(path({{GateKind{}, {}, 5, reset}, {GateKind{}, {}, 5, reset}}), UsageError,
                       Catch::Message("the weights 'w': a weight of reset is given twice"));
  CHECK_THROWS_MATCHES(path({{GateKind{}, {0, 1}, 5, measure}}), UsageError,
                       Catch::Message("the weights 'w': measure has 1 different operands"));
  CHECK_THROWS_MATCHES(
      path({{GateKind{}, {}, 5, barrier}}), UsageError,
      Catch::Message("the weights 'w': only gates, measurements and resets have weights"));
}
