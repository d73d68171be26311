#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "quartz/circuit/gate.hpp"
#include "quartz/enumerate/generate.hpp"
#include "quartz/enumerate/import_rules.hpp"
#include "quartz/target/gate_set.hpp"

using namespace quartz;
using Catch::Matchers::Contains;

namespace {

Operation h(Qubit qubit) { return make_operation(GateKind::h, {qubit}); }
Operation rz(const Angle& angle) { return make_operation(GateKind::rz, {0}, {angle}); }

ImportResult import_classes(std::vector<std::vector<std::vector<Operation>>> classes) {
  EccSet source;
  source.classes = std::move(classes);
  source.qubits = 2;
  source.parameters = 2;
  ProveOptions options;
  options.threads = 1;
  return import_rules(source, load_gate_set("nam"), options);
}

}  // namespace

TEST_CASE("Imported circuits are compared with the shortest one, and their phases are found") {
  const Operation x = make_operation(GateKind::x, {0});
  const Angle p0 = Angle::symbol("p0");
  const ImportResult imported = import_classes({{{x, rz(p0), x}, {rz(-p0)}}, {{h(0), h(0)}, {}}});
  REQUIRE(imported.rules.classes.size() == 2);
  const std::vector<ClassMember>& members = imported.rules.classes.front().members;
  CHECK(members.front().gates == std::vector{rz(-p0)});
  CHECK(members.back().phase.is_zero());
  CHECK(imported.rules.gate_set == "nam");
  CHECK(imported.rules.gates == 3);
  CHECK(imported.report.circuits_read == 4);
  CHECK(imported.report.proofs.proved == 2);
  CHECK(imported.report.unproved.empty());
  CHECK_NOTHROW(require_usable_rules(imported.rules, load_gate_set("nam"), "imported"));
}

TEST_CASE("Imported circuits that are not equal are omitted, with classes of single circuits") {
  const Angle p0 = Angle::symbol("p0");
  const ImportResult imported =
      import_classes({{{h(0), h(0)}, {h(1)}, {}}, {{rz(p0)}, {rz(p0), rz(p0)}}});
  REQUIRE(imported.rules.classes.size() == 1);
  CHECK(imported.rules.classes.front().members.size() == 2);
  REQUIRE(imported.report.unproved.size() == 2);
  CHECK(imported.report.unproved[0].class_index == 0);
  CHECK(imported.report.unproved[0].member_index == 1);
  CHECK_THAT(imported.report.unproved[0].reason, Contains("not equal"));
  CHECK(imported.report.unproved[1].class_index == 1);
  CHECK(imported.report.proofs.proved == 1);
  CHECK(imported.report.proofs.unknown == 2);
}

TEST_CASE("A rule set that is imported keeps its rules") {
  const GateSet nam = load_gate_set("nam");
  GenerateOptions options;
  options.gates = 2;
  options.qubits = 2;
  const RuleSet rules = generate(nam, options).rules;
  const ImportResult imported = import_rules(equivalent_circuits(rules, nam), nam, {});
  CHECK(imported.rules.rule_count() == rules.rule_count());
  CHECK(imported.report.unproved.empty());
  // Without cx in the gate set, its circuits are omitted.
  const EccSet without = equivalent_circuits(rules, load_gate_set("ibm_eagle"));
  CHECK(without.omitted.count("cx") == 1);
  CHECK(without.omitted.count("rz") == 0);
}
