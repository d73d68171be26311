#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <stop_token>
#include <string>

#include "quartz/base/errors.hpp"
#include "quartz/rules/rule_set.hpp"
#include "rules/prune.hpp"
#include "small_circuits.hpp"

using namespace quartz;
using namespace quartz::rules;

namespace {

Angle p(unsigned i) { return Angle::symbol("p" + std::to_string(i)); }
Operation h(Qubit q) { return make_operation(GateKind::h, {q}); }
Operation x(Qubit q) { return make_operation(GateKind::x, {q}); }
Operation z(Qubit q) { return make_operation(GateKind::z, {q}); }
Operation rz(Angle angle, Qubit q) { return make_operation(GateKind::rz, {q}, {std::move(angle)}); }
Operation cx(Qubit a, Qubit b) { return make_operation(GateKind::cx, {a, b}); }
Operation cz(Qubit a, Qubit b) { return make_operation(GateKind::cz, {a, b}); }

using Gates = std::vector<Operation>;

EquivalenceClass equal(std::vector<Gates> circuits) {
  EquivalenceClass result;
  for (Gates& gates : circuits) result.members.push_back({std::move(gates), {}});
  return result;
}

RuleSet rules_of(std::vector<EquivalenceClass> classes) {
  RuleSet rules;
  rules.gates = 4;
  rules.qubits = 3;
  rules.parameters = 2;
  rules.classes = std::move(classes);
  return rules;
}

std::vector<std::vector<Gates>> circuits_of(const RuleSet& rules) {
  std::vector<std::vector<Gates>> classes;
  for (const EquivalenceClass& own : rules.classes) {
    auto& circuits = classes.emplace_back();
    for (const ClassMember& member : own.members) circuits.push_back(member.gates);
  }
  return classes;
}

/// Returns the number of circuits that each pass removed.
std::map<std::string, std::uint64_t> removed(const PruneReport& report) {
  std::map<std::string, std::uint64_t> counts;
  for (const PassReport& pass : report.passes) {
    if (pass.circuits_removed != 0) counts[std::string(pass.pass)] = pass.circuits_removed;
  }
  return counts;
}

using Removed = std::map<std::string, std::uint64_t>;

/// Returns an equivalent rule set: classes and circuits in another order, qubits and parameters of
/// each class renumbered, phases relative to whichever circuit comes first.
RuleSet said_differently(RuleSet rules, std::mt19937_64& random) {
  std::shuffle(rules.classes.begin(), rules.classes.end(), random);
  for (EquivalenceClass& own : rules.classes) {
    std::vector<Qubit> places(rules.qubits);
    for (Qubit i = 0; i < rules.qubits; ++i) places[i] = i;
    std::shuffle(places.begin(), places.end(), random);
    const unsigned swapped = random() % 2;
    const std::map<std::string, Angle> names{{"p0", p(swapped)}, {"p1", p(1 - swapped)}};
    std::shuffle(own.members.begin(), own.members.end(), random);
    const Angle first = own.members.front().phase;
    for (ClassMember& member : own.members) {
      for (Operation& gate : member.gates) {
        for (Qubit& qubit : gate.qubits) qubit = places[qubit];
        for (Angle& angle : gate.angles) angle = angle.substitute(names);
      }
      member.phase = (member.phase + -first).substitute(names);
    }
  }
  return rules;
}

struct SmallSet {
  std::string name;
  small_circuits::Letters letters;
  unsigned gates;
  std::size_t classes;       ///< number of classes of the circuits
  std::size_t rule_classes;  ///< number of classes after pruning
  std::size_t circuits;      ///< number of circuits after pruning
};

/// Returns small sets of circuits. The class counts of the first two equal those of upstream
/// Quartz.
std::vector<SmallSet> small_sets() {
  return {{"nam (2,3)", small_circuits::nam(3), 2, 397, 7, 16},
          {"nam (3,3)", small_circuits::nam(3), 3, 4179, 23, 53},
          {"nam (4,2)", small_circuits::nam(2), 4, 4719, 38, 79},
          {"phased (3,2)", small_circuits::phased(2), 3, 161, 8, 16}};
}

}  // namespace

