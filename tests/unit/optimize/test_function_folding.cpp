#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "derived_circuit.hpp"
#include "gate_set_circuits.hpp"
#include "multiples_of_pi.hpp"
#include "optimize/folding/boolean_functions.hpp"
#include "optimize/folding/function_folding.hpp"
#include "optimize/folding/rotation_folding.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/classes/class_table.hpp"
#include "quartz/optimize/optimize.hpp"
#include "quartz/target/gate_set.hpp"
#include "random_circuits.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::circuit;
using namespace quartz::optimizer;
using namespace quartz::test;

namespace {

Operation ccx_on(Qubit a, Qubit b, Qubit target) {
  return make_operation(GateKind::ccx, {a, b, target});
}

Operation rz_on(Qubit qubit, const Angle& angle) {
  return make_operation(GateKind::rz, {qubit}, {angle});
}

Circuit folded(const Circuit& circuit, const GateSet& set, MergedPlace place = MergedPlace::first) {
  return with_gates(circuit,
                    fold_equal_functions(circuit.operations, circuit.qubit_count(), set, place));
}

std::size_t t_count(const Circuit& circuit) { return count_gates(circuit).t; }

/// The Toffoli gates of Barenco et al. for an AND of `controls` qubits, with as many borrowed
/// qubits as they need.
Circuit barenco_toffoli(Qubit controls) {
  const Qubit target = 2 * controls - 2;
  std::vector<Operation> down;
  for (Qubit i = controls - 1; i > 1; --i) {
    const Qubit below = i == controls - 1 ? target : controls + i - 1;
    down.push_back(ccx_on(i, controls + i - 2, below));
  }
  std::vector<Operation> gates;
  for (int half = 0; half < 2; ++half) {
    const std::size_t first = half == 0 ? 0 : 1;
    gates.insert(gates.end(), down.begin() + static_cast<std::ptrdiff_t>(first), down.end());
    gates.push_back(ccx_on(0, 1, controls));
    gates.insert(gates.end(), down.rbegin(), down.rend() - static_cast<std::ptrdiff_t>(first));
  }
  return make_circuit(target + 1, std::move(gates));
}

}  // namespace

TEST_CASE("Boolean functions are exclusive ors of products", "[folding]") {
  BooleanFunctions functions;
  const BooleanFunction x = functions.variable(0);
  const BooleanFunction y = functions.variable(1);
  const BooleanFunction one = {BooleanFunctions::kOne};
  const BooleanFunction either = BooleanFunctions::exclusive_or(
      BooleanFunctions::exclusive_or(x, y), functions.conjunction(x, y));
  // not (not x and not y)
  const BooleanFunction other = BooleanFunctions::exclusive_or(
      one, functions.conjunction(BooleanFunctions::exclusive_or(one, x),
                                 BooleanFunctions::exclusive_or(one, y)));
  CHECK(either == other);
  CHECK(functions.conjunction(either, either) == either);
  CHECK(functions.substituted(either, 1, one) == one);
  CHECK(functions.substituted(either, 1, x) == x);
  CHECK(functions.variables_of(either) == std::vector<Variable>{0, 1});
  const auto [with, without] = functions.split(either, 0);
  CHECK(with == BooleanFunctions::exclusive_or(one, y));
  CHECK(without == y);
}

TEST_CASE("rotations about the same product of controls merge", "[folding]") {
  // Between the rotations, q2 changes to another function and back.
  const std::vector<Operation> gates{ccx_on(0, 1, 2), rz_on(2, pi(1, 8)), ccx_on(0, 1, 2),
                                     ccx_on(1, 0, 2), rz_on(2, pi(1, 8))};
  const GateSet nam = load_gate_set("nam");
  const Circuit toffolis = make_circuit(3, gates);
  REQUIRE(folded(toffolis, nam).operations.size() == 4);
  CHECK(unitary_distance(toffolis, folded(toffolis, nam)) < 1e-9);

  // The same without Toffoli gates, where the function has to be found.
  const Circuit circuit = translate(toffolis, nam);
  const Circuit after = folded(circuit, nam);
  CHECK(std::ranges::count(after.operations, rz_on(2, pi(1, 4))) >= 1);
  CHECK(std::ranges::count(after.operations, rz_on(2, pi(1, 8))) == 0);
  CHECK(unitary_distance(circuit, after) < 1e-9);
}

