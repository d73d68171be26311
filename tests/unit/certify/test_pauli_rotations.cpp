#include <catch2/catch.hpp>
#include <complex>

#include "certify/pauli/pauli_rotations.hpp"
#include "quartz/circuit/unitary.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::certify;
using namespace quartz::test;
using enum GateKind;

namespace {

Comparison compare(const Circuit& left, const Circuit& right) {
  return compare_pauli_rotations(std::get<Problem>(pose_problem(left, right)), {});
}

Outcome outcome(std::uint32_t qubits, std::vector<Operation> left, std::vector<Operation> right) {
  return compare(make_circuit(qubits, std::move(left)), make_circuit(qubits, std::move(right)))
      .outcome;
}

Angle pi_times(std::int64_t numerator, std::int64_t denominator = 1) {
  return Angle::pi_times(Rational(numerator, denominator));
}

/// Returns |trace(left^dagger right)| over the dimension, which is 1 if they are equal up to a
/// phase.
double fidelity(const Circuit& left, const Circuit& right) {
  const std::vector<Complex> a = unitary_of(left.operations, left.qubit_count());
  const std::vector<Complex> b = unitary_of(right.operations, right.qubit_count());
  Complex trace = 0;
  for (std::size_t i = 0; i < a.size(); ++i) trace += std::conj(a[i]) * b[i];
  return std::abs(trace) / static_cast<double>(std::size_t{1} << left.qubit_count());
}

/// Returns the gates of the table that decompose into Hadamard gates, affine maps and rotations
/// about Z.
std::vector<GateKind> comparable_kinds(unsigned qubits) {
  std::vector<GateKind> kinds;
  Random random(1);
  for (const GateKind kind : kinds_up_to(qubits)) {
    const Circuit circuit = random_circuit(random, {kind}, qubits, 1);
    // This method cancels no common gates, so comparing a circuit with itself needs a real proof.
    if (compare(circuit, circuit).outcome == Outcome::equal) kinds.push_back(kind);
  }
  return kinds;
}

}  // namespace

TEST_CASE("Pauli rotations: every gate of the table is supported", "[pauli rotations]") {
  CHECK(comparable_kinds(3).size() == kinds_up_to(3).size());
}

TEST_CASE("Pauli rotations: an equal verdict is right up to a phase", "[pauli rotations]") {
  Random random(61);
  const std::vector<GateKind> kinds = kinds_up_to(3);
  int equal = 0;
  int unequal = 0;
  for (int round = 0; round < 600; ++round) {
    const Circuit left = random_circuit(random, kinds, 3, 4 + below(random, 8));
    Circuit right = left;
    // Two gates are exchanged, or one gate is replaced, removed, or gets the opposite angle.
    const std::size_t place = below(random, right.operations.size());
    Operation& changed = right.operations[place];
    switch (below(random, 4)) {
      case 0:
        std::swap(changed, right.operations[below(random, right.operations.size())]);
        break;
      case 1:
        for (Angle& angle : changed.angles) angle = -angle;
        break;
      case 2:
        right.operations.erase(right.operations.begin() + static_cast<std::ptrdiff_t>(place));
        break;
      default:
        changed = random_gate(random, kinds, 3, 4);
    }
    INFO("seed 61, round " << round);
    const bool are_equal = fidelity(left, right) > 1 - 1e-9;
    const Comparison result = compare(left, right);
    CHECK(result.outcome != Outcome::different);
    if (result.outcome == Outcome::equal) CHECK(are_equal);
    ++(result.outcome == Outcome::equal ? equal : unequal);
  }
  // Both outcomes must have occurred.
  CHECK(equal > 50);
  CHECK(unequal > 200);
}

TEST_CASE("Pauli rotations: gates equal their decompositions", "[pauli rotations]") {
  for (const Gate& row : gate_table()) {
    for (const Decomposition& decomposition : row.decompositions) {
      if (!decomposition.when.empty()) continue;
      Operation whole;
      whole.gate = row.kind;
      for (Qubit operand = 0; operand < row.qubits; ++operand) whole.qubits.push_back(operand);
      for (const std::string_view name : row.parameters) {
        whole.angles.push_back(Angle::symbol(std::string(name)));
      }
      INFO(row.name);
      CHECK(outcome(row.qubits, {whole}, instantiate(decomposition, whole).operations) ==
            Outcome::equal);
    }
  }
}

