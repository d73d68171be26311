#include <catch2/catch.hpp>

#include "gate_set_circuits.hpp"
#include "multiples_of_pi.hpp"
#include "optimize/folding/rotation_folding.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/target/gate_set.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::circuit;
using namespace quartz::optimizer;
using namespace quartz::test;

namespace {

Circuit with_rotations_folded(const Circuit& circuit, const GateSet& set) {
  DerivedGates result = fold_rotations(circuit.operations, circuit.qubit_count(), set);
  Circuit after = make_circuit(circuit.qubit_count(), std::move(result.gates));
  after.global_phase = circuit.global_phase + result.phase;
  return after;
}

}  // namespace

TEST_CASE("equal parities merge across other gates", "[folding]") {
  using enum GateKind;
  const GateSet nam = load_gate_set("nam");
  // The parity q0 + q1 appears on q1 between the first two cx and on q0 after the third.
  const Circuit circuit =
      make_circuit(2, {make_operation(cx, {0, 1}), make_operation(rz, {1}, {pi(1, 4)}),
                       make_operation(cx, {0, 1}), make_operation(cx, {1, 0}),
                       make_operation(rz, {0}, {pi(1, 4)}), make_operation(cx, {1, 0})});
  const Circuit after = with_rotations_folded(circuit, nam);
  REQUIRE(after.operations.size() == 5);
  CHECK(after.operations[1] == make_operation(rz, {1}, {pi(1, 2)}));
  CHECK(unitary_distance(circuit, after) < 1e-9);
}

TEST_CASE("a rotation on the complemented parity merges with its sign changed", "[folding]") {
  using enum GateKind;
  const Circuit circuit =
      make_circuit(1, {make_operation(rz, {0}, {pi(1, 4)}), make_operation(x, {0}),
                       make_operation(rz, {0}, {pi(1, 4)}), make_operation(x, {0})});
  const Circuit after = with_rotations_folded(circuit, load_gate_set("nam"));
  CHECK(after.operations.size() == 2);  // x x is left to the rules
  CHECK(unitary_distance(circuit, after) < 1e-9);
}

TEST_CASE("rotations merge through Hadamards if the rotations in between commute", "[folding]") {
  using enum GateKind;
  // Z on q0 becomes X under h and is restored; the rotation between is on another qubit.
  const Circuit circuit =
      make_circuit(2, {make_operation(rz, {0}, {pi(1, 4)}), make_operation(h, {0}),
                       make_operation(rz, {1}, {pi(1, 4)}), make_operation(h, {0}),
                       make_operation(rz, {0}, {pi(-1, 4)})});
  const Circuit after = with_rotations_folded(circuit, load_gate_set("nam"));
  CHECK(count_gates(after).t == 1);
  CHECK(unitary_distance(circuit, after) < 1e-9);
}

TEST_CASE("a rotation that does not commute prevents its neighbours from merging", "[folding]") {
  using enum GateKind;
  const Circuit circuit =
      make_circuit(1, {make_operation(rz, {0}, {pi(1, 4)}), make_operation(h, {0}),
                       make_operation(rz, {0}, {pi(1, 4)}), make_operation(h, {0}),
                       make_operation(rz, {0}, {pi(1, 4)})});
  CHECK(with_rotations_folded(circuit, load_gate_set("nam")).operations == circuit.operations);
}

TEST_CASE("symbols merge and cancel exactly", "[folding]") {
  using enum GateKind;
  const Angle theta = Angle::symbol("theta");
  const Circuit circuit =
      make_circuit(2, {make_operation(rz, {0}, {theta}), make_operation(cx, {0, 1}),
                       make_operation(rz, {0}, {-theta}), make_operation(rz, {1}, {theta}),
                       make_operation(rz, {1}, {Angle::radians(Rational(1, 10))})});
  const Circuit after = with_rotations_folded(circuit, load_gate_set("nam"));
  REQUIRE(after.operations.size() == 2);
  CHECK(after.operations[1].angles[0] == theta + Angle::radians(Rational(1, 10)));
  CHECK(unitary_distance(circuit, after, {{"theta", 0.77}}) < 1e-9);
}

TEST_CASE("fixed gates merge into the shortest product the set has", "[folding]") {
  using enum GateKind;
  const GateSet set = load_gate_set("clifford_t");
  const Circuit two_t = make_circuit(1, {make_operation(t, {0}), make_operation(t, {0})});
  CHECK(with_rotations_folded(two_t, set).operations == std::vector{make_operation(s, {0})});
  const Circuit inverse = make_circuit(1, {make_operation(t, {0}), make_operation(tdg, {0})});
  CHECK(with_rotations_folded(inverse, set).operations.empty());
  const Circuit around = make_circuit(1, {make_operation(z, {0}), make_operation(s, {0})});
  CHECK(with_rotations_folded(around, set).operations == std::vector{make_operation(sdg, {0})});
}

