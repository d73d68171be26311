#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "gate_set_circuits.hpp"
#include "multiples_of_pi.hpp"
#include "optimize/folding/rotation_folding.hpp"
#include "optimize/instantiation/gate_deletion.hpp"
#include "optimize/pauli/pauli_gate.hpp"
#include "optimize/resynthesis/block_unitary.hpp"
#include "optimize/resynthesis/two_qubit_synthesis.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/classes/class_table.hpp"
#include "quartz/enumerate/generate.hpp"
#include "quartz/optimize/optimize.hpp"
#include "two_qubit_then_total.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::circuit;
using namespace quartz::optimizer;
using namespace quartz::test;

namespace {

const Angle theta = Angle::symbol("theta");

GateKind copy_of(GateKind kind, const std::string& name) {
  const Gate& row = gate(kind);
  return define_gate(
      {name, row.qubits, {row.parameters.begin(), row.parameters.end()}, row.matrix, std::nullopt});
}

GateKind by_body(const std::string& name, unsigned qubits, std::vector<std::string> parameters,
                 std::vector<Operation> body) {
  return define_gate(
      {name, qubits, std::move(parameters), {}, Decomposition{std::move(body), {}, {}}});
}

GateSet set_of(const std::vector<GateKind>& kinds) {
  GateSet set;
  set.name = "custom";
  for (const GateKind kind : kinds) set.entries.push_back({kind});
  set.alphabet = {
      2, {Angle::symbol("p0"), Angle::symbol("p1"), Angle::symbol("p0") + Angle::symbol("p1")}};
  set.digest = "of this test";
  return set;
}

struct Target {
  GateSet set;
  std::vector<std::string> searches;
};

/// Gate sets with a gate given by its matrix, one given by its body, and a fixed one that no code
/// knows. If a two-qubit gate takes any angle, there are too many letters for a class table.
std::vector<Target> targets() {
  using enum GateKind;
  const GateKind xy = by_body("opt_xy", 2, {"theta"},
                              {make_operation(rxx, {0, 1}, {theta * Rational(-1, 2)}),
                               make_operation(ryy, {0, 1}, {theta * Rational(-1, 2)})});
  const GateKind odd = by_body("opt_odd", 2, {},
                               {make_operation(h, {0}), make_operation(t, {0}),
                                make_operation(cx, {0, 1}), make_operation(sx, {1})});
  const GateKind zx = copy_of(rzx, "opt_zx");
  GateSet fixed_angles = set_of({rz, sx, zx});
  fixed_angles.entries[2].angles = {{pi(1, 2)}};
  return {{set_of({rz, sx, zx, xy, odd}), {"auto", "backtrack"}},
          {set_of({rz, sx, odd}), {"auto", "anneal", "backtrack"}},
          {fixed_angles, {"auto", "anneal"}}};
}

/// Returns options of annealing with a class table of a cost.
OptimizeOptions annealing_with_table_of(unsigned cost) {
  OptimizeOptions options;
  options.seconds = 60;
  options.threads = 1;
  options.steps = 20000;
  options.search = "anneal";
  options.find_class_table = [cost](const GateSet& of, ClassTableOptions wanted) {
    wanted.cost = cost;
    return build_class_table(of, wanted);
  };
  return options;
}

}  // namespace

TEST_CASE("Rotations and Clifford gates are recognized exactly in custom gates", "[custom]") {
  const auto on = [](GateKind kind, std::vector<Angle> angles = {}) {
    Operation operation;
    operation.gate = kind;
    operation.angles = std::move(angles);
    for (Qubit i = 0; i < gate(kind).qubits; ++i) operation.qubits.push_back(i);
    return operation;
  };
  for (const GateKind kind : {GateKind::rx, GateKind::p, GateKind::rzx, GateKind::ryy}) {
    const GateKind copy = copy_of(kind, "seen_" + std::string(gate(kind).name));
    const auto expected = as_pauli_rotation(on(kind, {theta}));
    const auto found = as_pauli_rotation(on(copy, {theta}));
    REQUIRE(found);
    CHECK(found->axis == expected->axis);
    CHECK(found->angle == expected->angle);
    CHECK(found->phase == expected->phase);
    CHECK(as_clifford(on(copy, {pi(1, 2)})));
    CHECK_FALSE(as_clifford(on(copy, {pi(1, 4)})));
  }
  CHECK(as_clifford(on(copy_of(GateKind::iswap, "seen_iswap"))));
  CHECK_FALSE(as_pauli_rotation(on(copy_of(GateKind::crz, "seen_crz"), {theta})));
  CHECK_FALSE(as_pauli_rotation(on(by_body("seen_pair", 1, {"theta"},
                                           {make_operation(GateKind::rx, {0}, {theta}),
                                            make_operation(GateKind::rz, {0}, {theta})}),
                                   {theta})));
}

