#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

#include "optimize/hadamard_gadgets/gadget_circuit.hpp"
#include "optimize/measured_ancillas/obstacle_to_ancillas.hpp"
#include "outcomes.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/target/gate_set.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using optimizer::GadgetCircuit;

namespace {

/// Gates h, x, rz by multiples of pi/4 and cx.
Circuit random_clifford_t(test::Random& random, std::uint32_t qubits, std::size_t size) {
  using enum GateKind;
  return test::random_circuit(random, {h, x, rz, rz, rz, cx}, qubits, size);
}

/// Returns a circuit with gadgets, searched in a number of ticks.
std::optional<GadgetCircuit> with_gadgets(const Circuit& circuit, std::uint32_t ancillas) {
  FastRandom numbers(1);
  return optimizer::with_gadgets(circuit, ancillas, optimizer::Products::measured,
                                 Budget::of_ticks(20'000), numbers);
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
    const auto made = with_gadgets(circuit, 5);
    if (!made) continue;
    REQUIRE(made->ancillas <= 5);
    if (made->measurements() > 5) continue;
    gadgets += made->gadgets;
    const test::AncillaDistance distance = test::ancilla_distance(circuit, made->circuit, random);
    CHECK(distance.infidelity < 1e-9);
    CHECK(distance.bias < 1e-9);
    CHECK(distance.outcomes >= std::size_t{1} << made->measurements());
  }
  CHECK(gadgets > 20);
}

TEST_CASE("The steps of regions lead from equal gates to the circuit with gadgets") {
  test::Random random(7);
  std::size_t steps = 0;
  for (int i = 0; i < 80; ++i) {
    const std::uint32_t qubits = 2 + test::below(random, 3);
    using enum GateKind;
    const Circuit circuit = i % 2 == 0
                                ? random_clifford_t(random, qubits, 24)
                                : test::random_circuit(random, {h, x, rz, rz, cx}, 3, 25, 12);
    const auto made = with_gadgets(circuit, 1 + test::below(random, 4));
    if (!made) continue;
    CHECK(test::ancilla_distance(circuit, made->grouped, random).infidelity < 1e-9);
    std::vector<Operation> operations = made->grouped.operations;
    for (const optimizer::AncillaStep& step : made->steps) {
      const auto first = operations.begin() + static_cast<std::ptrdiff_t>(step.position);
      const auto last = first + static_cast<std::ptrdiff_t>(step.before.size());
      REQUIRE(std::vector<Operation>(first, last) == step.before);
      operations.insert(operations.erase(first, last), step.after.begin(), step.after.end());
      ++steps;
    }
    CHECK(operations == without_barriers(made->circuit).operations);
  }
  CHECK(steps > 20);
}

TEST_CASE("Ancillas are used again, and few of them are enough") {
  test::Random random(2);
  bool has_reset = false;
  for (int i = 0; i < 20; ++i) {
    const Circuit circuit = random_clifford_t(random, 3, 24);
    const auto made = with_gadgets(circuit, 1);
    if (!made) continue;
    REQUIRE(made->ancillas <= 1);
    if (made->measurements() > 5) continue;
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
    const auto made = with_gadgets(circuit, 4);
    if (!made || made->measurements() > 5) continue;
    CHECK(test::ancilla_distance(circuit, made->circuit, random).infidelity < 1e-9);
  }
}

TEST_CASE("A Toffoli gate takes four T gates with one ancilla, in both versions of OpenQASM") {
  for (const char* const head : {R"(OPENQASM 2.0; include "qelib1.inc"; qreg q[3];)",
                                 R"(OPENQASM 3.0; include "stdgates.inc"; qubit[3] q;)"}) {
    const Circuit toffoli = parse_qasm(std::string(head) + "ccx q[0],q[1],q[2];");
    const auto made = with_gadgets(translate(toffoli, load_gate_set("nam")), 1);
    REQUIRE(made);
    CHECK(made->ancillas == 1);
    CHECK(made->gadgets == 0);
    CHECK(made->products == 1);
    CHECK(made->rotations == 4);
    CHECK(count_gates(made->circuit).t == 4);
    const Circuit written = parse_qasm(write_qasm(made->circuit));
    test::Random random(4);
    const test::AncillaDistance distance = test::ancilla_distance(toffoli, written, random);
    CHECK(distance.infidelity < 1e-9);
    CHECK(distance.bias < 1e-9);
  }
}

TEST_CASE("A pair of Toffoli gates that computes and uncomputes a bit takes four T gates") {
  const Circuit circuit = parse_qasm(R"(OPENQASM 2.0; include "qelib1.inc"; qreg q[5];
      ccx q[0],q[1],q[3]; ccx q[3],q[2],q[4]; ccx q[0],q[1],q[3];)");
  const auto made = with_gadgets(translate(circuit, load_gate_set("nam")), 3);
  REQUIRE(made);
  CHECK(made->ancillas <= 3);
  CHECK(made->products == 2);
  CHECK(count_gates(made->circuit).t == 8);
  test::Random random(5);
  CHECK(test::ancilla_distance(circuit, made->circuit, random).infidelity < 1e-9);
}

TEST_CASE("Products on parities with other rotations do what the circuit does") {
  test::Random random(6);
  std::size_t products = 0;
  for (int i = 0; i < 20; ++i) {
    using enum GateKind;
    const Circuit circuit = test::random_circuit(random, {ccz, ccz, cx, cx, x, rz}, 5, 12);
    const auto made = with_gadgets(translate(circuit, load_gate_set("nam")), 2);
    if (!made || made->measurements() > 5) continue;
    products += made->products;
    CHECK(count_gates(made->circuit).t <= made->rotations);
    CHECK(test::ancilla_distance(circuit, made->circuit, random).infidelity < 1e-9);
  }
  CHECK(products > 20);
}

TEST_CASE("A circuit whose rotations commute needs no ancilla") {
  const Circuit circuit = parse_qasm(R"(OPENQASM 2.0; include "qelib1.inc"; qreg q[2];
      h q[0]; rz(pi/4) q[0]; cx q[0],q[1]; rz(pi/4) q[1]; h q[0];)");
  CHECK_FALSE(with_gadgets(circuit, 4));
}

TEST_CASE("Names of ancillas and outcomes are not those of the input") {
  const Circuit circuit = parse_qasm(R"(OPENQASM 2.0; include "qelib1.inc";
      qreg ancilla[1]; creg outcome0[1]; 
      rz(pi/4) ancilla[0]; h ancilla[0]; rz(pi/4) ancilla[0]; measure ancilla[0] -> outcome0[0];)");
  const auto made = with_gadgets(circuit, 4);
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
  const auto made = with_gadgets(circuit, 4);
  REQUIRE(made);
  CHECK(made->gadgets == 2);
  EquivalenceOptions options;
  options.ancillas = true;
  CHECK(check_equivalence(circuit, made->circuit, options).verdict ==
        EquivalenceVerdict::equal_up_to_phase);
  // All corrections count, except for a phase of a qubit that is measured then.
  std::size_t corrections = 0;
  for (std::size_t i = 0; i < made->circuit.operations.size(); ++i) {
    const Operation correction = made->circuit.operations[i];
    if (correction.conditions().empty() || correction.conditions()[0].bit_register == 0) continue;
    INFO("operation " << i << " on qubit " << correction.qubits[0]);
    ++corrections;
    Circuit changed = made->circuit;
    changed.operations.erase(changed.operations.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK(check_equivalence(circuit, changed, options).verdict ==
          (correction.gate == GateKind::s ? EquivalenceVerdict::equal_up_to_phase
                                          : EquivalenceVerdict::not_equal));
  }
  CHECK(corrections > 3);
}

TEST_CASE("Rotations are counted between measurements, and more than the most are an obstacle") {
  using enum GateKind;
  const auto rotations = [](std::size_t count) {
    std::vector<Operation> gates(count, make_operation(rz, {0}, {Angle::radians(Rational(1, 3))}));
    gates.push_back(make_operation(rz, {0}, {Angle::pi_times(Rational(1, 2))}));
    return gates;
  };
  CHECK_FALSE(optimizer::obstacle_to_rotations(make_circuit(1, rotations(1500))));
  CHECK(optimizer::obstacle_to_rotations(make_circuit(1, rotations(1501))) ==
        "the simplified circuit has 1501 rotations by other angles than multiples of pi/2, and the "
        "most are 1500");
  Circuit divided = make_circuit(1, rotations(1000));
  Operation reset;
  reset.kind = OperationKind::reset;
  reset.qubits = {0};
  divided.operations.push_back(reset);
  for (const Operation& gate : rotations(1501)) divided.operations.push_back(gate);
  CHECK(optimizer::most_rotations_of_stretch(divided) == 1501);
  CHECK(
      optimizer::obstacle_to_rotations(divided) ==
      "the simplified circuit has 1501 rotations by other angles than multiples of pi/2 without a "
      "measurement, reset, barrier or condition between, and the most are 1500");
}
