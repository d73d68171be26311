#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "optimize/instantiation/state_preparation.hpp"
#include "quartz/circuit/unitary.hpp"
#include "quartz/target/gate_set.hpp"
#include "random_circuits.hpp"
#include "two_qubit_then_total.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;

namespace {

Operation turn(Qubit qubit, double angle) {
  const auto billionths = static_cast<std::int64_t>(std::llround(1e9 * angle));
  return make_operation(GateKind::ry, {qubit},
                        {Angle::radians(Rational(billionths, 1'000'000'000))});
}

/// Returns a turn of a qubit by an angle under the control of another one.
std::vector<Operation> controlled_turn(Qubit control, Qubit target, double angle) {
  const Operation cnot = make_operation(GateKind::cx, {control, target});
  return {turn(target, angle / 2), cnot, turn(target, -angle / 2), cnot};
}

/// Returns the preparation of a W state by the splits of Baertschi and Eidenbenz (arXiv
/// 1904.07358), with 4 (n - 1) CNOTs.
Circuit w_state(Qubit qubits) {
  std::vector<Operation> operations{make_operation(GateKind::x, {qubits - 1})};
  for (Qubit last = qubits - 1; last > 0; --last) {
    const Operation cnot = make_operation(GateKind::cx, {last - 1, last});
    const double angle = 2 * std::acos(std::sqrt(1.0 / (last + 1)));
    operations.push_back(cnot);
    for (Operation& gate : controlled_turn(last, last - 1, angle)) {
      operations.push_back(std::move(gate));
    }
    operations.push_back(cnot);
  }
  return make_circuit(qubits, std::move(operations));
}

/// Returns the largest difference between the states that two circuits prepare.
double state_distance(const Circuit& left, const Circuit& right) {
  const auto state_of = [](const Circuit& circuit) {
    std::vector<std::complex<double>> state(std::size_t{1} << circuit.qubit_count());
    state[0] = 1;
    for (const Operation& gate : circuit.operations) apply_gate(gate, state);
    const Complex phase = std::polar(1.0, circuit.global_phase.value());
    for (Complex& amplitude : state) amplitude *= phase;
    return state;
  };
  const auto a = state_of(left);
  const auto b = state_of(right);
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// Returns a shorter preparation of a circuit's state, or the circuit itself, and checks it.
Circuit shortened(const Circuit& circuit, const GateSet& set,
                  const StatePreparation::Options& options, std::uint64_t ticks = 3'000'000) {
  const WindowForms forms(set, two_qubit_then_total);
  REQUIRE(forms.available());
  const Budget budget = Budget::of_ticks(ticks);
  const auto found =
      StatePreparation(forms, options).shortened(circuit.operations, circuit.qubit_count(), budget);
  if (!found) return circuit;
  Circuit after = make_circuit(circuit.qubit_count(), found->after);
  after.global_phase = circuit.global_phase + found->phase;
  CHECK(state_distance(circuit, after) < 1e-11);
  CHECK(std::ranges::all_of(after.operations,
                            [&](const Operation& gate) { return set.contains(gate); }));
  CHECK(found->numeric);
  return after;
}

std::size_t two_qubit_gates_in(const Circuit& circuit) {
  return static_cast<std::size_t>(std::ranges::count_if(
      circuit.operations, [](const Operation& gate) { return gate.qubits.size() == 2; }));
}

}  // namespace

TEST_CASE("preparations of W states become short", "[state preparation]") {
  const GateSet set = load_gate_set("ibm_heron");
  for (const Qubit qubits : {2U, 3U, 4U}) {
    INFO("qubits " << qubits);
    const Circuit circuit = translate(w_state(qubits), set);
    const std::size_t found =
        two_qubit_gates_in(shortened(circuit, set, {Exactness::numeric, 1, true}));
    // A split into two halves takes two CNOTs for each qubit but the first two.
    CHECK(found <= 2 * qubits - 3);
    CHECK(found >= qubits - 1);
  }
}

TEST_CASE("a state of few qubits takes as many gates as it has parameters",
          "[state preparation][figures]") {
  const GateSet set = load_gate_set("ibm_heron");
  Random random(5);
  std::vector<Operation> operations;
  for (int k = 0; k < 16; ++k) {
    for (Qubit qubit = 0; qubit < 4; ++qubit) {
      operations.push_back(turn(qubit, 1 + k + 0.37 * qubit));
      operations.push_back(make_operation(GateKind::t, {qubit}));
    }
    const Qubit control = below(random, 3);
    operations.push_back(make_operation(GateKind::cx, {control, control + 1}));
  }
  const Circuit circuit = translate(make_circuit(4, std::move(operations)), set);
  // 30 parameters: 8 in front of the first gate, and 4 with each gate.
  CHECK(two_qubit_gates_in(shortened(circuit, set, {Exactness::keep, 1, true})) <= 6);
}

TEST_CASE("preparations stay on pairs that have gates, and exact if they have to be",
          "[state preparation]") {
  const GateSet set = load_gate_set("ibm_heron");
  const Circuit circuit = translate(w_state(4), set);
  const Circuit on_line = shortened(circuit, set, {Exactness::numeric, 1, false});
  CHECK(two_qubit_gates_in(on_line) < two_qubit_gates_in(circuit));
  for (const Operation& gate : on_line.operations) {
    if (gate.qubits.size() == 2) {
      CHECK(std::max(gate.qubits[0], gate.qubits[1]) - std::min(gate.qubits[0], gate.qubits[1]) ==
            1);
    }
  }
  CHECK(shortened(circuit, set, {Exactness::exact, 1, true}) == circuit);
  CHECK(shortened(circuit, set, {Exactness::numeric, 1, true}, 0) == circuit);
  CHECK(shortened(circuit, set, {Exactness::numeric, 3, true}, 100'000) ==
        shortened(circuit, set, {Exactness::numeric, 3, true}, 100'000));
}

TEST_CASE("a SWAP gate is no gate of which generic preparations consist", "[state preparation]") {
  GateSet set = load_gate_set("ibm_u");
  set.entries.push_back({GateKind::swap});
  const Circuit circuit = make_circuit(2, {make_operation(GateKind::swap, {0, 1}), turn(1, 1.3)});
  CHECK(two_qubit_gates_in(shortened(circuit, set, {})) <= 1);
}
