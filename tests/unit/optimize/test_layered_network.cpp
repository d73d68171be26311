#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <vector>

#include "base/budget.hpp"
#include "optimize/pauli_network/layered_network.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/optimize/optimize.hpp"
#include "quartz/target/gate_set.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;
using enum GateKind;

namespace {

std::uint64_t t_depth(const Circuit& circuit) {
  return Objective(CostKind::t_depth).units_of(circuit);
}

Circuit layered(const Circuit& circuit) {
  const std::optional<RotationColumns> sequence =
      rotation_columns(circuit.operations, circuit.qubit_count());
  REQUIRE(sequence);
  const auto network = layered_network(*sequence, {.reach = 2}, Budget());
  REQUIRE(network);
  Circuit result = make_circuit(circuit.qubit_count(), network->network.gates);
  result.global_phase = circuit.global_phase + network->network.phase;
  return result;
}

/// Returns CCZ in CNOTs and seven rotations by odd multiples of pi/4, one after the other.
std::vector<Operation> serial_ccz(std::array<Qubit, 3> q) {
  const auto t_of = [](Qubit qubit, int sign) {
    return make_operation(rz, {qubit}, {Angle::pi_times(Rational(sign, 4))});
  };
  const auto cnot = [](Qubit control, Qubit target) {
    return make_operation(cx, {control, target});
  };
  return {t_of(q[0], 1),    t_of(q[1], 1),    cnot(q[0], q[1]), t_of(q[1], -1),   cnot(q[0], q[1]),
          t_of(q[2], 1),    cnot(q[0], q[2]), t_of(q[2], -1),   cnot(q[1], q[2]), t_of(q[2], 1),
          cnot(q[0], q[2]), t_of(q[2], -1),   cnot(q[1], q[2])};
}

}  // namespace

TEST_CASE("networks in layers are equal to their circuits") {
  const std::uint64_t seed = 20261128;
  INFO("seed " << seed);
  Random random(seed);
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  for (int round = 0; round < 60; ++round) {
    INFO("round " << round);
    const Circuit circuit =
        random_circuit(random, {h, x, rz, cx, cx, rz}, 2 + below(random, 4), 40);
    const Circuit network = layered(circuit);
    const EquivalenceReport report = check_equivalence(circuit, network);
    INFO(report.method << ": " << report.witness);
    CHECK(report.verdict == EquivalenceVerdict::equal);
    before += t_depth(circuit);
    after += t_depth(network);
  }
  CHECK(5 * after < 4 * before);
}

TEST_CASE("commuting rotations are beside each other as far as they are independent") {
  // Seven parities of three bits need three layers of independent ones.
  const Circuit ccz = make_circuit(3, serial_ccz({0, 1, 2}));
  CHECK(t_depth(ccz) > 3);
  CHECK(t_depth(layered(ccz)) == 3);

  // Two of them on other qubits take no longer.
  std::vector<Operation> both = serial_ccz({0, 1, 2});
  const std::vector<Operation> other = serial_ccz({3, 4, 5});
  both.insert(both.end(), other.begin(), other.end());
  CHECK(t_depth(layered(make_circuit(6, both))) == 3);

  // Eight parities on one wire, all of them independent, are in one layer.
  std::vector<Operation> chain;
  for (Qubit qubit = 0; qubit < 8; ++qubit) {
    chain.push_back(make_operation(rz, {8}, {Angle::pi_times(Rational(1, 4))}));
    chain.push_back(make_operation(cx, {qubit, 8}));
  }
  const Circuit on_one_wire = make_circuit(9, chain);
  CHECK(t_depth(on_one_wire) == 8);
  const Circuit in_one_layer = layered(on_one_wire);
  CHECK(t_depth(in_one_layer) == 1);
  CHECK(check_equivalence(on_one_wire, in_one_layer).verdict == EquivalenceVerdict::equal);
}

TEST_CASE("the search for layers lowers the T depth, and so does auto") {
  const GateSet nam = load_gate_set("nam");
  std::vector<Operation> gates = serial_ccz({0, 1, 2});
  gates.push_back(make_operation(h, {2}));
  const std::vector<Operation> second = serial_ccz({2, 3, 4});
  gates.insert(gates.end(), second.begin(), second.end());
  const Circuit circuit = make_circuit(5, gates);
  for (const char* search : {"layers", "auto"}) {
    INFO(search);
    OptimizeOptions options;
    options.search = search;
    options.cost = Cost({CostKind::t_depth, CostKind::t, CostKind::total});
    options.steps = 20'000;
    options.threads = 1;
    const OptimizeResult result = optimize(circuit, nam, {}, options);
    CHECK(t_depth(result.circuit) <= 6);
    CHECK(check_equivalence(circuit, result.circuit).verdict == EquivalenceVerdict::equal);
  }
}