TEST_CASE("Rotations fold across custom gates known only by their matrices", "[custom]") {
  const GateKind ch = copy_of(GateKind::ch, "fold_ch");
  const GateSet set = set_of({GateKind::rz, ch});
  const auto rz = [](Qubit qubit) { return make_operation(GateKind::rz, {qubit}, {pi(1, 4)}); };
  const auto folded = [&](const Circuit& circuit) {
    DerivedGates result = fold_rotations(circuit.operations, circuit.qubit_count(), set);
    Circuit after = make_circuit(circuit.qubit_count(), std::move(result.gates));
    after.global_phase = result.phase;
    CHECK(unitary_distance(circuit, after) < 1e-9);
    return after.operations.size();
  };
  CHECK(folded(make_circuit(3, {rz(2), make_operation(ch, {0, 1}), rz(2)})) == 2);
  CHECK(folded(make_circuit(3, {rz(0), make_operation(ch, {0, 1}), rz(0)})) == 3);
  CHECK(folded(make_circuit(3, {rz(1), make_operation(ch, {0, 1}), rz(1)})) == 3);
}

TEST_CASE("Two-qubit blocks are resynthesized with any two-qubit gate", "[custom]") {
  using enum GateKind;
  const auto body = [](const Angle& angle) {
    return std::vector{make_operation(rxx, {0, 1}, {angle}), make_operation(ryy, {0, 1}, {angle})};
  };
  const GateKind xy = by_body("block_xy", 2, {"theta"}, body(theta * Rational(-1, 2)));
  const GateKind root = by_body("block_iswap14", 2, {}, body(pi(-1, 8)));
  // A matrix with one-qubit gates before and after it that are no Clifford gates.
  const GateKind odd =
      by_body("block_odd", 2, {},
              {make_operation(u3, {0}, {pi(1, 8), pi(3, 8), pi(5, 16)}),
               make_operation(rxx, {0, 1}, {pi(1, 4)}), make_operation(rzz, {0, 1}, {pi(1, 8)}),
               make_operation(u3, {1}, {pi(3, 16), pi(1, 8), pi(7, 8)})});
  const auto uses = [](GateKind kind, const Operation& gate) {
    const TwoQubitSynthesis synthesis(set_of({u3, kind}), two_qubit_then_total);
    CHECK(synthesis.uses_echoes());
    const Eigen::Matrix4cd unitary = two_qubit_unitary(std::span(&gate, 1), 0, 1);
    const auto found = synthesis.synthesize(unitary);
    REQUIRE(found);
    const Eigen::Matrix4cd made =
        std::polar(1.0, found->phase.value()) * two_qubit_unitary(found->gates, 0, 1);
    CHECK((made - unitary).cwiseAbs().maxCoeff() < 1e-12);
    return std::ranges::count(found->gates, kind, &Operation::gate);
  };
  const Operation cx_gate = make_operation(cx, {0, 1});
  const Operation rotation = make_operation(rzz, {0, 1}, {Angle::radians(Rational(3, 10))});
  CHECK(uses(xy, cx_gate) == 2);
  CHECK(uses(xy, rotation) == 2);
  CHECK(uses(root, cx_gate) == 4);
  CHECK(uses(root, rotation) == 8);
  CHECK(uses(odd, cx_gate) == 2);
}

