#include "optimize/cancellation/adjacent_inverses.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "derived_circuit.hpp"
#include "random_circuits.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;
using enum GateKind;

namespace {

constexpr std::uint32_t kQubits = 4;

Circuit reduced(const Circuit& circuit) {
  const auto found = cancel_adjacent_inverses(circuit.operations, kQubits);
  return found ? with_gates(circuit, *found) : circuit;
}

/// Returns how many gates of each kind a circuit has.
std::vector<std::size_t> by_kind(const Circuit& circuit) {
  std::vector<std::size_t> counts(256);
  for (const Operation& gate : circuit.operations) ++counts[static_cast<std::size_t>(gate.gate)];
  return counts;
}

/// Returns a circuit of random gates into which pairs of inverses were inserted.
Circuit with_inverse_pairs(Random& random, const std::vector<GateKind>& kinds, std::size_t gates,
                           int pairs) {
  Circuit circuit = random_circuit(random, kinds, kQubits, gates);
  for (int i = 0; i < pairs; ++i) circuit = with_inverse_pair(circuit, random, kinds);
  return circuit;
}

}  // namespace

TEST_CASE("cancelling adjacent inverses preserves the unitary with its phase", "[inverses]") {
  Random random(81);
  const std::vector<GateKind> kinds = kinds_up_to(3);
  for (int round = 0; round < 100; ++round) {
    INFO("seed 81, round " << round);
    const Circuit circuit = with_inverse_pairs(random, kinds, 20, 5);
    const Circuit result = reduced(circuit);
    CHECK(unitary_distance(circuit, result) < 1e-9);
    CHECK(result.operations.size() <= circuit.operations.size());
    CHECK(reduced(result).operations == result.operations);
  }
}

TEST_CASE("adjacent inverses cancel equally on few qubits of many", "[inverses]") {
  Random random(83);
  const std::vector<GateKind> kinds = kinds_up_to(3);
  for (int round = 0; round < 50; ++round) {
    INFO("seed 83, round " << round);
    const Circuit circuit = with_inverse_pairs(random, kinds, 6, 4);
    std::vector<Operation> spread = circuit.operations;
    for (Operation& gate : spread) {
      for (Qubit& qubit : gate.qubits) qubit = 250 * qubit + 7;
    }
    const circuit::DerivedGates few = cancel_adjacent_inverses(circuit.operations, kQubits).value();
    const circuit::DerivedGates many = cancel_adjacent_inverses(spread, 1000).value();
    REQUIRE(many.gates.size() == few.gates.size());
    CHECK(few.gates.size() < circuit.operations.size());
    CHECK(many.phase == few.phase);
    for (std::size_t i = 0; i < few.gates.size(); ++i) {
      CHECK(many.gates[i].gate == few.gates[i].gate);
      CHECK(many.gates[i].qubits.front() == 250 * few.gates[i].qubits.front() + 7);
    }
  }
}

TEST_CASE("what is left does not depend on inserted pairs of inverses", "[inverses]") {
  Random random(82);
  const std::vector<GateKind> kinds{h, x, s, sdg, t, tdg, rz, cx, cz, swap, ccx};
  for (int round = 0; round < 200; ++round) {
    INFO("seed 82, round " << round);
    const Circuit circuit = random_circuit(random, kinds, kQubits, 25);
    Circuit longer = circuit;
    for (int i = 0; i < 6; ++i) longer = with_inverse_pair(longer, random, kinds);
    CHECK(by_kind(reduced(longer)) == by_kind(reduced(circuit)));
  }
}

TEST_CASE("gates with something between them stay", "[inverses]") {
  const Operation between = make_operation(cx, {0, 1});
  const Circuit apart = make_circuit(
      kQubits, {make_operation(h, {0}), between, make_operation(h, {0}), make_operation(h, {1})});
  CHECK(reduced(apart).operations == apart.operations);
  const Circuit reversed = make_circuit(kQubits, {between, make_operation(cx, {1, 0})});
  CHECK(reduced(reversed).operations == reversed.operations);
  const Circuit symmetric =
      make_circuit(kQubits, {make_operation(cz, {0, 1}), make_operation(cz, {1, 0})});
  CHECK(reduced(symmetric).operations.empty());
  const Circuit nested =
      make_circuit(kQubits, {make_operation(t, {0}), between, between, make_operation(tdg, {0})});
  CHECK(reduced(nested).operations.empty());
}