TEST_CASE("folding preserves the unitary and never adds gates, for every bundled set",
          "[folding]") {
  for (const std::string& name : bundled_gate_sets()) {
    const GateSet set = load_gate_set(name);
    Random random(20);
    for (int round = 0; round < 60; ++round) {
      const auto qubits = static_cast<std::uint32_t>(1 + below(random, 4));
      const Circuit circuit = random_circuit_in(set, random, qubits, below(random, 25));
      const Circuit after = with_rotations_folded(circuit, set);
      INFO("gate set " << name << ", seed 20, round " << round);
      CHECK(unitary_distance(circuit, after) < 1e-8);
      CHECK(after.operations.size() <= circuit.operations.size());
      CHECK(count_gates(after).t <= count_gates(circuit).t);
      for (const Operation& operation : after.operations) CHECK(set.contains(operation));
    }
  }
}

TEST_CASE("circuits on many qubits fold in groups, in little memory", "[folding]") {
  using enum GateKind;
  constexpr std::uint32_t qubits = 100'000;
  std::vector<Operation> gates;
  for (int times = 0; times < 2; ++times) {
    for (Qubit q = 0; q < qubits; q += 2) {
      gates.push_back(make_operation(cx, {q, q + 1}));
      gates.push_back(make_operation(rz, {q + 1}, {pi(1, 8)}));
      gates.push_back(make_operation(cx, {q, q + 1}));
    }
  }
  const DerivedGates result = fold_rotations(gates, qubits, load_gate_set("nam"));
  CHECK(result.gates.size() == gates.size() - qubits / 2);
  CHECK(result.phase.is_zero());
}

TEST_CASE("folding without a history leaves the same gates", "[folding]") {
  using enum GateKind;
  std::vector<Operation> gates;
  for (Qubit q = 0; q + 2 < 50; ++q) {
    for (const Angle& angle : {pi(1, 4), pi(1, 2), pi(-3, 4)}) {
      gates.push_back(make_operation(rz, {q}, {angle}));
      gates.push_back(make_operation(ccx, {q, q + 1, q + 2}));
      gates.push_back(make_operation(cx, {q + 1, q}));
      gates.push_back(make_operation(x, {q + 1}));
      gates.push_back(make_operation(ccx, {q, q + 1, q + 2}));
      gates.push_back(make_operation(rz, {q + 1}, {angle}));
      gates.push_back(make_operation(h, {q}));
    }
  }
  const GateSet nam = load_gate_set("nam");
  const DerivedGates recorded = fold_rotations(gates, 50, nam);
  const DerivedGates unrecorded = fold_rotations(gates, 50, nam, {}, false);
  CHECK(recorded.gates.size() < gates.size());
  CHECK(recorded.derivation.is_recorded());
  CHECK(unrecorded.gates == recorded.gates);
  CHECK(unrecorded.phase == recorded.phase);
  CHECK_FALSE(unrecorded.derivation.is_recorded());
  const std::vector<Operation> kept{make_operation(h, {0})};
  CHECK(fold_rotations(kept, 1, nam, {}, false).derivation.is_recorded());  // nothing has changed
}

TEST_CASE("few gates on distant qubits fold like gates on neighbouring qubits", "[folding]") {
  using enum GateKind;
  const DerivedGates result = fold_rotations(
      std::vector<Operation>{
          make_operation(rz, {7}, {pi(1, 4)}), make_operation(cx, {16'000'000, 7}),
          make_operation(rz, {16'000'000}, {pi(1, 8)}), make_operation(cx, {16'000'000, 7}),
          make_operation(rz, {7}, {pi(1, 4)})},
      16'777'216, load_gate_set("nam"));
  REQUIRE(result.gates.size() == 4);
  CHECK(result.gates[0] == make_operation(rz, {7}, {pi(1, 2)}));
  CHECK(result.gates[1] == make_operation(cx, {16'000'000, 7}));
}

TEST_CASE("folding that is interrupted keeps its merges, and makes no further ones", "[folding]") {
  using enum GateKind;
  std::vector<Operation> gates(50'000, make_operation(rz, {0}, {pi(1, 1024)}));
  const DerivedGates result = fold_rotations(gates, 1, load_gate_set("nam"), Budget::of_ticks(0));
  CHECK(result.gates.size() > 30'000);
  CHECK(result.gates.size() < 40'000);
  Angle sum;
  for (const Operation& gate : result.gates) sum += gate.angles[0];
  CHECK((sum - pi(50'000, 1024)).reduced_symmetric(2).is_zero());
}
