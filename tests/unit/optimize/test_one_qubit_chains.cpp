#include <catch2/catch.hpp>

#include "derived_circuit.hpp"
#include "gate_set_circuits.hpp"
#include "optimize/resynthesis/one_qubit_chains.hpp"
#include "quartz/circuit/cost.hpp"
#include "random_circuits.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;

namespace {

std::uint64_t one_each(const Operation&) { return 1; }
/// Depends on the angles; a gate that is not a T gate is almost free.
std::uint64_t mostly_t(const Operation& operation) { return counts_as_t(operation) ? 1000 : 1; }

std::uint64_t cost_of_gates(std::span<const Operation> gates, const ScalarGateCost& weight) {
  std::uint64_t sum = 0;
  for (const Operation& operation : gates) sum += weight(operation);
  return sum;
}

Angle tenths(std::int64_t count) { return Angle::radians(Rational(count, 10)); }

Circuit shortened(const Circuit& circuit, const GateSet& set,
                  const ScalarGateCost& weight = one_each,
                  Exactness exactness = Exactness::numeric) {
  std::vector<PlacedReplacement> replacements = shorten_one_qubit_chains(
      circuit.operations, circuit.qubit_count(), OneQubitSynthesis(set, weight), weight, exactness);
  circuit::DerivedGates made = circuit::DerivedGates::unchanged(circuit.operations);
  make_replacements(made, replacements);
  return with_gates(circuit, made);
}

GateSet every_rotation() {
  GateSet set;
  using enum GateKind;
  for (const GateKind kind : {rx, ry, rz}) set.entries.push_back({kind, {}});
  return set;
}

}  // namespace

TEST_CASE("rotations pass gates that commute with them, also on other pairs of qubits",
          "[chains]") {
  using enum GateKind;
  const GateSet set = every_rotation();
  const auto remaining = [&](GateKind rotation, const std::vector<Operation>& between,
                             std::int64_t after) {
    std::vector<Operation> gates = {make_operation(rotation, {0}, {tenths(3)})};
    gates.insert(gates.end(), between.begin(), between.end());
    gates.push_back(make_operation(rotation, {0}, {tenths(after)}));
    const Circuit circuit = make_circuit(4, gates);
    const Circuit result = shortened(circuit, set);
    if (result.operations.size() < gates.size()) {
      CHECK(unitary_distance(circuit, result, {{"theta", 0.4}}) < 1e-12);
    }
    return result.operations.size() - between.size();
  };
  const Operation control = make_operation(cx, {0, 1});
  const Operation target = make_operation(cx, {2, 0});
  CHECK(remaining(rz, {control, make_operation(cz, {3, 0}), control}, -3) == 0);
  CHECK(remaining(rz, {control, make_operation(ccx, {2, 0, 1})}, 4) == 1);
  CHECK(remaining(rx, {target, make_operation(rxx, {0, 3}, {Angle::symbol("theta")})}, -3) == 0);
  CHECK(remaining(rz, {make_operation(cp, {1, 0}, {Angle::symbol("theta")})}, 1) == 1);
  // ecr maps Z on its first operand to -Z.
  CHECK(remaining(rz, {make_operation(ecr, {0, 1})}, 3) == 0);
  CHECK(remaining(rz, {make_operation(rz, {0}, {Angle::symbol("theta")})}, -3) == 0);
  // These rotations do not pass the gates.
  CHECK(remaining(rz, {target}, -3) == 2);
  CHECK(remaining(rx, {control}, -3) == 2);
  CHECK(remaining(rz, {make_operation(swap, {0, 1})}, -3) == 2);
}

TEST_CASE("no rotation passes an optimization boundary", "[chains]") {
  using enum GateKind;
  const Operation turn = make_operation(rz, {0}, {tenths(3)});
  const Operation back = make_operation(rz, {0}, {tenths(-3)});
  const Operation controlled = conditional(make_operation(cx, {0, 1}), 0, 1);
  for (const Operation& boundary : {barrier({0, 1}), measure(0, 0), controlled}) {
    const Circuit circuit = classical_circuit(2, {1}, {turn, boundary, back});
    CHECK(shortened(circuit, every_rotation()).operations == circuit.operations);
  }
}

TEST_CASE("a run of minimal length stays unchanged", "[chains]") {
  using enum GateKind;
  const Circuit circuit =
      make_circuit(2, {make_operation(h, {0}), make_operation(rz, {0}, {Angle::decimal("0.1")}),
                       make_operation(cx, {1, 0}), make_operation(h, {0})});
  CHECK(shortened(circuit, load_gate_set("nam")).operations == circuit.operations);
}

TEST_CASE("shortening chains of random circuits preserves the unitary and lowers the cost",
          "[chains]") {
  for (const std::string& name : bundled_gate_sets()) {
    const GateSet set = load_gate_set(name);
    const OneQubitSynthesis synthesis(set, one_each);
    if (!synthesis.universal()) continue;
    Random random(71);
    for (int round = 0; round < 40; ++round) {
      // The circuits have all gates of the table; those outside the set stay, and some have
      // symbols.
      Circuit circuit = round % 2 == 0 ? random_circuit(random, kinds_up_to(3), 4, 40)
                                       : random_circuit_in(set, random, 3, 40);
      for (Operation& operation : circuit.operations) {
        if (round % 4 != 0 || operation.angles.empty() || below(random, 5) != 0) continue;
        operation.angles[0] = Angle::symbol("theta");
      }
      INFO("gate set " << name << ", seed 71, round " << round);
      for (const ScalarGateCost& weight : {ScalarGateCost(one_each), ScalarGateCost(mostly_t)}) {
        const Circuit after = shortened(circuit, set, weight);
        CHECK(unitary_distance(circuit, after, {{"theta", 0.77}}) < 1e-11);
        const std::uint64_t before_cost = cost_of_gates(circuit.operations, weight);
        CHECK(cost_of_gates(after.operations, weight) <= before_cost);
      }
    }
  }
}

TEST_CASE("each recorded replacement is an equality by itself", "[chains]") {
  const GateSet set = load_gate_set("ibm");
  Random random(72);
  std::size_t seen = 0;
  for (int round = 0; round < 20; ++round) {
    const Circuit circuit = random_circuit_in(set, random, 4, 60);
    for (const Exactness exactness : {Exactness::numeric, Exactness::exact}) {
      for (const PlacedReplacement& placed :
           shorten_one_qubit_chains(circuit.operations, circuit.qubit_count(),
                                    OneQubitSynthesis(set, one_each), one_each, exactness)) {
        INFO("seed 72, round " << round);
        const Circuit before = make_circuit(4, placed.replacement.before);
        Circuit after = make_circuit(4, placed.replacement.after);
        after.global_phase = placed.replacement.phase;
        CHECK(unitary_distance(before, after) < 1e-12);
        CHECK(after.operations.size() < before.operations.size());
        if (exactness == Exactness::exact) CHECK_FALSE(placed.replacement.numeric);
        ++seen;
      }
    }
  }
  CHECK(seen > 100);
}
