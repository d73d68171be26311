#include "optimize/runs/one_qubit_runs.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "derived_circuit.hpp"
#include "gate_set_circuits.hpp"
#include "journal/history_writer.hpp"
#include "multiples_of_pi.hpp"
#include "optimize/pauli/one_qubit_group.hpp"
#include "quartz/circuit/cost.hpp"
#include "replayed_journal.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;
using enum GateKind;

namespace {

constexpr std::uint32_t kWires = 3;

ScalarGateCost number_of_gates(const GateSet& set) {
  return scalar_gate_cost_in_blocks(Cost(CostKind::total), set);
}

circuit::DerivedGates merged_gates(const Circuit& circuit, const GateSet& set) {
  RunWords words(set, number_of_gates(set));
  REQUIRE(words.available());
  std::optional<circuit::DerivedGates> result =
      merge_one_qubit_runs(circuit.operations, circuit.qubit_count(), words, RunHistory::recorded);
  return result ? *std::move(result) : circuit::DerivedGates::unchanged(circuit.operations);
}

Circuit merged(const Circuit& circuit, const GateSet& set) {
  return with_gates(circuit, merged_gates(circuit, set));
}

/// The bundled sets that write every rotation.
std::vector<std::string> sets_with_words() {
  std::vector<std::string> names;
  for (const std::string& name : bundled_gate_sets()) {
    const GateSet set = load_gate_set(name);
    if (RunWords(set, number_of_gates(set)).available()) names.push_back(name);
  }
  return names;
}

/// Returns a random gate of the group.
OneQubitClifford random_clifford(Random& random) {
  OneQubitClifford clifford;
  for (int i = 0; i < 8; ++i) {
    clifford = OneQubitClifford::quarter_turn(kPauliAxes.at(below(random, 3))) * clifford;
  }
  return clifford;
}

Operation rz_by(const Angle& angle, Qubit qubit = 0) {
  return make_operation(rz, {qubit}, {angle});
}

}  // namespace

TEST_CASE("products of numbered Clifford gates are those of their matrices", "[runs]") {
  const OneQubitGroup& group = OneQubitGroup::get();
  Random random(91);
  for (int round = 0; round < 500; ++round) {
    const OneQubitClifford left = random_clifford(random);
    const OneQubitClifford right = random_clifford(random);
    INFO("seed 91, round " << round);
    CHECK(group.product(group.of(left), group.of(right)) == group.of(left * right));
    for (const PauliAxis axis : kPauliAxes) {
      // P G = G P' for the operator P' before the gate; quarter turns about them do the same.
      const OneQubitGroup::SignedAxis& passed = group.before(group.of(left).number, axis);
      const OneQubitClifford turn = OneQubitClifford::quarter_turn(passed.axis);
      CHECK(OneQubitClifford::quarter_turn(axis) * left ==
            left * (passed.is_negative ? turn.adjoint() : turn));
    }
  }
  for (const PauliAxis axis : kPauliAxes) {
    const OneQubitClifford turn = OneQubitClifford::quarter_turn(axis);
    CHECK(group.quarter_turns(axis, 3) == group.of(turn * turn * turn));
    CHECK(group.quarter_turns(axis, 7) == group.of(turn.adjoint()));
  }
}

TEST_CASE("sets with rotations by any angle have words for runs", "[runs]") {
  const std::vector<std::string> names = sets_with_words();
  for (const char* name : {"ibm_heron", "ibm_eagle", "rigetti", "google", "quantinuum", "iqm",
                           "nam", "ibm_heron_fractional"}) {
    INFO(name);
    CHECK(std::ranges::count(names, name) == 1);
  }
  for (const char* name : {"clifford_t", "ionq_aria"}) {
    INFO(name);
    CHECK(std::ranges::count(names, name) == 0);
  }
}

TEST_CASE("merging of runs preserves the unitary and its phase, for every set", "[runs]") {
  for (const std::string& name : sets_with_words()) {
    const GateSet set = load_gate_set(name);
    Random random(92);
    for (int round = 0; round < 60; ++round) {
      Circuit circuit = random_circuit_in(set, random, kWires, 10 + below(random, 50));
      if (round % 2 == 1) circuit = with_decimal_angles(std::move(circuit), set, random);
      const Circuit after = merged(circuit, set);
      INFO("gate set " << name << ", seed 92, round " << round);
      CHECK(unitary_distance(circuit, after) < 1e-8);
      CHECK(after.operations.size() <= circuit.operations.size());
      CHECK(count_gates(after).two_qubit <= count_gates(circuit).two_qubit);
      CHECK(count_gates(after).t <= count_gates(circuit).t);
      for (const Operation& operation : after.operations) CHECK(set.contains(operation));
    }
  }
}

TEST_CASE("a replay of the history proves the merging of runs exactly", "[runs]") {
  for (const char* name : {"ibm_heron", "google", "nam"}) {
    const GateSet set = load_gate_set(name);
    Random random(93);
    for (int round = 0; round < 10; ++round) {
      Circuit circuit = random_circuit_in(set, random, kWires, 120);
      // Gates and their inverses, around which runs become one.
      for (int i = 0; i < 20; ++i) {
        circuit = with_inverse_pair(circuit, random, {set.entries.back().gate});
      }
      circuit::DerivedGates result = merged_gates(circuit, set);
      INFO("gate set " << name << ", seed 93, round " << round);
      REQUIRE(result.derivation.is_recorded());
      CHECK_FALSE(result.derivation.is_numeric());
      Circuit after = make_circuit(kWires, std::move(result.gates));
      after.global_phase = result.phase;
      std::ostringstream journal;
      (void)journal::write_journal(journal, circuit, result.derivation.history());
      const ReplayReport report = replay(circuit, after, journal.str());
      CHECK(report.is_certified);
      CHECK(report.phase.is_zero());
    }
  }
}

