#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gate_set_circuits.hpp"
#include "multiples_of_pi.hpp"
#include "optimize/cancellation/cancellation.hpp"
#include "optimize/cancellation/operator_probe.hpp"
#include "optimize/cancellation/phase_values.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/target/gate_set.hpp"
#include "random_circuits.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::circuit;
using namespace quartz::optimizer;
using namespace quartz::test;
using enum GateKind;

namespace {

constexpr CancellationScope kCones{1, true, false};
constexpr CancellationScope kSpace{1, false, true};

Operation rz_gate(Qubit qubit, const Angle& angle) { return make_operation(rz, {qubit}, {angle}); }

Circuit cancelled(const Circuit& circuit, const GateSet& set, const CancellationScope& scope) {
  DerivedGates gates = cancel_equal_operators(circuit.operations, set, scope);
  Circuit result = make_circuit(circuit.qubit_count(), std::move(gates.gates));
  result.global_phase = circuit.global_phase + gates.phase;
  return result;
}

/// Returns gates around a Toffoli gate that is written without Toffoli gates.
Circuit around_toffoli(std::vector<Operation> before, const std::vector<Operation>& after,
                       const GateSet& set) {
  Circuit circuit = make_circuit(4, std::move(before));
  circuit.operations.push_back(make_operation(ccx, {0, 1, 2}));
  circuit.operations.insert(circuit.operations.end(), after.begin(), after.end());
  return translate(circuit, set);
}

/// Returns X on the last of `controls` + 1 qubits, if all others are 1, with as many borrowed
/// qubits behind it as that takes.
std::vector<Operation> controlled_x(Qubit controls) {
  std::vector<Operation> down;
  for (Qubit i = controls - 1; i > 1; --i) {
    const Qubit below = i == controls - 1 ? controls : controls + i;
    down.push_back(make_operation(ccx, {i, controls + i - 1, below}));
  }
  std::vector<Operation> gates;
  for (int half = 0; half < 2; ++half) {
    const std::ptrdiff_t first = half;
    gates.insert(gates.end(), down.begin() + first, down.end());
    gates.push_back(make_operation(ccx, {0, 1, controls + 1}));
    gates.insert(gates.end(), down.rbegin(), down.rend() - first);
  }
  return gates;
}

/// Returns a circuit on 4 qubits of random Toffoli gates, some of them twice with gates in between.
Circuit random_toffolis(const GateSet& set, Random& random) {
  Circuit circuit = make_circuit(4, {});
  for (int part = 0; part < 5; ++part) {
    std::array<Qubit, 4> qubits{0, 1, 2, 3};
    std::ranges::shuffle(qubits, random);
    const Operation toffoli = make_operation(ccx, {qubits[0], qubits[1], qubits[2]});
    const Operation cnot = make_operation(cx, {qubits[below(random, 3)], qubits[3]});
    circuit.operations.push_back(cnot);
    circuit.operations.push_back(toffoli);
    const Circuit between = random_circuit_in(set, random, 4, 1);
    circuit.operations.insert(circuit.operations.end(), between.operations.begin(),
                              between.operations.end());
    if (random() % 2 != 0) circuit.operations.push_back(toffoli);
    circuit.operations.push_back(cnot);
  }
  return translate(circuit, set);
}

}  // namespace

TEST_CASE("phases are mapped to elements such that sums become products", "[cancellation]") {
  PhaseValues values(3);
  const Angle a = Angle::symbol("a");
  for (const auto& [left, right] : {std::pair{pi(1, 4), pi(3, 4)},
                                    {pi(2, 3), pi(1, 8)},
                                    {pi(1, 7), pi(5, 7)},
                                    {a, Rational(3) * a},
                                    {Angle::radians(Rational(1, 10)), a + pi(1, 2)}}) {
    CHECK(field_product(values.of(left), values.of(right)) == values.of(left + right));
  }
  CHECK(values.of(pi(2)) == 1);
  CHECK(values.of(pi(1)) == kFieldPrime - 1);
  CHECK(values.of(a) != values.of(Angle::symbol("b")));
}

TEST_CASE("operators are evaluated as if they were pulled back to the start", "[cancellation]") {
  OperatorProbe probe(5);
  for (int i = 0; i < 6; ++i) probe.add_wire();
  const FieldWord z0 = probe.value_of({0, 1});
  const FieldWord z0z5 = probe.value_of({0, 0b100001});
  const FieldWord x5 = probe.value_of({0b100000, 0});
  const FieldWord y5 = probe.value_of({0b100000, 0b100000});
  probe.apply_flip(1, 5);  // Z of the target becomes Z Z
  CHECK(probe.value_of({0, 0b100000}) == z0z5);
  CHECK(probe.value_of({0, 1}) == z0);
  CHECK(probe.value_of({0b100000, 0}) == x5);
  probe.apply_flip(1, 5);
  probe.apply_hadamard(5);
  CHECK(probe.value_of({0, 0b100000}) == x5);
  CHECK(probe.value_of({0b100000, 0b100000}) == field_difference(0, y5));
  probe.add_wire();
  CHECK(probe.value_of({0, 1}) == z0);
  CHECK(probe.value_of({0, 0}) == 1);
}