TEST_CASE("after pruning, every equality of small circuits still follows") {
  for (const SmallSet& small : small_sets()) {
    INFO(small.name);
    const auto classes = small_circuits::equal_circuits(small.letters, small.gates);
    CHECK(classes.size() == small.classes);
    const auto kept = small_circuits::kept_by_repgen(classes, small.letters);
    RuleSet rules = small_circuits::as_rule_set(kept, small.letters, small.gates);
    prune(rules);
    // Not only the listed equalities must follow, but those of all circuits up to this size.
    CHECK(small_circuits::count_connected(classes, rules, small.letters) == classes.size());
    CHECK(small_circuits::worst_phase_error(rules, small.letters.qubits) < 1e-12);
    CHECK(rules.classes.size() == small.rule_classes);
    CHECK(rules.circuit_count() == small.circuits);
  }
}

TEST_CASE("after pruning a list of all circuits, every equality still follows") {
  for (const auto& letters : {small_circuits::nam(3), small_circuits::phased(2)}) {
    const auto classes = small_circuits::equal_circuits(letters, 2);
    RuleSet rules = small_circuits::as_rule_set(classes, letters, 2);
    prune(rules);
    CHECK(small_circuits::count_connected(classes, rules, letters) == classes.size());
    CHECK(small_circuits::worst_phase_error(rules, letters.qubits) < 1e-12);
  }
}

TEST_CASE("a stop ends pruning") {
  const auto letters = small_circuits::nam(3);
  RuleSet rules =
      small_circuits::as_rule_set(small_circuits::equal_circuits(letters, 2), letters, 2);
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(prune(rules, 1, stop.get_token()), Stopped);
}

