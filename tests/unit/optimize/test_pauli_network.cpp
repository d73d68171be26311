#include <catch2/catch.hpp>

#include "base/budget.hpp"
#include "optimize/pauli_network/clifford_phase.hpp"
#include "optimize/pauli_network/pauli_network.hpp"
#include "optimize/pauli_network/pauli_string.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/optimize/optimize.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;
using enum GateKind;

namespace {

/// Returns the network of a circuit with its global phase.
Circuit network_of(const Circuit& circuit, double reach = 2) {
  const auto network =
      pauli_network(circuit.operations, circuit.qubit_count(), reach, Budget());
  REQUIRE(network);
  Circuit result = make_circuit(circuit.qubit_count(), network->gates);
  result.global_phase = circuit.global_phase + network->phase;
  return result;
}

std::size_t cnots(const Circuit& circuit) {
  return static_cast<std::size_t>(std::ranges::count(circuit.operations, cx, &Operation::gate));
}

}  // namespace

TEST_CASE("Networks of random circuits are equal to them, with the global phase",
          "[pauli network]") {
  const std::vector<GateKind> kinds{cx, cx, h, rz, rz, x};
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const auto qubits = static_cast<Qubit>(1 + below(random, 6));
    std::vector<Operation> operations;
    for (std::size_t i = 0; i < 4 + below(random, 40); ++i) {
      Operation gate = random_gate(random, qubits == 1 ? std::vector{h, rz, x} : kinds, qubits, 4);
      // Clifford rotations, also by more than a turn, and others; some by a parameter.
      if (gate.gate == rz && below(random, 2) == 0) {
        gate.angles[0] =
            Angle::pi_times(Rational(static_cast<std::int64_t>(below(random, 33)) - 16, 2));
      }
      if (gate.gate == rz && below(random, 8) == 0) gate.angles[0] = Angle::symbol("a");
      operations.push_back(std::move(gate));
    }
    const Circuit circuit = make_circuit(qubits, std::move(operations));
    const double reach = below(random, 2) == 0 ? 0.6 : 12;
    CHECK(check_equivalence(circuit, network_of(circuit, reach)).verdict ==
          EquivalenceVerdict::equal);
  }
}

TEST_CASE("Clifford circuits are networks without rotations", "[pauli network]") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const auto qubits = static_cast<Qubit>(2 + below(random, 9));
    std::vector<Operation> operations;
    for (std::size_t i = 0; i < 80; ++i) {
      Operation gate = random_gate(random, {cx, h, rz, x}, qubits, 2);
      operations.push_back(std::move(gate));
    }
    const Circuit circuit = make_circuit(qubits, std::move(operations));
    CHECK(check_equivalence(circuit, network_of(circuit)).verdict == EquivalenceVerdict::equal);
  }
}

TEST_CASE("A network shares CNOTs among rotations", "[pauli network]") {
  // exp(-i a ZZZZ) and exp(-i b ZZZI): together they take the CNOTs of the first one.
  std::vector<Operation> operations;
  const auto exponential = [&](Qubit last) {
    for (Qubit q = 0; q < last; ++q) operations.push_back(make_operation(cx, {q, q + 1}));
    operations.push_back(make_operation(rz, {last}, {Angle::pi_times(Rational(1, 7))}));
    for (Qubit q = last; q-- > 0;) operations.push_back(make_operation(cx, {q, q + 1}));
  };
  exponential(3);
  exponential(2);
  const Circuit circuit = make_circuit(4, std::move(operations));
  const Circuit network = network_of(circuit);
  CHECK(cnots(network) <= 6);
  CHECK(check_equivalence(circuit, network).verdict == EquivalenceVerdict::equal);
}

TEST_CASE("Networks have limits", "[pauli network]") {
  const std::vector<Operation> gates(kMaxRotationsOfNetwork + 1,
                                     make_operation(rz, {0}, {Angle::pi_times(Rational(1, 4))}));
  CHECK_FALSE(pauli_network(gates, 1, 2, Budget()));
  CHECK(pauli_network(std::span(gates).first(20), 1, 2, Budget()));
  CHECK_FALSE(pauli_network({}, kMaxQubitsOfNetwork + 1, 2, Budget()));
  const std::vector<Operation> others{make_operation(ccx, {0, 1, 2})};
  CHECK_FALSE(pauli_network(others, 3, 2, Budget()));
}

TEST_CASE("The phase of Clifford circuits that keep the zero state is exact", "[pauli network]") {
  using enum CliffordKind;
  // (h s)^3 is a global phase: e^{i pi/4} with s = diag(1, i), which is rz times e^{i pi/4}.
  std::vector<CliffordGate> gates;
  for (int i = 0; i < 3; ++i) {
    gates.push_back({CliffordKind::h, 0});
    gates.push_back({CliffordKind::s, 0});
  }
  CHECK(phase_on_zero_state(gates, 1) == 6);
  const std::vector<CliffordGate> four{
      {CliffordKind::s, 0}, {CliffordKind::s, 0}, {CliffordKind::s, 0}, {CliffordKind::s, 0}};
  CHECK(phase_on_zero_state(four, 1) == 4);
  const std::vector<CliffordGate> flips{{CliffordKind::x, 0}};
  CHECK_FALSE(phase_on_zero_state(flips, 1));
  const std::vector<CliffordGate> bell{{CliffordKind::h, 0}, {CliffordKind::cx, 0, 1}};
  CHECK_FALSE(phase_on_zero_state(bell, 2));
  CHECK(phase_on_zero_state({}, 3) == 0);
}