TEST_CASE("Gates of a limited range add up to larger angles", "[custom]") {
  GateSet set = set_of({GateKind::u3, GateKind::rzz});
  set.entries[1].ranges = {AngleRange{Angle(), pi(1, 8)}};
  const TwoQubitSynthesis synthesis(set, two_qubit_then_total);
  for (const auto& [angle, uses] :
       {std::pair{pi(1, 16), 1}, std::pair{pi(-3, 16), 2}, std::pair{pi(1, 2), 4}}) {
    const Operation gate = make_operation(GateKind::ryy, {0, 1}, {angle});
    const Eigen::Matrix4cd unitary = two_qubit_unitary(std::span(&gate, 1), 0, 1);
    const auto found = synthesis.synthesize(unitary);
    REQUIRE(found);
    CHECK(std::ranges::count(found->gates, GateKind::rzz, &Operation::gate) == uses);
    CHECK(std::ranges::all_of(found->gates,
                              [&](const Operation& each) { return set.contains(each); }));
    const Eigen::Matrix4cd made =
        std::polar(1.0, found->phase.value()) * two_qubit_unitary(found->gates, 0, 1);
    CHECK((made - unitary).cwiseAbs().maxCoeff() < 1e-12);
  }
}

TEST_CASE("Echoes are shortened by deletion", "[custom]") {
  // Any block takes at most three xy gates, but six in echoes.
  const GateKind xy = by_body("deleted_xy", 2, {"theta"},
                              {make_operation(GateKind::rxx, {0, 1}, {theta * Rational(-1, 2)}),
                               make_operation(GateKind::ryy, {0, 1}, {theta * Rational(-1, 2)})});
  const GateSet set = set_of({GateKind::u3, xy});
  const Operation block[] = {
      make_operation(GateKind::rxx, {0, 1}, {Angle::radians(Rational(7, 10))}),
      make_operation(GateKind::ryy, {0, 1}, {Angle::radians(Rational(4, 10))}),
      make_operation(GateKind::rzz, {0, 1}, {Angle::radians(Rational(2, 10))})};
  const TwoQubitSynthesis synthesis(set, two_qubit_then_total);
  const auto echoes = synthesis.synthesize(two_qubit_unitary(block, 0, 1));
  REQUIRE(echoes);
  REQUIRE(std::ranges::count(echoes->gates, xy, &Operation::gate) == 6);
  GateDeletion deletion(set, two_qubit_then_total, {.seed = 1});
  const circuit::DerivedGates shorter = deletion.delete_gates(echoes->gates, Budget());
  CHECK(std::ranges::count(shorter.gates, xy, &Operation::gate) <= 3);
  Circuit before = make_circuit(2, echoes->gates);
  Circuit after = make_circuit(2, shorter.gates);
  after.global_phase = shorter.phase;
  CHECK(unitary_distance(before, after) < 1e-11);
}

TEST_CASE("Optimizing with custom gates preserves the unitary and never costs more", "[custom]") {
  for (const Target& target : targets()) {
    const GateSet& set = target.set;
    GenerateOptions generation;
    generation.gates = 2;
    generation.qubits = 2;
    const RuleSet rules = generate(set, generation).rules;
    CHECK(rules.proofs.unknown == 0);
    CHECK(rules.rule_count() > 0);
    for (const std::string& search : target.searches) {
      Random random(77);
      for (int i = 0; i < 2; ++i) {
        const Circuit circuit = random_circuit_in(set, random, 3, 25);
        OptimizeOptions options;
        options.seconds = 0.3;
        options.threads = 2;
        options.search = search;
        options.find_class_table = [](const GateSet& of, ClassTableOptions wanted) {
          wanted.cost = 3;
          return build_class_table(of, wanted);
        };
        const OptimizeResult result = optimize(circuit, set, rules, options);
        INFO("search " << search << ", circuit " << i);
        CHECK(unitary_distance(circuit, result.circuit) < 1e-7);
        CHECK(result.circuit.operations.size() <= circuit.operations.size());
        CHECK(std::all_of(result.circuit.operations.begin(), result.circuit.operations.end(),
                          [&](const Operation& operation) { return set.contains(operation); }));
        const EquivalenceVerdict verdict = check_equivalence(circuit, result.circuit).verdict;
        CHECK((verdict == EquivalenceVerdict::equal ||
               verdict == EquivalenceVerdict::equal_up_to_phase));
      }
    }
  }
}