TEST_CASE("a rotation about the complement of a function merges with its sign changed",
          "[folding]") {
  const Circuit circuit =
      translate(make_circuit(3, {ccx_on(0, 1, 2), rz_on(2, Angle::symbol("a")), ccx_on(0, 1, 2),
                                 make_operation(GateKind::x, {2}), ccx_on(0, 1, 2),
                                 rz_on(2, Angle::symbol("a"))}),
                load_gate_set("nam"));
  const Circuit after = folded(circuit, load_gate_set("nam"));
  CHECK(std::ranges::none_of(after.operations, [](const Operation& gate) {
    return gate.gate == GateKind::rz && !gate.angles[0].is_constant();
  }));
  CHECK(unitary_distance(circuit, after, {{"a", 0.3}}) < 1e-9);
}

TEST_CASE("a rotation that merges with a Clifford gate keeps its place", "[folding]") {
  const GateSet nam = load_gate_set("nam");
  const Operation toffoli = ccx_on(0, 1, 2);
  for (const MergedPlace place : {MergedPlace::first, MergedPlace::last}) {
    const std::vector<Operation> late{rz_on(2, pi(1, 2)), toffoli, toffoli, rz_on(2, pi(1, 8))};
    CHECK(fold_equal_functions(late, 3, nam, place).gates ==
          std::vector<Operation>{toffoli, toffoli, rz_on(2, pi(5, 8))});
    const std::vector<Operation> early{rz_on(2, pi(1, 8)), toffoli, toffoli, rz_on(2, pi(1, 2))};
    CHECK(fold_equal_functions(early, 3, nam, place).gates ==
          std::vector<Operation>{rz_on(2, pi(5, 8)), toffoli, toffoli});
  }
}

TEST_CASE("a rotation merges with several others at the place that was chosen", "[folding]") {
  const GateSet nam = load_gate_set("nam");
  const Operation toffoli = ccx_on(0, 1, 2);
  std::vector<Operation> gates;
  for (int i = 0; i < 4; ++i) {
    gates.insert(gates.end(), {rz_on(2, pi(1, 16)), toffoli, rz_on(2, pi(1, 32)), toffoli});
  }
  std::vector<Operation> first{rz_on(2, pi(1, 4)), toffoli, rz_on(2, pi(1, 8))};
  first.insert(first.end(), 7, toffoli);
  CHECK(fold_equal_functions(gates, 3, nam, MergedPlace::first).gates == first);
  std::vector<Operation> last(6, toffoli);
  last.insert(last.end(), {rz_on(2, pi(1, 4)), toffoli, rz_on(2, pi(1, 8)), toffoli});
  CHECK(fold_equal_functions(gates, 3, nam, MergedPlace::last).gates == last);
}

TEST_CASE("the place of a merged rotation lets Toffoli gates cancel", "[folding]") {
  // Both rotations about the sum of the target and the product of the controls merge behind the
  // first two Toffoli gates, which cancel.
  const Operation toffoli = ccx_on(0, 1, 2);
  const Circuit circuit =
      translate(make_circuit(3, {toffoli, rz_on(2, pi(-1, 8)), toffoli, rz_on(2, pi(1, 8)), toffoli,
                                 rz_on(2, pi(-1, 8))}),
                load_gate_set("nam"));
  OptimizeOptions options;
  options.cost = CostKind::t;
  options.search = "functions,fold";
  const OptimizeResult result = optimize(circuit, load_gate_set("nam"), {}, options);
  CHECK(t_count(result.circuit) == 9);
  CHECK(unitary_distance(circuit, result.circuit) < 1e-9);
}

TEST_CASE("rotations about different products stay apart", "[folding]") {
  const Circuit circuit = make_circuit(4, {ccx_on(0, 1, 3), rz_on(3, pi(1, 8)), ccx_on(0, 1, 3),
                                           ccx_on(0, 2, 3), rz_on(3, pi(1, 8))});
  CHECK(folded(circuit, load_gate_set("nam")).operations == circuit.operations);
}

TEST_CASE("a black box on a wire of a function keeps rotations apart", "[folding]") {
  const GateSet nam = load_gate_set("nam");
  Operation box;
  box.kind = OperationKind::reset;
  box.qubits = {1};
  box.classical = std::make_shared<const ClassicalPart>();
  const std::vector<Operation> gates{ccx_on(0, 1, 2), rz_on(2, pi(1, 8)), ccx_on(0, 1, 2), box,
                                     ccx_on(0, 1, 2), rz_on(2, pi(1, 8))};
  CHECK(fold_equal_functions(gates, 3, nam).gates == gates);
  std::vector<Operation> elsewhere = gates;
  elsewhere[3].qubits = {3};
  CHECK(fold_equal_functions(elsewhere, 4, nam).gates.size() == 5);
}

