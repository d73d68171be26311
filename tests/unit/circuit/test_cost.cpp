#include <catch2/catch.hpp>
#include <memory>

#include "quartz/circuit/cost.hpp"
#include "quartz/errors.hpp"

using namespace quartz;

namespace {

Angle pi(std::int64_t numerator, std::int64_t denominator = 1) {
  return Angle::pi_times(Rational(numerator, denominator));
}

Operation wall(OperationKind kind, std::initializer_list<Qubit> qubits,
               std::vector<ClassicalBit> bits = {}) {
  Operation operation;
  operation.kind = kind;
  operation.qubits.assign(qubits.begin(), qubits.end());
  ClassicalPart part;
  part.bits = std::move(bits);
  operation.classical = std::make_shared<const ClassicalPart>(std::move(part));
  return operation;
}

Operation conditional(Operation operation, std::uint32_t bit_register, std::uint64_t value) {
  ClassicalPart part;
  part.condition = Condition{bit_register, value};
  operation.classical = std::make_shared<const ClassicalPart>(std::move(part));
  return operation;
}

}  // namespace

TEST_CASE("Gates are counted by kind") {
  const GateCounts counts = count_gates(
      make_circuit(3, {make_operation(GateKind::h, {0}), make_operation(GateKind::t, {0}),
                       make_operation(GateKind::tdg, {1}), make_operation(GateKind::cx, {0, 1}),
                       make_operation(GateKind::ccx, {0, 1, 2}), make_operation(GateKind::s, {2}),
                       make_operation(GateKind::rz, {2}, {pi(1, 4)}),
                       make_operation(GateKind::rz, {2}, {pi(-3, 2)}),
                       make_operation(GateKind::rz, {2}, {Angle::symbol("a")})}));
  CHECK(counts.total == 9);
  CHECK(counts.two_qubit == 2);
  CHECK(counts.t == 4);
  CHECK(counts.depth == 8);
}

TEST_CASE("An empty circuit counts nothing") {
  const GateCounts counts = count_gates(Circuit());
  CHECK(counts.total == 0);
  CHECK(counts.depth == 0);
}

TEST_CASE("Rotations by multiples of pi/2 are no T gates") {
  const auto rz = [](const Angle& angle) { return make_operation(GateKind::rz, {0}, {angle}); };
  CHECK(counts_as_t(rz(pi(1, 4))));
  CHECK(counts_as_t(rz(pi(1, 3))));
  CHECK(counts_as_t(rz(Angle::radians(Rational(1)))));
  CHECK(counts_as_t(rz(Angle::symbol("a"))));
  CHECK_FALSE(counts_as_t(rz(pi(1, 2))));
  CHECK_FALSE(counts_as_t(rz(pi(-7))));
  CHECK_FALSE(counts_as_t(rz(Angle())));
  CHECK(counts_as_t(make_operation(GateKind::u3, {0}, {pi(1, 2), pi(1, 4), pi(1)})));
  CHECK_FALSE(counts_as_t(make_operation(GateKind::u2, {0}, {Angle(), pi(1)})));
  CHECK_FALSE(counts_as_t(make_operation(GateKind::cx, {0, 1})));
  CHECK_FALSE(counts_as_t(wall(OperationKind::measure, {0}, {0})));
}

TEST_CASE("Walls count in nothing but keep the order") {
  Circuit circuit =
      make_circuit(2, {make_operation(GateKind::h, {0}), make_operation(GateKind::h, {0}),
                       wall(OperationKind::barrier, {0, 1}), make_operation(GateKind::x, {1}),
                       wall(OperationKind::reset, {1})});
  const GateCounts counts = count_gates(circuit);
  CHECK(counts.total == 3);
  CHECK(counts.depth == 3);
  // Without the barrier x stands beside the two h.
  circuit.operations.erase(circuit.operations.begin() + 2);
  CHECK(count_gates(circuit).depth == 2);
}

TEST_CASE("A conditional gate counts, and waits for the bits it reads") {
  Circuit circuit =
      make_circuit(2, {make_operation(GateKind::h, {0}), make_operation(GateKind::h, {0}),
                       wall(OperationKind::measure, {0}, {1}),
                       conditional(make_operation(GateKind::t, {1}), 0, 2)});
  circuit.bit_registers.push_back({"c", 0, 2});
  circuit.bit_registers.push_back({"d", 2, 1});
  CHECK(count_gates(circuit).total == 3);
  CHECK(count_gates(circuit).t == 1);
  CHECK(count_gates(circuit).depth == 3);
  // A register that nothing was measured into is there from the start.
  circuit.operations.back() = conditional(make_operation(GateKind::t, {1}), 1, 0);
  CHECK(count_gates(circuit).depth == 2);
}

TEST_CASE("Costs are known by name") {
  const Circuit circuit =
      make_circuit(2, {make_operation(GateKind::t, {0}), make_operation(GateKind::cx, {0, 1}),
                       make_operation(GateKind::h, {1}), make_operation(GateKind::h, {0})});
  CHECK(cost_of(circuit, parse_cost("total")) == 4);
  CHECK(cost_of(circuit, parse_cost("two-qubit")) == 1);
  CHECK(cost_of(circuit, parse_cost("t")) == 1);
  CHECK(cost_of(circuit, parse_cost("depth")) == 3);
  CHECK_THROWS_MATCHES(
      parse_cost("speed"), UsageError,
      Catch::Message("unknown cost 'speed'; known costs: total, two-qubit, t, depth"));
}
