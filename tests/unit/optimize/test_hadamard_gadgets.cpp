#include <catch2/catch.hpp>

#include <algorithm>

#include "optimize/hadamard_gadgets/gadget_circuit.hpp"
#include "outcomes.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/qasm/qasm.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using optimizer::GadgetCircuit;
using optimizer::with_hadamard_gadgets;

namespace {

/// Gates h, x, rz by multiples of pi/4 and cx.
Circuit random_clifford_t(test::Random& random, std::uint32_t qubits, std::size_t size) {
  using enum GateKind;
  return test::random_circuit(random, {h, x, rz, rz, rz, cx}, qubits, size);
}

std::size_t resets_in(const Circuit& circuit) {
  return static_cast<std::size_t>(
      std::ranges::count(circuit.operations, OperationKind::reset, &Operation::kind));
}

}  // namespace

TEST_CASE("Gadgets do what their Hadamard gates do, for every outcome") {
  test::Random random(1);
  std::size_t gadgets = 0;
  for (int i = 0; i < 40; ++i) {
    const Circuit circuit = random_clifford_t(random, 2 + test::below(random, 3), 24);
    const auto made = with_hadamard_gadgets(circuit, 5);
    if (!made) continue;
    REQUIRE(made->ancillas <= 5);
    if (made->gadgets > 5) continue;
    gadgets += made->gadgets;
    const test::AncillaDistance distance = test::ancilla_distance(circuit, made->circuit, random);
    CHECK(distance.infidelity < 1e-9);
    CHECK(distance.bias < 1e-9);
    CHECK(distance.outcomes >= std::size_t{1} << made->gadgets);
  }
  CHECK(gadgets > 20);
}

TEST_CASE("Ancillas are used again, and few of them are enough") {
  test::Random random(2);
  bool has_reset = false;
  for (int i = 0; i < 20; ++i) {
    const Circuit circuit = random_clifford_t(random, 3, 24);
    const auto made = with_hadamard_gadgets(circuit, 1);
    if (!made) continue;
    REQUIRE(made->ancillas <= 1);
    if (made->gadgets > 5) continue;
    has_reset = has_reset || resets_in(made->circuit) > 0;
    CHECK(test::ancilla_distance(circuit, made->circuit, random).infidelity < 1e-9);
  }
  CHECK(has_reset);
}

TEST_CASE("Rotations by other angles stay between regions") {
  test::Random random(3);
  for (int i = 0; i < 20; ++i) {
    using enum GateKind;
    const Circuit circuit = test::random_circuit(random, {h, x, rz, rz, cx}, 3, 25, 12);
    const auto made = with_hadamard_gadgets(circuit, 4);
    if (!made || made->gadgets > 5) continue;
    CHECK(test::ancilla_distance(circuit, made->circuit, random).infidelity < 1e-9);
  }
}

TEST_CASE("A circuit whose rotations commute needs no ancilla") {
  const Circuit circuit = parse_qasm(R"(OPENQASM 2.0; include "qelib1.inc"; qreg q[2];
      h q[0]; rz(pi/4) q[0]; cx q[0],q[1]; rz(pi/4) q[1]; h q[0];)");
  CHECK_FALSE(with_hadamard_gadgets(circuit, 4));
}

TEST_CASE("Names of ancillas and outcomes are not those of the input") {
  const Circuit circuit = parse_qasm(R"(OPENQASM 2.0; include "qelib1.inc";
      qreg ancilla[1]; creg outcome0[1]; 
      rz(pi/4) ancilla[0]; h ancilla[0]; rz(pi/4) ancilla[0]; measure ancilla[0] -> outcome0[0];)");
  const auto made = with_hadamard_gadgets(circuit, 4);
  REQUIRE(made);
  const std::string text = write_qasm(made->circuit);
  CHECK(text.find("qreg ancilla_[1];") != std::string::npos);
  CHECK(text.find("creg outcome_0[1];") != std::string::npos);
  CHECK(parse_qasm(text).operations == made->circuit.operations);
}

TEST_CASE("Measurements and conditions of the input stay between regions") {
  const Circuit circuit = parse_qasm(R"(OPENQASM 2.0; include "qelib1.inc"; qreg q[2]; creg c[1];
      rz(pi/4) q[0]; h q[0]; rz(pi/4) q[0]; cx q[0],q[1]; measure q[0] -> c[0]; if(c==1) h q[1];
      rz(pi/4) q[1]; h q[1]; rz(-pi/4) q[1]; reset q[0]; h q[0]; rz(pi/4) q[0];)");
  const auto made = with_hadamard_gadgets(circuit, 4);
  REQUIRE(made);
  CHECK(made->gadgets == 2);
  EquivalenceOptions options;
  options.ancillas = true;
  CHECK(check_equivalence(circuit, made->circuit, options).verdict ==
        EquivalenceVerdict::equal_up_to_phase);
  Circuit without_correction = made->circuit;
  const auto correction =
      std::ranges::find_if(without_correction.operations, [](const Operation& operation) {
        return !operation.conditions().empty() && operation.gate == GateKind::s;
      });
  REQUIRE(correction != without_correction.operations.end());
  without_correction.operations.erase(correction);
  CHECK(check_equivalence(circuit, without_correction, options).verdict !=
        EquivalenceVerdict::equal_up_to_phase);
}
