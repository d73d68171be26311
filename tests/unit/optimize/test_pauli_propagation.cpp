#include <catch2/catch.hpp>

#include "circuit/history.hpp"
#include "gate_set_circuits.hpp"
#include "multiples_of_pi.hpp"
#include "optimize/folding/pauli_propagation.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/target/gate_set.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::circuit;
using namespace quartz::optimizer;
using namespace quartz::test;

namespace {

Circuit propagated(const Circuit& circuit, const GateSet& set) {
  DerivedGates result = propagate_paulis(circuit.operations, circuit.qubit_count(), set);
  Circuit after = make_circuit(circuit.qubit_count(), std::move(result.gates));
  after.global_phase = circuit.global_phase + result.phase;
  return after;
}

}  // namespace

TEST_CASE("pairs of X around rotations and CNOTs vanish", "[propagation]") {
  using enum GateKind;
  const Circuit circuit = make_circuit(
      2, {make_operation(x, {0}), make_operation(rz, {0}, {pi(1, 4)}), make_operation(cx, {0, 1}),
          make_operation(h, {0}), make_operation(rz, {0}, {pi(1)}), make_operation(x, {1})});
  const Circuit after = propagated(circuit, load_gate_set("nam"));
  CHECK(after.operations == std::vector{make_operation(rz, {0}, {pi(-1, 4)}),
                                        make_operation(cx, {0, 1}), make_operation(h, {0})});
  CHECK(unitary_distance(circuit, after) < 1e-9);
}

TEST_CASE("words of Clifford+T gates need no S between T and H", "[propagation]") {
  using enum GateKind;
  std::vector<Operation> word;
  for (int i = 0; i < 10; ++i) {
    for (const GateKind kind : {h, s, t}) word.push_back(make_operation(kind, {0}));
  }
  const Circuit circuit = make_circuit(1, std::move(word));
  const Circuit after = propagated(circuit, load_gate_set("clifford_t"));
  CHECK(count_gates(after).t == 10);
  CHECK(after.operations.size() <= 22);  // two for each T gate, and the operator at the end
  CHECK(unitary_distance(circuit, after) < 1e-9);
}

TEST_CASE("Pauli operators stay before gates that they cannot pass", "[propagation]") {
  using enum GateKind;
  const GateSet set = load_gate_set("clifford_t");
  const Circuit circuit = make_circuit(
      3, {make_operation(x, {0}), make_operation(ccx, {0, 1, 2}), make_operation(x, {0})});
  CHECK(propagated(circuit, set).operations == circuit.operations);
}

TEST_CASE("propagation of Pauli operators preserves the unitary, for every bundled set",
          "[propagation]") {
  for (const std::string& name : bundled_gate_sets()) {
    const GateSet set = load_gate_set(name);
    if (!has_pauli_gates(set)) continue;
    Random random(21);
    for (int round = 0; round < 60; ++round) {
      const auto qubits = static_cast<std::uint32_t>(1 + below(random, 4));
      const Circuit circuit = random_circuit_in(set, random, qubits, below(random, 30));
      const Circuit after = propagated(circuit, set);
      INFO("gate set " << name << ", seed 21, round " << round);
      CHECK(unitary_distance(circuit, after) < 1e-8);
      CHECK(count_gates(after).two_qubit <= count_gates(circuit).two_qubit);
      for (const Operation& operation : after.operations) CHECK(set.contains(operation));
    }
  }
}

TEST_CASE("a second propagation changes the gates before the end no more", "[propagation]") {
  const GateSet set = load_gate_set("clifford_t");
  Random random(22);
  for (int round = 0; round < 40; ++round) {
    const Circuit circuit = random_circuit_in(set, random, 3, 60);
    const Circuit once = propagated(circuit, set);
    INFO("seed 22, round " << round);
    CHECK(propagated(once, set).operations.size() == once.operations.size());
  }
}

TEST_CASE("a few gates on many qubits are propagated in little memory", "[propagation]") {
  using enum GateKind;
  constexpr std::uint32_t qubits = 1'000'000;
  const Circuit circuit =
      make_circuit(qubits, {make_operation(x, {qubits - 1}), make_operation(h, {qubits - 1}),
                            make_operation(rz, {qubits - 1}, {pi(1)})});
  const Circuit after = propagated(circuit, load_gate_set("nam"));
  CHECK(after.operations == std::vector{make_operation(h, {qubits - 1})});
}