TEST_CASE("the test of completeness detects a missing rule") {
  const auto letters = small_circuits::nam(3);
  const auto classes = small_circuits::equal_circuits(letters, 2);
  RuleSet rules = small_circuits::as_rule_set(classes, letters, 2);
  prune(rules);
  for (std::size_t i = 0; i < rules.classes.size(); ++i) {
    // Some of the rules that exchange two rz follow from others.
    const Gates& some = rules.classes[i].members.back().gates;
    if (some.size() == 2 && some[0].gate == GateKind::rz && some[1].gate == GateKind::rz) continue;
    INFO("without class " << i);
    RuleSet less = rules;
    less.classes.erase(less.classes.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK(small_circuits::count_connected(classes, less, letters) > classes.size());
  }
}

TEST_CASE("pruning gives the same result for equivalent rule sets and is idempotent") {
  for (SmallSet small : small_sets()) {
    small.gates = std::min(small.gates, 3U);
    const auto classes = small_circuits::kept_by_repgen(
        small_circuits::equal_circuits(small.letters, small.gates), small.letters);
    const RuleSet rules = small_circuits::as_rule_set(classes, small.letters, small.gates);
    RuleSet pruned = rules;
    prune(pruned);
    const std::string text = write_rule_set(pruned);
    std::mt19937_64 random(7);
    for (int i = 0; i < 3; ++i) {
      INFO(small.name << ", seed 7, round " << i);
      RuleSet other = said_differently(rules, random);
      prune(other);
      CHECK(write_rule_set(other) == text);
    }
    prune(pruned);
    INFO(small.name);
    CHECK(write_rule_set(pruned) == text);
  }
}

TEST_CASE("pruning gives the same result with any number of threads") {
  for (const SmallSet& small : small_sets()) {
    const auto classes = small_circuits::kept_by_repgen(
        small_circuits::equal_circuits(small.letters, small.gates), small.letters);
    const RuleSet rules = small_circuits::as_rule_set(classes, small.letters, small.gates);
    RuleSet alone = rules;
    const Removed counts = removed(prune(alone, 1));
    for (const unsigned threads : {2U, 3U, 16U}) {
      INFO(small.name << ", " << threads << " threads");
      RuleSet together = rules;
      CHECK(removed(prune(together, threads)) == counts);
      CHECK(write_rule_set(together) == write_rule_set(alone));
    }
  }
}

TEST_CASE("circuits that differ in the order of independent gates are merged") {
  RuleSet rules = rules_of({equal({{h(0), x(1), h(0)}, {x(1)}, {x(1), h(0), h(0)}})});
  CHECK(removed(prune(rules)) == Removed{{"duplicate circuits", 1}});
  CHECK(circuits_of(rules) == std::vector<std::vector<Gates>>{{{x(0)}, {x(0), h(1), h(1)}}});
}

TEST_CASE("the order of interchangeable operands does not matter") {
  RuleSet rules = rules_of({equal({{}, {cz(0, 1), cz(1, 0)}, {cz(1, 0), cz(1, 0)}})});
  CHECK(removed(prune(rules)) == Removed{{"duplicate circuits", 1}});
  CHECK(circuits_of(rules) == std::vector<std::vector<Gates>>{{{}, {cz(0, 1), cz(0, 1)}}});
}

TEST_CASE("qubits and parameters get the lowest numbers") {
  RuleSet rules = rules_of({equal({{rz(p(1), 2), h(1)}, {h(1), h(1), h(1), rz(p(1), 2)}})});
  prune(rules);
  CHECK(circuits_of(rules) ==
        std::vector<std::vector<Gates>>{{{h(0), rz(p(0), 1)}, {h(0), h(0), h(0), rz(p(0), 1)}}});
}

TEST_CASE("relabelled classes are merged, with the circuits and phases of both") {
  // Arbitrary phases that reveal mistakes: they need not belong to unitaries to be consistent.
  RuleSet rules = rules_of({equal({{cx(0, 1), rz(p(0), 0)}, {rz(p(0), 0), cx(0, 1)}}),
                            equal({{rz(p(1), 2), cx(2, 0)},
                                   {cx(2, 0), rz(p(1), 2)},
                                   {rz(p(1), 2), h(0), cz(2, 0), h(0)}})});
  rules.classes[0].members[1].phase = p(0);
  rules.classes[1].members[1].phase = -p(1);
  rules.classes[1].members[2].phase = p(1) * 3 + Angle::pi_times(Rational(5, 2));
  CHECK(removed(prune(rules)) == Removed{{"relabelled classes", 2}});
  REQUIRE(
      circuits_of(rules) ==
      std::vector<std::vector<Gates>>{
          {{rz(p(0), 0), cx(0, 1)}, {cx(0, 1), rz(p(0), 0)}, {h(1), rz(p(0), 0), cz(0, 1), h(1)}}});
  CHECK(rules.classes[0].members[0].phase == Angle());
  CHECK(rules.classes[0].members[1].phase == -p(0));
  CHECK(rules.classes[0].members[2].phase == p(0) * 3 + Angle::pi_times(Rational(1, 2)));
}

TEST_CASE("contradictory phases are an internal error") {
  RuleSet rules = rules_of({equal({{}, {h(0), h(0)}}), equal({{}, {h(1), h(1)}})});
  rules.classes[1].members[1].phase = Angle::pi_times(1);
  CHECK_THROWS_AS(prune(rules), InternalError);
}

TEST_CASE("a circuit is removed if it is another one relabelled with the same representative") {
  RuleSet rules = rules_of({equal({{}, {h(0), h(0)}, {h(1), h(1)}, {cx(0, 1), cx(0, 1)}})});
  CHECK(removed(prune(rules)) == Removed{{"relabelled circuits", 1}});
  CHECK(circuits_of(rules) ==
        std::vector<std::vector<Gates>>{{{}, {h(0), h(0)}, {cx(0, 1), cx(0, 1)}}});

  // Here a relabelling that maps one circuit to the other would also change the representative.
  rules = rules_of({equal({{h(0)}, {h(0), x(0), x(0)}, {h(0), x(1), x(1)}})});
  CHECK(removed(prune(rules)).empty());
  CHECK(rules.circuit_count() == 3);
}

TEST_CASE("a rule is removed if it is an instance of another one") {
  const auto commute = [](const Angle& angle) {
    return equal({{rz(angle, 0), cx(0, 1)}, {cx(0, 1), rz(angle, 0)}});
  };
  RuleSet rules = rules_of({commute(p(0) + p(1)), commute(p(0)), commute(p(1) * 2),
                            commute(Angle::pi_times(Rational(1, 4)))});
  CHECK(removed(prune(rules)) == Removed{{"parameter instances", 3}, {"single circuits", 3}});
  CHECK(circuits_of(rules) == circuits_of(rules_of({commute(p(0))})));

  // A rule about a sum is not an instance of a rule about its terms.
  const auto sum = rules_of({equal({{rz(p(0) + p(1), 0)}, {rz(p(0), 0), rz(p(1), 0)}})});
  rules = sum;
  CHECK(removed(prune(rules)).empty());
  CHECK(circuits_of(rules) == circuits_of(sum));
}

TEST_CASE(
    "a circuit with an outer gate in common with another is removed if the rests are listed") {
  // z h = h x, so x z h = x h x and z h x = h x x; modulo commutation, also beside other gates.
  const auto base = equal({{z(0), h(0)}, {h(0), x(0)}});
  const auto longer = equal({{x(0), h(0), x(0)}, {x(0), z(0), h(0)}});
  RuleSet rules = rules_of({base, longer});
  CHECK(removed(prune(rules)) == Removed{{"common subcircuits", 1}, {"single circuits", 1}});
  CHECK(rules.classes.size() == 1);

  // Without the shorter rule, the longer one is not redundant.
  rules = rules_of({longer});
  CHECK(removed(prune(rules)).empty());
  CHECK(rules.circuit_count() == 2);
}

TEST_CASE("a circuit is removed if shorter rules lead to an earlier one") {
  const auto cancel = equal({{}, {h(0), h(0)}});
  const auto commute = equal({{x(1), cx(0, 1)}, {cx(0, 1), x(1)}});
  const auto longer = equal({{cx(0, 1), x(1)}, {h(0), h(0), x(1), cx(0, 1)}});
  RuleSet rules = rules_of({cancel, commute, longer});
  const auto counts = removed(prune(rules));
  INFO(write_rule_set(rules));
  CHECK(counts == Removed{{"relabelled classes", 1}, {"derivable circuits", 1}});
  CHECK(rules.classes.size() == 2);
  CHECK(rules.circuit_count() == 4);

  rules = rules_of({commute, longer});
  CHECK(removed(prune(rules)) == Removed{{"relabelled classes", 1}});
  CHECK(rules.circuit_count() == 3);
}

TEST_CASE("a class of one circuit gives no rule, and an empty rule set stays empty") {
  RuleSet rules = rules_of({equal({{h(0)}}), equal({})});
  CHECK(removed(prune(rules)) == Removed{{"single circuits", 1}});
  CHECK(rules.classes.empty());
  CHECK(removed(prune(rules)).empty());
}

TEST_CASE("The time of pruning does not grow with the orders of all parameters") {
  // There are 16! of these, and each circuit has one or two parameters.
  std::vector<EquivalenceClass> classes;
  for (unsigned i = 0; i + 1 < 16; ++i) {
    classes.push_back(equal({{rz(p(i), 0), rz(p(i + 1), 0)}, {rz(p(i) + p(i + 1), 0)}}));
    classes.push_back(equal({{rz(p(i), 0), cx(0, 1)}, {cx(0, 1), rz(p(i), 0)}}));
  }
  RuleSet rules = rules_of(std::move(classes));
  rules.parameters = 16;
  prune(rules);
  CHECK(rules.classes.size() == 2);
}
