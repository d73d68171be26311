#include "certify/replay/replayed_circuit.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::certify;
using namespace quartz::test;

namespace {

constexpr std::uint32_t kQubits = 4;

bool have_common_qubit(const Operation& a, const Operation& b) {
  for (const Qubit qubit : a.qubits) {
    if (std::ranges::find(b.qubits, qubit) != b.qubits.end()) return true;
  }
  return false;
}

/// Returns the same operations in another order of the circuit.
std::vector<Operation> reordered(Random& random, std::vector<Operation> operations) {
  for (std::size_t swaps = 0; operations.size() > 1 && swaps < 10 * operations.size(); ++swaps) {
    const std::size_t i = below(random, static_cast<std::uint32_t>(operations.size() - 1));
    if (!have_common_qubit(operations[i], operations[i + 1])) {
      std::swap(operations[i], operations[i + 1]);
    }
  }
  return operations;
}

Operation measurement(Qubit qubit) {
  Operation operation;
  operation.kind = OperationKind::measure;
  operation.qubits = {qubit};
  ClassicalPart classical;
  classical.bits = {0};
  operation.classical = std::make_shared<const ClassicalPart>(classical);
  return operation;
}

}  // namespace

TEST_CASE("a replayed circuit has no difference from itself in another order", "[replay]") {
  Random random(53);
  const std::vector<GateKind> kinds = {GateKind::h, GateKind::cx, GateKind::ccx};
  for (std::uint32_t gates = 0; gates < 40; ++gates) {
    const Circuit circuit = random_circuit(random, kinds, kQubits, gates);
    ReplayedCircuit replayed(circuit);
    Circuit other = circuit;
    other.operations = reordered(random, circuit.operations);
    CHECK_FALSE(replayed.difference_from(other));
    // With a classical part, circuits are compared from one end only.
    Circuit measured = circuit;
    measured.bit_registers.push_back({"c", 0, 1});
    measured.operations.push_back(measurement(1));
    ReplayedCircuit replayed_measured(measured);
    CHECK_FALSE(replayed_measured.difference_from(measured));
  }
}

TEST_CASE("the first difference from a replayed circuit is found wherever it is", "[replay]") {
  Random random(54);
  const std::vector<GateKind> kinds = {GateKind::h, GateKind::cx, GateKind::ccx};
  for (const std::uint32_t gates : {1U, 2U, 3U, 30U, 31U}) {
    const Circuit circuit = random_circuit(random, kinds, kQubits, gates);
    ReplayedCircuit replayed(circuit);
    for (std::size_t i = 0; i < gates; ++i) {
      INFO(gates << " gates, difference at " << i);
      const std::string place = "operation " + std::to_string(i) + " of the circuit";
      Circuit other = circuit;
      other.operations[i] = make_operation(GateKind::s, {0});
      CHECK_THAT(replayed.difference_from(other).reason(), Catch::StartsWith(place));
      // The same gate with its operands in another order.
      other = circuit;
      QubitList& qubits = other.operations[i].qubits;
      if (qubits.size() == 1) {
        qubits[0] = (qubits[0] + 1) % kQubits;
      } else {
        std::swap(qubits[0], qubits[1]);
      }
      CHECK(replayed.difference_from(other));
    }
    // A gate twice in place of another one.
    for (std::size_t i = 1; i < gates; ++i) {
      if (circuit.operations[i] == circuit.operations[i - 1]) continue;
      Circuit other = circuit;
      other.operations[i] = circuit.operations[i - 1];
      CHECK(replayed.difference_from(other));
    }
  }
}

TEST_CASE("neighbours on a wire may not be exchanged in the middle of a circuit", "[replay]") {
  for (std::size_t gates = 2; gates < 12; ++gates) {
    std::vector<Operation> operations;
    for (std::size_t i = 0; i < gates; ++i) {
      operations.push_back(
          make_operation(i % 2 == 0 ? GateKind::h : GateKind::t, {static_cast<Qubit>(0)}));
    }
    const Circuit circuit = make_circuit(1, operations);
    ReplayedCircuit replayed(circuit);
    for (std::size_t i = 0; i + 1 < gates; ++i) {
      Circuit other = circuit;
      std::swap(other.operations[i], other.operations[i + 1]);
      CHECK(replayed.difference_from(other));
    }
  }
}