TEST_CASE("random circuits are preserved when equal functions are folded", "[folding]") {
  Random random(7);
  std::size_t merges = 0;
  for (const char* const name : {"nam", "ibm", "clifford_t", "ibm_heron_fractional"}) {
    const GateSet set = load_gate_set(name);
    for (int i = 0; i < 60; ++i) {
      // Toffoli gates and their parts in a random order, with random gates among them.
      Circuit circuit = make_circuit(4, {});
      for (int part = 0; part < 6; ++part) {
        std::array<Qubit, 4> qubits{0, 1, 2, 3};
        std::ranges::shuffle(qubits, random);
        const Operation toffoli = ccx_on(qubits[0], qubits[1], qubits[2]);
        circuit.operations.push_back(toffoli);
        const Circuit between = random_circuit_in(set, random, 4, 2);
        circuit.operations.insert(circuit.operations.end(), between.operations.begin(),
                                  between.operations.end());
        if (random() % 2 != 0) circuit.operations.push_back(toffoli);
      }
      circuit = translate(circuit, set);
      for (const MergedPlace place : {MergedPlace::first, MergedPlace::last}) {
        const Circuit after = folded(circuit, set, place);
        if (place == MergedPlace::first) {
          merges += circuit.operations.size() - after.operations.size();
        }
        CAPTURE(name, i, place == MergedPlace::first);
        REQUIRE(std::ranges::all_of(after.operations,
                                    [&](const Operation& gate) { return set.contains(gate); }));
        REQUIRE(unitary_distance(circuit, after) < 1e-9);
      }
    }
  }
  CHECK(merges > 500);
}

TEST_CASE("Toffoli gates with several controls get as few T gates as published", "[folding]") {
  // Amy, Owhadi, Zhang, Lunderville, arXiv 2410.23493: barenco_tof_3, 4 and 5.
  const GateSet nam = load_gate_set("nam");
  for (const auto& [controls, count] : {std::pair{4U, 24U}, {5U, 32U}}) {
    const Circuit circuit = translate(barenco_toffoli(controls), nam);
    const auto fold = [&](const Circuit& each) {
      return with_gates(each, fold_rotations(each.operations, each.qubit_count(), nam));
    };
    CHECK(t_count(fold(circuit)) > count);
    const Circuit after = fold(folded(circuit, nam));
    CHECK(t_count(after) == count);
    if (controls == 4) CHECK(unitary_distance(circuit, after) < 1e-9);
  }
}

TEST_CASE("three rotations that are found equal at once merge once each", "[folding]") {
  // The second and the third one, and the first and the third one, are pairs of the same moment.
  const auto quarter = [](Qubit qubit) { return rz_on(qubit, Angle::pi_times(Rational(1, 2))); };
  const auto cnot = [](Qubit control, Qubit target) {
    return make_operation(GateKind::cx, {control, target});
  };
  const auto hadamard = [](Qubit qubit) { return make_operation(GateKind::h, {qubit}); };
  const Circuit circuit = make_circuit(
      3, {hadamard(2), quarter(2),  hadamard(2), hadamard(1), cnot(2, 1),  hadamard(2),
          cnot(0, 2),  quarter(2),  hadamard(2), cnot(2, 1),  hadamard(2), cnot(0, 2),
          quarter(2),  hadamard(2), cnot(2, 1),  hadamard(2), quarter(2),  hadamard(2),
          cnot(2, 1),  hadamard(2), quarter(2),  hadamard(2), cnot(2, 1),  hadamard(1)});
  const Circuit after = folded(circuit, load_gate_set("nam"));
  CHECK(unitary_distance(circuit, after) < 1e-12);
  CHECK(after.operations.size() < circuit.operations.size());
}

