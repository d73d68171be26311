#include <catch2/catch.hpp>

#include <sstream>

#include "circuit/history.hpp"
#include "gate_set_circuits.hpp"
#include "journal/history_writer.hpp"
#include "multiples_of_pi.hpp"
#include "optimize/folding/clifford_commutation.hpp"
#include "optimize/folding/pauli_propagation.hpp"
#include "optimize/pauli/one_qubit_clifford.hpp"
#include "optimize/pauli/passing_axes.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/target/gate_set.hpp"
#include "random_circuits.hpp"
#include "replayed_journal.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::circuit;
using namespace quartz::optimizer;
using namespace quartz::test;

namespace {

Circuit commuted(const Circuit& circuit, const GateSet& set) {
  DerivedGates result = commute_cliffords(circuit.operations, circuit.qubit_count(), set);
  Circuit after = make_circuit(circuit.qubit_count(), std::move(result.gates));
  after.global_phase = circuit.global_phase + result.phase;
  return after;
}

}  // namespace

TEST_CASE("products of one-qubit Clifford gates are those of their matrices", "[commutation]") {
  using enum GateKind;
  const std::vector<Operation> gates{make_operation(h, {0}),
                                     make_operation(s, {0}),
                                     make_operation(sdg, {0}),
                                     make_operation(x, {0}),
                                     make_operation(y, {0}),
                                     make_operation(z, {0}),
                                     make_operation(sx, {0}),
                                     make_operation(sxdg, {0}),
                                     make_operation(rx, {0}, {pi(1, 2)}),
                                     make_operation(ry, {0}, {pi(-1, 2)}),
                                     make_operation(rz, {0}, {pi(3, 2)})};
  for (const Operation& first : gates) {
    for (const Operation& second : gates) {
      const OneQubitClifford product = *OneQubitClifford::of(second) * *OneQubitClifford::of(first);
      for (const Operation& third : gates) {
        // The product of all three is a Pauli operator up to a phase if and only if this says so.
        const auto rest = (*OneQubitClifford::of(third) * product).as_pauli();
        std::vector<Operation> operations{first, second, third};
        if (!rest) continue;
        Circuit pauli = make_circuit(1, {});
        if (rest->pauli.z != 0) pauli.operations.push_back(make_operation(z, {0}));
        if (rest->pauli.x != 0) pauli.operations.push_back(make_operation(x, {0}));
        pauli.global_phase = rest->phase;
        CHECK(unitary_distance(make_circuit(1, std::move(operations)), pauli) < 1e-12);
      }
    }
  }
  CHECK_FALSE(OneQubitClifford::of(make_operation(t, {0})).has_value());
  CHECK_FALSE(OneQubitClifford::of(make_operation(rx, {0}, {pi(1, 4)})).has_value());
}

TEST_CASE("rotations about one axis pass each operand of most gates", "[commutation]") {
  using enum GateKind;
  CHECK(passing_axis(cx, 0) == PauliAxis::z);
  CHECK(passing_axis(cx, 1) == PauliAxis::x);
  CHECK(passing_axis(cz, 1) == PauliAxis::z);
  CHECK(passing_axis(ccx, 1) == PauliAxis::z);
  CHECK(passing_axis(ccx, 2) == PauliAxis::x);
  CHECK(passing_axis(crz, 1) == PauliAxis::z);
  CHECK_FALSE(passing_axis(swap, 0).has_value());
  CHECK_FALSE(passing_axis(ch, 1).has_value());
}

TEST_CASE("quarter turns about X pass targets and become part of the next rotation",
          "[commutation]") {
  using enum GateKind;
  // h s = sdg, a turn about X, and x: the first is part of the tdg before it.
  const Circuit circuit =
      make_circuit(2, {make_operation(t, {1}), make_operation(h, {1}), make_operation(s, {1}),
                       make_operation(cx, {0, 1}), make_operation(h, {1}), make_operation(t, {1}),
                       make_operation(h, {1})});
  const Circuit after = commuted(circuit, load_gate_set("clifford_t"));
  CHECK(count_gates(after).total - count_gates(after).two_qubit <= 5);
  CHECK(count_gates(after).t == 2);
  CHECK(unitary_distance(circuit, after) < 1e-9);
}

