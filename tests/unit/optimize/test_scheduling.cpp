#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gate_set_circuits.hpp"
#include "optimize/cost/scalar_gate_cost.hpp"
#include "optimize/scheduling/scheduled_gates.hpp"
#include "optimize/scheduling/unit_schedule.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/target/gate_set.hpp"
#include "random_circuits.hpp"
#include "short_searches.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;
using enum GateKind;

namespace {

std::uint64_t two_qubit_weight(const Operation& gate) { return gate.qubits.size() >= 2 ? 1 : 0; }

Cost depth_cost() {
  return Cost({CostKind::two_qubit, CostKind::two_qubit_depth, CostKind::total});
}

/// Returns rotations on all pairs of qubits.
Circuit complete_graph(std::uint32_t qubits) {
  Circuit circuit = make_circuit(qubits, {});
  for (Qubit a = 0; a < qubits; ++a) {
    for (Qubit b = a + 1; b < qubits; ++b) {
      circuit.operations.push_back(
          make_operation(rzz, {a, b}, {Angle::radians(Rational(a + 10 * b + 1, 100))}));
    }
  }
  return circuit;
}

/// Returns a circuit with its gates scheduled; nothing if that does not shorten it.
std::optional<Circuit> scheduled(const Circuit& circuit, const GateSet& set) {
  RunWords words(set, scalar_gate_cost_in_blocks(depth_cost(), set));
  FastRandom random(1);
  const std::optional<circuit::DerivedGates> gates = scheduled_gates(
      circuit.operations, circuit.qubit_count(), words, two_qubit_weight, random, Budget());
  if (!gates) return std::nullopt;
  Circuit result = make_circuit(circuit.qubit_count(), gates->gates);
  result.global_phase = circuit.global_phase + gates->phase;
  CHECK(gates->derivation.is_recorded());
  return result;
}

std::uint64_t two_qubit_depth(const Circuit& circuit) {
  return Objective(CostKind::two_qubit_depth).units_of(circuit);
}

}  // namespace

TEST_CASE("rotations on all pairs of qubits take as many layers as a graph has colors",
          "[scheduling]") {
  for (const char* const name : {"ibm_heron_fractional", "ibm_heron", "ibm", "ionq_forte"}) {
    const GateSet set = load_gate_set(name);
    for (const std::uint32_t qubits : {4U, 6U, 8U}) {
      INFO(name << ", " << qubits << " qubits");
      const Circuit circuit = translate(complete_graph(qubits), set);
      const std::uint64_t of_gate = two_qubit_depth(translate(complete_graph(2), set));
      const std::optional<Circuit> result = scheduled(circuit, set);
      REQUIRE(result.has_value());
      // qubits - 1 are the least; the best of random schedules may have one more.
      CHECK(two_qubit_depth(*result) <= of_gate * qubits);
      CHECK(two_qubit_depth(*result) < two_qubit_depth(circuit));
      CHECK(unitary_distance(circuit, *result) < 1e-8);
    }
  }
}

TEST_CASE("only what commutes changes places", "[scheduling]") {
  Random random(17);
  std::size_t changed = 0;
  for (const std::string& name : bundled_gate_sets()) {
    const GateSet set = load_gate_set(name);
    for (int round = 0; round < 12; ++round) {
      INFO(name << ", seed 17, round " << round);
      const Circuit circuit = random_circuit_in(set, random, 5, 60);
      const std::optional<Circuit> result = scheduled(circuit, set);
      if (!result) continue;
      ++changed;
      CHECK(unitary_distance(circuit, *result) < 1e-8);
      CHECK(count_gates(*result).two_qubit == count_gates(circuit).two_qubit);
    }
  }
  CHECK(changed > 10);
}

TEST_CASE("axes follow the Clifford gates before a unit", "[scheduling]") {
  const GateSet set = load_gate_set("ibm_heron");
  RunWords words(set, scalar_gate_cost_in_blocks(depth_cost(), set));
  // The second gate acts as a controlled X between two Hadamard gates, which are sx and rz here.
  const Circuit circuit =
      translate(make_circuit(3, {make_operation(cz, {0, 1}), make_operation(h, {1}),
                                 make_operation(cz, {1, 2}), make_operation(h, {1}),
                                 make_operation(cz, {0, 1})}),
                set);
  const CommutingUnits units = commuting_units(circuit.operations, 3, words, two_qubit_weight);
  REQUIRE(units.units.size() == 3);
  const auto axes_on_1 = [&](std::size_t unit) -> unsigned {
    for (const CommutingUnit::Side& side : units.units[unit].sides) {
      if (side.wire == 1) return side.axes;
    }
    return 0;
  };
  constexpr unsigned kX = 1;
  constexpr unsigned kZ = 4;
  CHECK(axes_on_1(0) == kZ);
  CHECK(axes_on_1(1) == kX);
  CHECK(axes_on_1(2) == kZ);
  CHECK(units.cliffords[1].number == 0);
}

TEST_CASE("free parameters are scheduled as numbers are", "[scheduling]") {
  const GateSet set = load_gate_set("ibm_heron");
  Circuit circuit = complete_graph(5);
  for (std::size_t i = 0; i < circuit.operations.size(); ++i) {
    circuit.operations[i].angles[0] = Angle::symbol("a" + std::to_string(i % 3));
  }
  const Circuit translated = translate(circuit, set);
  const std::optional<Circuit> result = scheduled(translated, set);
  REQUIRE(result.has_value());
  CHECK(two_qubit_depth(*result) < two_qubit_depth(translated));
  CHECK(check_equivalence(translated, *result).verdict == EquivalenceVerdict::equal);
}

TEST_CASE("the search is certified by its history, and never costs more", "[scheduling]") {
  const GateSet set = load_gate_set("ibm_heron");
  const Circuit circuit = translate(complete_graph(6), set);
  OptimizeOptions options = quick(depth_cost());
  options.search = "schedule";
  const OptimizeResult result = optimize(circuit, set, rules_of(set), options);
  CHECK(cost_of(result.circuit, depth_cost()) < cost_of(circuit, depth_cost()));
  CHECK(unitary_distance(circuit, result.circuit) < 1e-8);
  options.cost = CostKind::total;
  CHECK_THROWS_WITH(optimize(circuit, set, rules_of(set), options),
                    Catch::Contains("the cost has no critical path"));
}
