#include <catch2/catch.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "optimize/parallel_rotations/parallel_circuit.hpp"
#include "outcomes.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/target/gate_set.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using optimizer::ParallelCircuit;

namespace {

std::optional<ParallelCircuit> in_parallel(const Circuit& circuit, std::uint32_t ancillas) {
  return optimizer::with_parallel_rotations(circuit, ancillas, Budget());
}

std::uint64_t t_depth_of(const Circuit& circuit) {
  return Objective(CostKind::t_depth).units_of(circuit);
}

Circuit in_nam(const std::string& statements) {
  return translate(
      parse_qasm("OPENQASM 2.0; include \"qelib1.inc\"; qreg q[5]; creg c[1];" + statements),
      load_gate_set("nam"));
}

/// Returns the probability that any ancilla is in |1> at the end of a circuit, for a random state
/// of the data qubits.
double probability_of_ones(const Circuit& circuit, std::uint32_t data_qubits,
                           test::Random& random) {
  std::vector<Complex> state = test::random_state_of(data_qubits, circuit.qubit_count(), random);
  double ones = 0;
  for (const test::Outcomes::Branch& branch : test::Outcomes(circuit, std::move(state)).branches) {
    for (std::size_t i = std::size_t{1} << data_qubits; i < branch.state.size(); ++i) {
      ones += std::norm(branch.state[i]);
    }
  }
  return ones;
}

}  // namespace

TEST_CASE("Rotations beside each other do what they did, and leave ancillas in |0>") {
  test::Random random(1);
  std::size_t circuits = 0;
  for (int i = 0; i < 60; ++i) {
    using enum GateKind;
    const std::uint32_t qubits = 2 + test::below(random, 3);
    const Circuit circuit = i % 2 == 0
                                ? test::random_circuit(random, {h, x, rz, rz, cx, cx}, qubits, 30)
                                : test::random_circuit(random, {h, x, rz, cx, cx}, qubits, 40, 12);
    const std::uint32_t ancillas = 1 + test::below(random, 4);
    const std::optional<ParallelCircuit> made = in_parallel(circuit, ancillas);
    if (!made) continue;
    ++circuits;
    INFO("circuit " << i);
    CHECK(made->ancillas <= ancillas);
    CHECK(made->circuit.qubit_count() == qubits + made->ancillas);
    CHECK(t_depth_of(made->circuit) <= made->layers);
    CHECK(test::ancilla_distance(circuit, made->circuit, random).infidelity < 1e-9);
    CHECK(probability_of_ones(made->circuit, qubits, random) < 1e-9);
  }
  CHECK(circuits > 20);
}

TEST_CASE("The steps of layers lead from the circuit to the one with ancillas") {
  test::Random random(2);
  std::size_t steps = 0;
  for (int i = 0; i < 40; ++i) {
    using enum GateKind;
    const Circuit circuit = test::random_circuit(random, {h, x, rz, rz, cx, cx}, 3, 30);
    const std::optional<ParallelCircuit> made = in_parallel(circuit, 2);
    if (!made) continue;
    std::vector<Operation> operations = circuit.operations;
    for (const optimizer::AncillaStep& step : made->steps) {
      const auto first = operations.begin() + static_cast<std::ptrdiff_t>(step.position);
      const auto last = first + static_cast<std::ptrdiff_t>(step.before.size());
      REQUIRE(std::vector<Operation>(first, last) == step.before);
      operations.insert(operations.erase(first, last), step.after.begin(), step.after.end());
      ++steps;
    }
    CHECK(operations == made->circuit.operations);
  }
  CHECK(steps > 20);
}

TEST_CASE("Seven rotations of a Toffoli gate are in as few layers as ancillas permit") {
  // Three of them are independent.
  const Circuit toffoli = in_nam("ccx q[0],q[1],q[2];");
  for (const auto& [ancillas, layers] :
       {std::pair{1U, 2U}, std::pair{3U, 2U}, std::pair{4U, 1U}, std::pair{9U, 1U}}) {
    CAPTURE(ancillas);
    const std::optional<ParallelCircuit> made = in_parallel(toffoli, ancillas);
    REQUIRE(made);
    CHECK(made->layers == layers);
    CHECK(t_depth_of(made->circuit) == layers);
    CHECK(made->ancillas == (layers == 1 ? 4U : ancillas));
  }
}

TEST_CASE("Layers end at measurements and conditions, which stay as they are") {
  const Circuit circuit = in_nam(
      "ccx q[0],q[1],q[2]; measure q[2] -> c[0]; if (c == 1) ccx q[0],q[1],q[3];"
      " reset q[2]; ccx q[1],q[3],q[4];");
  const std::optional<ParallelCircuit> made = in_parallel(circuit, 4);
  REQUIRE(made);
  CHECK(made->layers == 2);
  EquivalenceOptions options;
  options.ancillas = true;
  CHECK(check_equivalence(circuit, made->circuit, options).verdict ==
        EquivalenceVerdict::equal_up_to_phase);
}

TEST_CASE("Rotations that are beside each other on their qubits get no ancillas") {
  CHECK_FALSE(in_parallel(in_nam("t q[0]; t q[1]; cx q[0],q[1]; h q[1]; t q[1];"), 4));
  CHECK_FALSE(in_parallel(in_nam("h q[0]; cx q[0],q[1];"), 4));
}