TEST_CASE("rotations in runs keep exact angles and free parameters", "[runs]") {
  const GateSet set = load_gate_set("ibm_heron");
  const Angle theta = Angle::symbol("theta");
  const Angle tenth = Angle::radians(Rational(1, 10));
  const Circuit circuit =
      make_circuit(1, {rz_by(theta), make_operation(x, {0}), rz_by(tenth), make_operation(x, {0})});
  const Circuit after = merged(circuit, set);
  CHECK(after.operations == std::vector{rz_by(theta - tenth)});
  CHECK(unitary_distance(circuit, after, {{"theta", 0.7}}) < 1e-12);
}

TEST_CASE("Clifford gates of a run become at most three gates", "[runs]") {
  for (const char* name : {"ibm_heron", "ibm_eagle"}) {
    const GateSet set = load_gate_set(name);
    Random random(94);
    for (int round = 0; round < 50; ++round) {
      std::vector<Operation> run;
      for (int i = 0; i < 30; ++i) {
        run.push_back(below(random, 2) == 0
                          ? make_operation(sx, {0})
                          : rz_by(pi(static_cast<std::int64_t>(below(random, 8)), 2)));
      }
      const Circuit circuit = make_circuit(1, std::move(run));
      const Circuit after = merged(circuit, set);
      INFO("gate set " << name << ", seed 94, round " << round);
      CHECK(after.operations.size() <= 3);
      CHECK(unitary_distance(circuit, after) < 1e-9);
    }
  }
}

TEST_CASE("pairs of inverse gates around runs that are the identity are removed", "[runs]") {
  const GateSet set = load_gate_set("ibm_heron");
  const Operation pair = make_operation(cz, {0, 1});
  const std::vector<Operation> identity{rz_by(pi(1, 2), 1), make_operation(sx, {1}),
                                        make_operation(sx, {1}), rz_by(pi(1, 2), 1),
                                        make_operation(x, {1})};
  // The rotations around the inner and the outer pair become one, and that is none.
  std::vector<Operation> gates{rz_by(pi(1, 7)), pair, pair};
  gates.insert(gates.end(), identity.begin(), identity.end());
  gates.push_back(pair);
  gates.push_back(make_operation(cz, {1, 0}));
  gates.push_back(rz_by(pi(-1, 7)));
  const Circuit circuit = make_circuit(2, std::move(gates));
  const Circuit after = merged(circuit, set);
  CHECK(after.operations.empty());
  CHECK(unitary_distance(circuit, after) < 1e-9);
  // Another operation on one of the qubits keeps the gates apart.
  const Circuit apart = make_circuit(3, {pair, make_operation(cz, {1, 2}), pair});
  CHECK(merged(apart, set).operations == apart.operations);
}

TEST_CASE("runs with more rotations than a word has are merged in parts", "[runs]") {
  const GateSet set = load_gate_set("ibm_heron");
  std::vector<Operation> run;
  for (int i = 0; i < 40; ++i) {
    run.push_back(rz_by(pi(1, 9)));
    run.insert(run.end(), 3, make_operation(sx, {0}));
  }
  const Circuit circuit = make_circuit(1, std::move(run));
  const Circuit after = merged(circuit, set);
  CHECK(count_gates(after).t == 40);
  CHECK(after.operations.size() < circuit.operations.size());
  CHECK(unitary_distance(circuit, after) < 1e-8);
}

TEST_CASE("a run stays if the phases are beyond exact arithmetic, and others are merged",
          "[runs]") {
  const GateSet set = load_gate_set("ibm_u");
  // X P(a) X = e^{ia} P(-a): four of these phases have a denominator of more than 64 bits.
  std::vector<Operation> operations;
  for (const int prime : {100003, 100019, 100043, 100049, 100057, 100069}) {
    operations.push_back(make_operation(x, {0}));
    operations.push_back(make_operation(p, {0}, {Angle::pi_times(Rational(2, prime))}));
    operations.push_back(make_operation(x, {0}));
    operations.push_back(make_operation(cx, {0, 1}));
  }
  const Circuit circuit = translate(make_circuit(2, std::move(operations)), set);
  const Circuit after = merged(circuit, set);
  CHECK(after.operations.size() < circuit.operations.size());
  CHECK(after.operations.size() > circuit.operations.size() / 2);
  CHECK(unitary_distance(circuit, after) < 1e-9);
}

TEST_CASE("runs are not merged across measurements and conditional gates", "[runs]") {
  const GateSet set = load_gate_set("ibm_heron");
  const std::vector<Operation> gates{rz_by(pi(1, 5)), reset(0), rz_by(pi(-1, 5))};
  RunWords words(set, number_of_gates(set));
  CHECK_FALSE(merge_one_qubit_runs(gates, 1, words, RunHistory::recorded).has_value());
}