TEST_CASE("quarter turns about Z pass controls", "[commutation]") {
  using enum GateKind;
  const Circuit circuit = make_circuit(
      2, {make_operation(s, {0}), make_operation(cx, {0, 1}), make_operation(sdg, {0})});
  for (const char* name : {"clifford_t", "nam"}) {
    const GateSet set = load_gate_set(name);
    CHECK(commuted(translate(circuit, set), set).operations ==
          std::vector{make_operation(cx, {0, 1})});
  }
}

TEST_CASE("Clifford gates stay before operations that they cannot pass", "[commutation]") {
  using enum GateKind;
  const std::vector<Operation> gates{make_operation(s, {0}), reset(0), make_operation(sdg, {0})};
  CHECK(commute_cliffords(gates, 1, load_gate_set("clifford_t")).gates == gates);
}

TEST_CASE("commutation of Clifford gates preserves the unitary, for every bundled set",
          "[commutation]") {
  for (const std::string& name : bundled_gate_sets()) {
    const GateSet set = load_gate_set(name);
    if (!has_pauli_gates(set)) continue;
    Random random(31);
    for (int round = 0; round < 60; ++round) {
      const auto qubits = static_cast<std::uint32_t>(1 + below(random, 4));
      const Circuit circuit = random_circuit_in(set, random, qubits, below(random, 30));
      const Circuit after = commuted(circuit, set);
      INFO("gate set " << name << ", seed 31, round " << round);
      CHECK(unitary_distance(circuit, after) < 1e-8);
      CHECK(count_gates(after).two_qubit <= count_gates(circuit).two_qubit);
      for (const Operation& operation : after.operations) CHECK(set.contains(operation));
    }
  }
}

TEST_CASE("commutation leaves no more gates than propagation of Pauli operators", "[commutation]") {
  const GateSet set = load_gate_set("clifford_t");
  Random random(32);
  for (int round = 0; round < 40; ++round) {
    const Circuit circuit = random_circuit_in(set, random, 3, 80);
    const std::size_t qubits = 2 * std::size_t{circuit.qubit_count()};  // operators at the ends
    INFO("seed 32, round " << round);
    CHECK(commuted(circuit, set).operations.size() <=
          propagate_paulis(circuit.operations, 3, set).gates.size() + qubits);
  }
}

TEST_CASE("a replay of the history proves the commutation of Clifford gates", "[commutation]") {
  for (const char* name : {"clifford_t", "nam"}) {
    const GateSet set = load_gate_set(name);
    Random random(33);
    for (int round = 0; round < 10; ++round) {
      const Circuit circuit = random_circuit_in(set, random, 6, 200);
      DerivedGates result = commute_cliffords(circuit.operations, 6, set);
      Circuit after = make_circuit(6, std::move(result.gates));
      after.global_phase = result.phase;
      std::ostringstream journal;
      (void)journal::write_journal(journal, circuit, result.derivation.history());
      INFO("gate set " << name << ", seed 33, round " << round);
      const ReplayReport report = replay(circuit, after, journal.str());
      CHECK(report.is_certified);
      CHECK(report.phase.is_zero());
    }
  }
}

TEST_CASE("a few Clifford gates on many qubits are moved in little memory", "[commutation]") {
  using enum GateKind;
  constexpr std::uint32_t qubits = 1'000'000;
  const Circuit circuit =
      make_circuit(qubits, {make_operation(s, {qubits - 1}), make_operation(cx, {qubits - 1, 0}),
                            make_operation(sdg, {qubits - 1})});
  const Circuit after = commuted(circuit, load_gate_set("clifford_t"));
  CHECK(after.operations == std::vector{make_operation(cx, {qubits - 1, 0})});
}