TEST_CASE("a function that is found within another one is found", "[folding]") {
  // q3 is x0 and x1, and q4 is x0 and x1 and x2, computed, erased and computed again.
  const GateSet nam = load_gate_set("nam");
  const std::vector<Operation> compute{ccx_on(0, 1, 3), ccx_on(3, 2, 4)};
  const std::vector<Operation> erase{ccx_on(3, 2, 4), ccx_on(0, 1, 3)};
  std::vector<Operation> gates = compute;
  gates.push_back(rz_on(4, pi(1, 16)));
  gates.insert(gates.end(), erase.begin(), erase.end());
  gates.insert(gates.end(), compute.begin(), compute.end());
  gates.push_back(rz_on(4, pi(1, 16)));
  const Circuit circuit = translate(make_circuit(5, gates), nam);
  const Circuit after = folded(circuit, nam);
  CHECK(std::ranges::count(after.operations, rz_on(4, pi(1, 16))) == 0);
  CHECK(unitary_distance(circuit, after) < 1e-9);

  // With another control in the second computation, the functions differ for one input in eight.
  gates[gates.size() - 2] = ccx_on(3, 1, 4);
  const Circuit other = translate(make_circuit(5, gates), nam);
  const Circuit unmerged = folded(other, nam);
  CHECK(std::ranges::count(unmerged.operations, rz_on(4, pi(1, 16))) == 2);
  CHECK(unitary_distance(other, unmerged) < 1e-9);
}

TEST_CASE("equal functions are folded in long lists of gates", "[folding]") {
  const GateSet nam = load_gate_set("nam");
  const Circuit one = translate(barenco_toffoli(4), nam);
  Circuit circuit = make_circuit(30 * one.qubit_count(), {});
  for (Qubit copy = 0; copy < 30; ++copy) {
    for (Operation gate : one.operations) {
      for (Qubit& qubit : gate.qubits) qubit += copy * one.qubit_count();
      circuit.operations.push_back(std::move(gate));
    }
  }
  OptimizeOptions options;
  options.search = "functions";
  const OptimizeResult result = optimize(circuit, nam, RuleSet(), options);
  CHECK(t_count(result.circuit) == 30 * t_count(folded(one, nam)));
  CHECK(t_count(result.circuit) < t_count(circuit));
}

TEST_CASE("rotations stay apart if the proof of their merge would take too much work",
          "[folding]") {
  std::vector<Operation> gates{rz_on(0, pi(1, 8))};
  for (int i = 0; i < 1500; ++i) {
    gates.push_back(make_operation(GateKind::h, {1}));
    gates.push_back(make_operation(GateKind::cx, {0, 1}));
  }
  gates.push_back(rz_on(0, pi(1, 16)));
  gates.push_back(make_operation(GateKind::cx, {0, 1}));
  gates.push_back(rz_on(0, pi(1, 16)));
  const DerivedGates after = fold_equal_functions(gates, 2, load_gate_set("nam"),
                                                  MergedPlace::first, {}, 2'000.0 * 2'000.0);
  CHECK(after.gates.size() == gates.size() - 1);
  CHECK(std::ranges::count(after.gates, rz_on(0, pi(1, 8))) == 2);
}

TEST_CASE("the automatic search folds equal functions before it anneals", "[folding]") {
  const GateSet nam = load_gate_set("nam");
  const Circuit circuit = translate(barenco_toffoli(4), nam);
  OptimizeOptions options;
  options.steps = 1;
  options.threads = 1;
  options.find_class_table = [](const GateSet& of, ClassTableOptions wanted) {
    wanted.cost = 1;
    return build_class_table(of, wanted);
  };
  const OptimizeResult result = optimize(circuit, nam, RuleSet(), options);
  CHECK(t_count(result.circuit) <= 24);
  CHECK(unitary_distance(circuit, result.circuit) < 1e-9);
}

TEST_CASE("merges are left out whose proofs would take too much work", "[folding]") {
  const GateSet nam = load_gate_set("nam");
  // The proofs of the two merges take 3 * 3 and 1.
  const std::vector<Operation> gates{ccx_on(0, 1, 2),    rz_on(2, pi(1, 8)), ccx_on(0, 1, 2),
                                     ccx_on(0, 1, 2),    rz_on(2, pi(1, 8)), ccx_on(0, 1, 2),
                                     rz_on(0, pi(1, 8)), rz_on(0, pi(1, 16))};
  const auto left = [&](double proof_work) {
    return fold_equal_functions(gates, 3, nam, MergedPlace::first, {}, proof_work).gates.size();
  };
  CHECK(left(kUnlimitedProofs) == 6);
  CHECK(left(10) == 6);
  CHECK(left(9) == 7);
  CHECK(left(1) == 7);
  CHECK(left(0) == 8);
}