TEST_CASE("CNOTs on both sides of a Toffoli gate cancel", "[cancellation]") {
  const GateSet nam = load_gate_set("nam");
  const Operation cnot = make_operation(cx, {0, 2});
  const Circuit circuit = around_toffoli({cnot}, {cnot}, nam);
  for (const CancellationScope& scope : {kCones, kSpace}) {
    const Circuit after = cancelled(circuit, nam, scope);
    CHECK(count_gates(after).two_qubit == 6);
    CHECK(unitary_distance(circuit, after) < 1e-9);
  }
}

TEST_CASE("CNOTs with operators of other signs leave Pauli gates", "[cancellation]") {
  const GateSet nam = load_gate_set("nam");
  const Operation cnot = make_operation(cx, {0, 2});
  const Operation cz_gate = make_operation(cz, {0, 1});
  const Operation x0 = make_operation(x, {0});
  const Operation z2 = make_operation(z, {2});
  const Operation h2 = make_operation(h, {2});
  for (const auto& [before, after] :
       {std::pair{std::vector{cnot}, std::vector{x0, cnot}},
        {std::vector{cnot}, std::vector{z2, cnot}},
        {std::vector{cnot}, std::vector{x0, z2, cnot}},
        {std::vector{cz_gate}, std::vector{x0, make_operation(x, {1}), cz_gate}},
        {std::vector{h2, make_operation(cz, {0, 2}), h2}, std::vector{x0, cnot}}}) {
    const Circuit circuit = around_toffoli(before, after, nam);
    for (const CancellationScope& scope : {kCones, kSpace}) {
      const Circuit result = cancelled(circuit, nam, scope);
      CHECK(count_gates(result).two_qubit <= count_gates(circuit).two_qubit - 2);
      CHECK(unitary_distance(circuit, result) < 1e-9);
    }
  }
}

TEST_CASE("rotations by symbols merge across other symbols", "[cancellation]") {
  const GateSet nam = load_gate_set("nam");
  const Angle a = Angle::symbol("a");
  const std::vector<Operation> inner{make_operation(h, {3}), rz_gate(3, Angle::symbol("b")),
                                     make_operation(cx, {3, 2}), make_operation(x, {0}),
                                     rz_gate(0, Rational(3) * a)};
  const Circuit circuit = around_toffoli({rz_gate(0, a)}, inner, nam);
  for (const CancellationScope& scope : {kCones, kSpace}) {
    const Circuit after = cancelled(circuit, nam, scope);
    // The rotation by a also merges with one of the Toffoli gate about the same operator.
    const auto is_about_a = [](const Operation& gate) {
      return !gate.angles.empty() && gate.angles[0].symbols() == std::vector<std::string>{"a"};
    };
    REQUIRE(std::ranges::count_if(after.operations, is_about_a) == 1);
    const Operation& merged = *std::ranges::find_if(after.operations, is_about_a);
    CHECK(merged.angles[0].terms()[0].coefficient == Rational(-2));
    CHECK(unitary_distance(circuit, after, {{"a", 0.3}, {"b", 1.1}}) < 1e-9);
  }
}

TEST_CASE("gates whose operators differ on a small part of the space stay", "[cancellation]") {
  // Between the gates, the control changes if four other qubits are 1.
  const GateSet nam = load_gate_set("nam");
  std::vector<Operation> gates = controlled_x(4);
  const Qubit target = 7;
  const Operation cnot = make_operation(cx, {4, target});
  for (const auto& [first, last, removed] :
       {std::tuple{cnot, cnot, 2}, {rz_gate(4, pi(1, 8)), rz_gate(4, pi(1, 8)), 1}}) {
    std::vector<Operation> all{first};
    all.insert(all.end(), gates.begin(), gates.end());
    all.push_back(last);
    const Circuit circuit = translate(make_circuit(8, all), nam);
    for (const CancellationScope& scope : {kCones, kSpace, CancellationScope{}}) {
      const Circuit after = cancelled(circuit, nam, scope);
      CHECK(std::ranges::count(after.operations, first) ==
            std::ranges::count(circuit.operations, first));
      CHECK(check_equivalence(circuit, after).verdict == EquivalenceVerdict::equal);
    }
    // The check of the result would find such a merge.
    Circuit wrong = circuit;
    wrong.operations.erase(std::ranges::find(wrong.operations, first));
    if (removed == 2) wrong.operations.pop_back();
    CHECK(check_equivalence(circuit, wrong).verdict == EquivalenceVerdict::not_equal);
  }
}

