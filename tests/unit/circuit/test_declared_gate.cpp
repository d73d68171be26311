#include "quartz/circuit/declared_gate.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/cost.hpp"

using namespace quartz;
using Catch::Matchers::Contains;

namespace {

Operation call(const std::string& name, std::initializer_list<Qubit> qubits, AngleList angles = {},
               std::vector<Condition> conditions = {}) {
  Operation operation;
  operation.kind = OperationKind::opaque;
  operation.qubits = qubits;
  operation.angles = std::move(angles);
  ClassicalPart part;
  part.opaque_name = name;
  part.conditions = std::move(conditions);
  operation.classical = std::make_shared<const ClassicalPart>(std::move(part));
  return operation;
}

const Angle kA = Angle::symbol("a");
const Angle kB = Angle::symbol("b");

/// Two gates, of which the second one calls the first one twice, on a program with both.
Circuit two_gates() {
  Circuit circuit = make_circuit(3, {call("outer", {2, 0}, {Angle::pi_times(Rational(1, 2))}),
                                     call("inner", {1}, {kB}), make_operation(GateKind::h, {0})});
  circuit.bit_registers.push_back({"c", 0, 1});
  circuit.parameters.push_back({"b"});
  circuit.declared_gates.push_back(
      {"inner",
       {"a"},
       1,
       {make_operation(GateKind::rz, {0}, {kA * Rational(2)}), make_operation(GateKind::h, {0})},
       kA});
  circuit.declared_gates.push_back(
      {"outer",
       {"a"},
       2,
       {call("inner", {1}, {kA + Angle::pi_times(1)}), make_operation(GateKind::cx, {0, 1}),
        call("inner", {0}, {kA})},
       Angle::pi_times(Rational(1, 4))});
  return circuit;
}

}  // namespace

TEST_CASE("Calls are expanded with their angles, qubits and phases", "[declared]") {
  const Circuit expanded = with_expanded_calls(two_gates());
  CHECK(expanded.declared_gates.empty());
  const std::vector<Operation> expected{make_operation(GateKind::rz, {0}, {Angle::pi_times(3)}),
                                        make_operation(GateKind::h, {0}),
                                        make_operation(GateKind::cx, {2, 0}),
                                        make_operation(GateKind::rz, {2}, {Angle::pi_times(1)}),
                                        make_operation(GateKind::h, {2}),
                                        make_operation(GateKind::rz, {1}, {kB * Rational(2)}),
                                        make_operation(GateKind::h, {1}),
                                        make_operation(GateKind::h, {0})};
  CHECK(expanded.operations == expected);
  CHECK(expanded.global_phase == Angle::pi_times(Rational(9, 4)) + kB);
}

TEST_CASE("Calls of some gates are expanded, also in the bodies of others", "[declared]") {
  const Circuit some = with_expanded_calls(two_gates(), {"inner"});
  REQUIRE(some.declared_gates.size() == 1);
  CHECK(some.declared_gates[0].operations.size() == 5);
  CHECK(some.operations.size() == 4);
  CHECK(with_expanded_calls(some) == with_expanded_calls(two_gates()));
}

TEST_CASE("The phase of a call under a condition has no effect", "[declared]") {
  Circuit conditional = two_gates();
  conditional.operations = {call("outer", {0, 1}, {Angle()}, {{.bit_register = 0, .value = 1}})};
  const Circuit expanded = with_expanded_calls(conditional);
  CHECK(expanded.global_phase.is_zero());
  REQUIRE(expanded.operations.size() == 5);
  for (const Operation& operation : expanded.operations) CHECK(operation.conditions().size() == 1);
}

TEST_CASE("Phases of declared gates become the circuit's", "[declared]") {
  const Circuit moved = without_phases_of_declared_gates(two_gates());
  for (const DeclaredGate& gate : moved.declared_gates) CHECK(gate.global_phase.is_zero());
  CHECK(moved.operations == two_gates().operations);
  CHECK(with_expanded_calls(moved) == with_expanded_calls(two_gates()));
}

TEST_CASE("Calls are counted through other gates, and costs are those of the bodies",
          "[declared]") {
  CHECK(calls_of_declared_gates(two_gates()) == std::vector<double>{3, 1});
  CHECK(count_gates(two_gates()).total == 8);
  CHECK(count_gates(two_gates()).depth == count_gates(with_expanded_calls(two_gates())).depth);
  CHECK(cost_of(two_gates(), CostKind::two_qubit).units[0] == 1);
}

TEST_CASE("Bad calls are errors", "[declared]") {
  Circuit bad = two_gates();
  bad.operations = {call("inner", {0})};
  CHECK_THROWS_WITH(with_expanded_calls(bad), Contains("another number of angles or qubits"));
  bad = two_gates();
  std::swap(bad.declared_gates[0], bad.declared_gates[1]);
  CHECK_THROWS_WITH(with_expanded_calls(bad), Contains("called before it is declared"));
  // Each gate calls the one before it twice.
  bad = make_circuit(1, {call("g30", {0})});
  bad.declared_gates.push_back({"g0", {}, 1, {make_operation(GateKind::h, {0})}, {}});
  for (int i = 1; i <= 30; ++i) {
    const std::string before = "g" + std::to_string(i - 1);
    bad.declared_gates.push_back(
        {"g" + std::to_string(i), {}, 1, {call(before, {0}), call(before, {0})}, {}});
  }
  bad.operations = {call("g3", {0})};
  CHECK(count_gates(bad).total == 8);
}

TEST_CASE("Barriers are removed from declared gates too", "[declared]") {
  Circuit with = two_gates();
  Operation barrier;
  barrier.kind = OperationKind::barrier;
  barrier.qubits = {0};
  with.declared_gates[0].operations.push_back(barrier);
  CHECK(without_barriers(with) == two_gates());
}
