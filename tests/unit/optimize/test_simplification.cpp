#include <catch2/catch.hpp>

#include "gate_set_circuits.hpp"
#include "optimize/searches/simplify.hpp"
#include "optimize/state/numeric_angle.hpp"
#include "quartz/base/errors.hpp"
#include "random_costs.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::circuit;
using namespace quartz::optimizer;
using namespace quartz::test;

namespace {

struct Simplified {
  Circuit circuit;
  bool numeric = false;
};

Simplified simplify(const Circuit& circuit, const GateSet& set, const Cost& cost,
                    Exactness exactness = Exactness::keep, bool interrupted = false) {
  OptimizeOptions options;
  ClassTables tables(options);
  const RuleSet rules;
  const Problem problem{.circuit = circuit,
                        .set = set,
                        .rules = rules,
                        .cost = cost,
                        .accuracy = {.exactness = exactness},
                        .tables = tables};
  DerivedGates made = make_simplification(problem)->rewrite(
      circuit.operations, interrupted ? Budget::of_ticks(0) : Budget());
  Simplified result{make_circuit(circuit.qubit_count(), std::move(made.gates)),
                    made.derivation.is_numeric()};
  result.circuit.global_phase = circuit.global_phase + made.phase;
  return result;
}

bool has_simple_fractions_only(const Circuit& circuit) {
  return std::all_of(
      circuit.operations.begin(), circuit.operations.end(), [](const Operation& operation) {
        return std::all_of(operation.angles.begin(), operation.angles.end(), is_simple_fraction);
      });
}

}  // namespace

TEST_CASE("simplified circuits are equal and never cost more, for every set", "[simplification]") {
  for (const std::string& name : bundled_gate_sets()) {
    const GateSet set = load_gate_set(name);
    Random random(83);
    for (int round = 0; round < 8; ++round) {
      Circuit circuit = random_circuit_in(set, random, 1 + below(random, 5), below(random, 60));
      if (round % 2 == 1) circuit = with_decimal_angles(std::move(circuit), set, random);
      const Cost cost = random_cost(set, random, circuit.qubit_count());
      INFO("gate set " << name << ", seed 83, round " << round << ", cost " << cost.name());
      for (const ExactnessName& row : exactness_names()) {
        INFO("exactness " << row.name);
        const Simplified result = simplify(circuit, set, cost, row.exactness);
        CHECK(unitary_distance(circuit, result.circuit) < 1e-11);
        CHECK(cost_of(result.circuit, cost) <= cost_of(circuit, cost));
        for (const Operation& operation : result.circuit.operations) CHECK(set.contains(operation));
        if (row.exactness == Exactness::exact) CHECK_FALSE(result.numeric);
        if (row.exactness == Exactness::keep && has_simple_fractions_only(circuit)) {
          CHECK(has_simple_fractions_only(result.circuit));
        }
        // One of them in each round, as all are deterministic for the same reasons.
        if (row.exactness == exactness_names()[round % exactness_names().size()].exactness) {
          CHECK(simplify(circuit, set, cost, row.exactness).circuit == result.circuit);
        }
      }
    }
  }
}

TEST_CASE("fractions of pi become decimals only on request", "[simplification]") {
  const GateSet set = load_gate_set("nam");
  const Circuit exact = deep_two_qubit_circuit(GateKind::h, GateKind::cx);
  const Simplified kept = simplify(exact, set, CostKind::two_qubit);
  const Simplified any = simplify(exact, set, CostKind::two_qubit, Exactness::numeric);
  CHECK(has_simple_fractions_only(kept.circuit));
  CHECK_FALSE(has_simple_fractions_only(any.circuit));
  CHECK(count_gates(any.circuit).two_qubit <= 3);
  CHECK(count_gates(any.circuit).two_qubit < count_gates(kept.circuit).two_qubit);
  CHECK(any.numeric);
  CHECK(unitary_distance(exact, any.circuit) < 1e-11);
  // With one decimal angle, the whole block may be rewritten.
  Circuit mixed = exact;
  mixed.operations.push_back(make_operation(GateKind::rz, {0}, {Angle::radians(Rational(1, 10))}));
  mixed.operations.push_back(make_operation(GateKind::cx, {0, 1}));
  CHECK(count_gates(simplify(mixed, set, CostKind::two_qubit).circuit).two_qubit <= 3);
}