TEST_CASE("Pauli rotations: phase folding is recognized", "[pauli rotations]") {
  const Angle theta = Angle::symbol("theta");
  const Angle one = Angle::radians(1);
  // Rotations merge across a CNOT pair, regardless of gates on the control.
  CHECK(outcome(2,
                {make_operation(rz, {1}, {theta}), make_operation(cx, {0, 1}),
                 make_operation(rz, {1}, {one}), make_operation(t, {0}), make_operation(cx, {0, 1}),
                 make_operation(rz, {1}, {one})},
                {make_operation(t, {0}), make_operation(rz, {1}, {theta + one}),
                 make_operation(cx, {0, 1}), make_operation(rz, {1}, {one}),
                 make_operation(cx, {0, 1})}) == Outcome::equal);
  // Two T gates merge into an S gate across a Hadamard pair. The T gate about another axis remains.
  CHECK(outcome(1,
                {make_operation(t, {0}), make_operation(h, {0}), make_operation(h, {0}),
                 make_operation(t, {0}), make_operation(h, {0}), make_operation(t, {0})},
                {make_operation(s, {0}), make_operation(h, {0}), make_operation(t, {0})}) ==
        Outcome::equal);
  // A rotation about the opposite operator has the opposite angle.
  CHECK(outcome(1,
                {make_operation(x, {0}), make_operation(rz, {0}, {theta}), make_operation(x, {0})},
                {make_operation(rz, {0}, {-theta})}) == Outcome::equal);
  CHECK(outcome(1,
                {make_operation(x, {0}), make_operation(rz, {0}, {theta}), make_operation(x, {0})},
                {make_operation(rz, {0}, {theta})}) == Outcome::unknown);
  // Rotations that do not commute remain in order.
  CHECK(outcome(1,
                {make_operation(rx, {0}, {theta}), make_operation(rz, {0}, {one}),
                 make_operation(rx, {0}, {-theta})},
                {make_operation(rz, {0}, {one})}) == Outcome::unknown);
  // A quarter turn changes the axis of the following rotations, in this direction.
  CHECK(outcome(1,
                {make_operation(rx, {0}, {pi_times(1, 2)}), make_operation(rz, {0}, {theta}),
                 make_operation(rx, {0}, {pi_times(-1, 2)})},
                {make_operation(ry, {0}, {theta})}) == Outcome::equal);
  CHECK(outcome(1,
                {make_operation(rx, {0}, {pi_times(1, 2)}), make_operation(rz, {0}, {theta}),
                 make_operation(rx, {0}, {pi_times(-1, 2)})},
                {make_operation(ry, {0}, {-theta})}) == Outcome::unknown);
}

TEST_CASE("Pauli rotations: unsupported operations are unknown", "[pauli rotations]") {
  Circuit conditional = make_circuit(1, {make_operation(x, {0}), make_operation(x, {0})});
  conditional.bit_registers.push_back({"c", 0, 1});
  ClassicalPart part;
  part.conditions.push_back({0, 1});
  for (Operation& operation : conditional.operations) {
    operation.classical = std::make_shared<const ClassicalPart>(part);
  }
  Circuit empty = conditional;
  empty.operations.clear();
  CHECK(compare(conditional, empty).outcome == Outcome::unknown);

  Operation opaque;
  opaque.kind = OperationKind::opaque;
  opaque.qubits = {0};
  ClassicalPart named;
  named.opaque_name = "black_box";
  opaque.classical = std::make_shared<const ClassicalPart>(named);
  CHECK(outcome(1, {opaque}, {opaque}) == Outcome::unknown);
}

TEST_CASE("Pauli rotations: many gates on many qubits", "[pauli rotations]") {
  constexpr std::uint32_t qubits = 70;
  constexpr std::size_t gates = 20'000;
  Random random(62);
  const Circuit left = random_circuit(random, {h, cx, t, rz}, qubits, gates);
  Circuit right = make_circuit(qubits, {});
  for (const Operation& operation : left.operations) {
    // T and H are decomposed in other ways, so that no steps at the ends are equal.
    if (operation.gate == t) {
      right.operations.push_back(make_operation(rz, {operation.qubits[0]}, {pi_times(1, 4)}));
    } else if (operation.gate == h) {
      for (const GateKind kind : {s, sx, s}) {
        right.operations.push_back(make_operation(kind, {operation.qubits[0]}));
      }
    } else {
      right.operations.push_back(operation);
    }
  }
  INFO("seed 62");
  CHECK(compare(left, right).outcome == Outcome::equal);
  // One additional gate makes a difference, wherever it is inserted.
  for (const std::size_t place : {std::size_t{0}, gates / 2, gates - 1}) {
    Circuit other = right;
    other.operations.insert(other.operations.begin() + static_cast<std::ptrdiff_t>(place),
                            make_operation(t, {3}));
    CHECK(compare(left, other).outcome == Outcome::unknown);
  }
}
