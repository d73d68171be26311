#include <catch2/catch.hpp>

#include "quartz/enumerate/generate.hpp"
#include "quartz/target/gate_set.hpp"
#include "random_circuits.hpp"
#include "rewrite/rule_index.hpp"

using namespace quartz;
using namespace quartz::rewrite;
using namespace quartz::test;

namespace {

EquivalenceClass make_class(std::vector<std::vector<Operation>> circuits) {
  EquivalenceClass equal;
  for (auto& gates : circuits) equal.members.push_back({std::move(gates), {}});
  return equal;
}

RuleSet one_class(std::vector<std::vector<Operation>> circuits) {
  RuleSet rules;
  rules.classes.push_back(make_class(std::move(circuits)));
  return rules;
}

std::vector<Match> matches(const RuleIndex& index, std::span<const Operation> gates) {
  LabelTable labels;
  const RuleIndex::Constants constants(index, labels);
  LinkedCircuit linked;
  linked.assign(pack(gates, labels).gates, labels);
  std::vector<Match> found;
  for (std::size_t anchor = 0; anchor < linked.size(); ++anchor) {
    index.for_each_match(linked, labels, constants, anchor,
                         [&](const Match& match) { found.push_back(match); });
  }
  return found;
}

}  // namespace

TEST_CASE("a pattern is found on any qubits if its gates are adjacent", "[rules]") {
  using enum GateKind;
  const RuleIndex index(one_class({{make_operation(h, {0}), make_operation(h, {0})}, {}}));
  const std::vector<Operation> apart{make_operation(h, {3}), make_operation(x, {1}),
                                     make_operation(h, {3})};
  REQUIRE(matches(index, apart).size() == 1);
  CHECK(matches(index, apart)[0].qubits[0] == 3);
  const std::vector<Operation> kept_apart{make_operation(h, {3}), make_operation(x, {3}),
                                          make_operation(h, {3})};
  CHECK(matches(index, kept_apart).empty());
}

TEST_CASE("constants match only themselves, parameters match any angle", "[rules]") {
  using enum GateKind;
  const Angle quarter = Angle::pi_times({1, 4});
  const RuleIndex constant(
      one_class({{make_operation(rz, {0}, {quarter}), make_operation(rz, {0}, {quarter})},
                 {make_operation(rz, {0}, {quarter * Rational(2)})}}));
  const std::vector<Operation> same{make_operation(rz, {0}, {quarter}),
                                    make_operation(rz, {0}, {quarter})};
  const std::vector<Operation> other{make_operation(rz, {0}, {quarter}),
                                     make_operation(rz, {0}, {quarter * Rational(3)})};
  CHECK(matches(constant, same).size() == 1);
  CHECK(matches(constant, other).empty());
  const Angle p0 = Angle::symbol("p0");
  const Angle p1 = Angle::symbol("p1");
  const RuleIndex symbolic(
      one_class({{make_operation(rz, {0}, {p0}), make_operation(rz, {0}, {p1})},
                 {make_operation(rz, {0}, {p0 + p1})}}));
  CHECK(matches(symbolic, same).size() == 1);
  CHECK(matches(symbolic, other).size() == 1);
}

TEST_CASE("operands of symmetric gates match in either order", "[rules]") {
  using enum GateKind;
  const RuleIndex index(one_class({{make_operation(cz, {0, 1}), make_operation(cz, {0, 1})}, {}}));
  const std::vector<Operation> turned{make_operation(cz, {0, 1}), make_operation(cz, {1, 0})};
  CHECK_FALSE(matches(index, turned).empty());
  const RuleIndex directed(
      one_class({{make_operation(cx, {0, 1}), make_operation(cx, {0, 1})}, {}}));
  const std::vector<Operation> cxs{make_operation(cx, {0, 1}), make_operation(cx, {1, 0})};
  CHECK(matches(directed, cxs).empty());
}

TEST_CASE("a match that is not convex has no placement", "[rules]") {
  using enum GateKind;
  // The two cx are adjacent on qubit 0, with a path from one to the other through qubit 2.
  const RuleIndex index(one_class({{make_operation(cx, {0, 1}), make_operation(cx, {0, 2})},
                                   {make_operation(cx, {0, 2}), make_operation(cx, {0, 1})}}));
  const std::vector<Operation> around{make_operation(cx, {0, 1}), make_operation(cx, {1, 2}),
                                      make_operation(cx, {0, 2})};
  LabelTable labels;
  const RuleIndex::Constants constants(index, labels);
  LinkedCircuit linked;
  linked.assign(pack(around, labels).gates, labels);
  int seen = 0;
  index.for_each_match(linked, labels, constants, 0, [&](const Match& match) {
    ++seen;
    Placement placement;
    CHECK_FALSE(place(linked, match, placement));
  });
  CHECK(seen > 0);
}

TEST_CASE("rules that need wires or parameters that the pattern does not bind are omitted",
          "[rules]") {
  using enum GateKind;
  // The empty circuit matches nothing; h h cannot become x x on another wire.
  const RuleIndex index(one_class({{make_operation(h, {0}), make_operation(h, {0})},
                                   {make_operation(x, {1}), make_operation(x, {1})}}));
  CHECK(index.patterns().empty());
}

TEST_CASE("every generated rule finds its own left-hand side", "[rules]") {
  for (const std::string name : {"nam", "ibm_heron", "rigetti", "clifford_t"}) {
    GenerateOptions options;
    options.gates = 2;
    options.qubits = 2;
    const RuleSet rules = generate(load_gate_set(name), options).rules;
    std::size_t usable = 0;
    for (const EquivalenceClass& equal : rules.classes) {
      const RuleIndex index(RuleSet{{}, {}, 2, 2, 2, 0, {}, {equal}});
      for (const Pattern& pattern : index.patterns()) {
        CHECK(pattern.wire_count > 0);
        ++usable;
      }
      for (const ClassMember& member : equal.members) {
        const bool is_pattern =
            std::any_of(index.patterns().begin(), index.patterns().end(),
                        [&](const Pattern& p) { return p.gate_count == member.gates.size(); });
        if (member.gates.empty() || !is_pattern) continue;
        // The parameters are replaced by constants.
        std::vector<Operation> gates = member.gates;
        for (Operation& operation : gates) {
          for (Angle& angle : operation.angles) {
            angle =
                angle.substitute({{"p0", Angle::radians({1, 3})}, {"p1", Angle::radians({1, 7})}});
          }
        }
        INFO(name);
        CHECK_FALSE(matches(index, gates).empty());
      }
    }
    CHECK(usable > 0);
  }
}