TEST_CASE("A set of the table's gates under other names gives similar results", "[custom]") {
  using enum GateKind;
  const GateSet original = set_of({h, x, rz, cx});
  const GateSet renamed = set_of(
      {copy_of(h, "name_h"), copy_of(x, "name_x"), copy_of(rz, "name_rz"), copy_of(cx, "name_cx")});
  const auto in_new_names = [&](Circuit circuit) {
    for (Operation& operation : circuit.operations) {
      const std::string name = "name_" + std::string(gate(operation.gate).name);
      operation.gate = renamed.custom_gates().find(name)->kind;
    }
    return circuit;
  };
  Random random(5);
  for (int i = 0; i < 3; ++i) {
    const Circuit circuit = random_circuit_in(original, random, 4, 40);
    const OptimizeOptions options = annealing_with_table_of(4);
    const OptimizeResult expected = optimize(circuit, original, {}, options);
    const OptimizeResult found = optimize(in_new_names(circuit), renamed, {}, options);
    CHECK(unitary_distance(circuit, found.circuit) < 1e-7);
    CHECK(found.circuit.operations.size() < circuit.operations.size());
    // Some moves depend on the kind of a gate, so the results differ slightly.
    CHECK(found.circuit.operations.size() <= expected.circuit.operations.size() + 4);
  }
}

TEST_CASE("A free angle whose gate has no constant determinant is not put into class tables",
          "[custom]") {
  // diag(e^{i theta/2}, e^{3 i theta/2}) is negated by a full turn, as a rotation is.
  CustomGate custom{"no_rotation", 1, {"theta"}, {}, std::nullopt};
  custom.matrix = {{0, 0, {{1, 0, theta * Rational(1, 2)}}},
                   {1, 1, {{1, 0, theta * Rational(3, 2)}}}};
  const GateSet set = set_of({define_gate(custom), GateKind::h});
  ClassTableOptions options;
  options.qubits = 1;
  options.cost = 3;
  options.symbolic = true;
  CHECK(build_class_table(set, options) != nullptr);
  Random random(3);
  Circuit circuit = random_circuit_in(set, random, 1, 12);
  for (Operation& operation : circuit.operations) {
    if (!operation.angles.empty()) operation.angles[0] = Angle::decimal("0.7");
  }
  OptimizeOptions search;
  search.seconds = 0.2;
  search.threads = 1;
  const OptimizeResult result = optimize(circuit, set, {}, search);
  CHECK(unitary_distance(circuit, result.circuit) < 1e-7);
}

TEST_CASE("Windows with a gate outside of Z[e^{i pi/4}, 1/sqrt(2)] are rewritten", "[custom]") {
  using enum GateKind;
  CustomGate custom{"sixteenth_turn", 1, {}, {}, std::nullopt};
  custom.matrix = {{0, 0, {{1, 0, pi(1, 8)}}}, {1, 1, {{1, 0, {}}}}};
  const GateKind sixteenth = define_gate(custom);
  GateSet set = set_of({h, cx, t, tdg, sixteenth});
  set.alphabet = {};
  // The two gates are e^{i pi/4} tdg, and the others are h and a cx in the other direction.
  const Circuit circuit = make_circuit(
      2, {make_operation(sixteenth, {0}), make_operation(h, {1}), make_operation(cx, {0, 1}),
          make_operation(sixteenth, {0}), make_operation(h, {1}), make_operation(h, {0})});
  const OptimizeOptions options = annealing_with_table_of(3);
  const OptimizeResult result = optimize(circuit, set, {}, options);
  CHECK(unitary_distance(circuit, result.circuit) < 1e-9);
  CHECK(result.circuit.operations.size() == 3);
  CHECK(std::ranges::count(result.circuit.operations, tdg, &Operation::gate) == 1);
}