TEST_CASE("folding and blocks help each other", "[simplification]") {
  using enum GateKind;
  const GateSet set = load_gate_set("nam");
  const Angle some = Angle::radians(Rational(3, 10));
  // The rotations on qubit 1 merge across the cx on qubit 2 and cancel; then the two cx cancel.
  const Circuit circuit =
      make_circuit(3, {make_operation(cx, {0, 1}), make_operation(rz, {1}, {some}),
                       make_operation(cx, {1, 2}), make_operation(rz, {1}, {-some}),
                       make_operation(cx, {1, 2}), make_operation(cx, {0, 1})});
  CHECK(simplify(circuit, set, CostKind::total).circuit.operations.empty());
}

TEST_CASE("an interruption leaves the gates unchanged", "[simplification]") {
  const GateSet set = load_gate_set("nam");
  Random random(85);
  const Circuit circuit = random_circuit_in(set, random, 3, 60);
  CHECK(simplify(circuit, set, CostKind::total, Exactness::numeric, true).circuit == circuit);
}

TEST_CASE("large circuits are simplified from the start as far as the budget permits",
          "[simplification]") {
  using enum GateKind;
  constexpr std::uint32_t qubits = 5;
  const std::vector<Operation> group{make_operation(h, {0}),     make_operation(h, {0}),
                                     make_operation(cx, {1, 2}), make_operation(cx, {1, 2}),
                                     make_operation(x, {3}),     make_operation(cx, {3, 4})};
  std::vector<Operation> gates;
  while (gates.size() <= 2 * ResynthesizeBlocks::kGatesOfStretch) {
    gates.insert(gates.end(), group.begin(), group.end());
  }
  const Circuit circuit = make_circuit(qubits, gates);
  const GateSet set = load_gate_set("nam");
  const RuleSet rules;
  OptimizeOptions options;
  ClassTables tables(options);
  const Cost cost = CostKind::total;
  const Problem problem{
      .circuit = circuit, .set = set, .rules = rules, .cost = cost, .tables = tables};
  const auto rewritten = [&](const Budget& budget) {
    return ResynthesizeBlocks(problem).rewrite(gates, budget).gates;
  };
  CHECK(rewritten(Budget::of_ticks(0)) == gates);
  CHECK(rewritten(Budget()).size() < gates.size() / 3);
  // A stretch that has begun is finished.
  const Budget ticks = Budget::of_ticks(1);
  const std::vector<Operation> some = rewritten(ticks);
  CHECK(ticks.spent());
  const std::size_t rest = gates.size() - ResynthesizeBlocks::kGatesOfStretch;
  REQUIRE(some.size() > rest);
  CHECK(some.size() < rest + ResynthesizeBlocks::kGatesOfStretch / 3);
  CHECK(std::equal(gates.end() - static_cast<std::ptrdiff_t>(rest), gates.end(),
                   some.end() - static_cast<std::ptrdiff_t>(rest)));
}

TEST_CASE("names of exactness", "[simplification]") {
  for (const ExactnessName& row : exactness_names()) {
    CHECK(find_exactness(row.name) == row.exactness);
  }
  CHECK_THROWS_AS(find_exactness("roughly"), UsageError);
}

TEST_CASE("equal functions are folded in segments of thousands of gates", "[simplification]") {
  using enum GateKind;
  const Operation toffoli = make_operation(ccx, {0, 1, 2});
  const Operation rotation = make_operation(rz, {2}, {Angle::pi_times(Rational(1, 8))});
  constexpr std::size_t groups = 300;
  std::vector<Operation> gates;
  for (std::size_t i = 0; i < groups; ++i) {
    gates.insert(gates.end(), {toffoli, rotation, toffoli, toffoli, rotation, toffoli,
                               make_operation(h, {0}), make_operation(h, {1})});
  }
  const Circuit circuit = make_circuit(3, gates);
  const GateSet set = load_gate_set("nam");
  const RuleSet rules;
  OptimizeOptions options;
  ClassTables tables(options);
  const Cost cost = CostKind::total;
  const auto folded_in = [&](const Budget::Amount& amount) {
    const Problem problem{.circuit = circuit,
                          .set = set,
                          .rules = rules,
                          .cost = cost,
                          .amount = amount,
                          .tables = tables};
    return FoldEqualFunctions(problem).rewrite(gates, Budget()).gates.size();
  };
  CHECK(folded_in({.seconds = 10}) == gates.size() - groups);
  CHECK(folded_in({.ticks = 1}) == gates.size() - groups);
  // The proofs of a few merges fit into the time.
  const std::size_t in_short_time = folded_in({.seconds = 1e-4});
  CHECK(in_short_time < gates.size());
  CHECK(in_short_time > gates.size() - groups);
}