TEST_CASE("pairs are found where many wires are constant", "[cancellation]") {
  // The whole space is first evaluated for bits of the controls; the gates in the middle change q8
  // only if both controls are 1.
  const GateSet nam = load_gate_set("nam");
  for (const bool is_equal : {true, false}) {
    std::vector<Operation> gates{make_operation(cx, {8, 9})};
    for (Qubit control = 0; control < 8; control += 2) {
      gates.push_back(make_operation(h, {8}));
      gates.push_back(make_operation(ccx, {control, control + 1, 9}));
      gates.push_back(make_operation(h, {8}));
    }
    if (!is_equal) gates.push_back(make_operation(ccx, {6, 7, 8}));
    gates.push_back(make_operation(cx, {8, 9}));
    Circuit circuit = make_circuit(10, {});
    for (const Operation& gate : gates) {
      if (gate.gate != ccx) {
        circuit.operations.push_back(gate);
        continue;
      }
      // The usual form of a Toffoli gate, which is diagonal on both controls.
      const auto [a, b, c] = std::array{gate.qubits[0], gate.qubits[1], gate.qubits[2]};
      const std::vector<Operation> parts{
          make_operation(h, {c}),     make_operation(cx, {b, c}), rz_gate(c, pi(-1, 4)),
          make_operation(cx, {a, c}), rz_gate(c, pi(1, 4)),       make_operation(cx, {b, c}),
          rz_gate(c, pi(-1, 4)),      make_operation(cx, {a, c}), rz_gate(c, pi(1, 4)),
          rz_gate(a, pi(1, 4)),       rz_gate(b, pi(1, 4)),       make_operation(h, {c}),
          make_operation(cz, {a, b})};
      circuit.operations.insert(circuit.operations.end(), parts.begin(), parts.end() - 1);
    }
    const Circuit after = cancelled(circuit, nam, kSpace);
    const auto cnots = [](const Circuit& of) {
      return std::ranges::count(of.operations, make_operation(cx, {8, 9}));
    };
    CHECK(cnots(after) == (is_equal ? 0 : 2));
    CHECK(check_equivalence(circuit, after).verdict == EquivalenceVerdict::equal);
  }
}

TEST_CASE("random circuits are preserved when equal operators cancel", "[cancellation]") {
  Random random(11);
  std::size_t removed = 0;
  for (const char* const name : {"nam", "ibm", "clifford_t", "ibm_heron_fractional", "rigetti"}) {
    const GateSet set = load_gate_set(name);
    for (int i = 0; i < 20; ++i) {
      const Circuit circuit = random_toffolis(set, random);
      for (const CancellationScope& scope : {kCones, kSpace, CancellationScope{}}) {
        const Circuit after = cancelled(circuit, set, scope);
        removed += circuit.operations.size() - after.operations.size();
        CAPTURE(name, i);
        REQUIRE(std::ranges::all_of(after.operations,
                                    [&](const Operation& gate) { return set.contains(gate); }));
        REQUIRE(unitary_distance(circuit, after) < 1e-9);
      }
    }
  }
  CHECK(removed > 1000);
}

TEST_CASE("relations within others are found", "[cancellation]") {
  // The borrowed qubits of the inner gates are computed by the outer ones.
  const GateSet nam = load_gate_set("nam");
  const std::vector<Operation> gates = controlled_x(4);
  std::vector<Operation> all{make_operation(cx, {0, 4})};
  all.insert(all.end(), gates.begin(), gates.end());
  all.push_back(make_operation(cx, {0, 4}));
  const Circuit circuit = translate(make_circuit(7, all), nam);
  const Circuit after = cancelled(circuit, nam, {});
  CHECK(std::ranges::count(after.operations, make_operation(cx, {0, 4})) == 0);
  CHECK(check_equivalence(circuit, after).verdict == EquivalenceVerdict::equal);
}

TEST_CASE("operators are not moved through black boxes on their wires", "[cancellation]") {
  const GateSet nam = load_gate_set("nam");
  Operation box;
  box.kind = OperationKind::reset;
  box.classical = std::make_shared<const ClassicalPart>();
  const Operation cnot = make_operation(cx, {0, 2});
  const auto size_with_box_on = [&](Qubit qubit) {
    box.qubits = {qubit};
    const Circuit circuit = around_toffoli({cnot}, {cnot}, nam);
    std::vector<Operation> gates = circuit.operations;
    gates.insert(gates.begin() + 1, box);
    const DerivedGates after = cancel_equal_operators(gates, nam, {});
    return gates.size() - after.gates.size();
  };
  CHECK(size_with_box_on(0) == 0);
  CHECK(size_with_box_on(2) == 0);
  CHECK(size_with_box_on(1) == 2);
  CHECK(size_with_box_on(3) == 2);
}
