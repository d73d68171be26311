#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "quartz/rules/tket_rules.hpp"

using namespace quartz;
using nlohmann::json;

namespace {

Angle named_parameter(const char* name) { return Angle::symbol(name); }

Operation rz_by(const Angle& angle) { return make_operation(GateKind::rz, {0}, {angle}); }

RuleSet with_classes(std::vector<EquivalenceClass> classes) {
  RuleSet rules;
  rules.qubits = 2;
  rules.parameters = 2;
  rules.classes = std::move(classes);
  return rules;
}

}  // namespace

TEST_CASE("rules for tket have a different identifier in each class, and sums as additions") {
  const Operation h = make_operation(GateKind::h, {0});
  const TketRules written = write_tket_rules(with_classes({
      {{{{}, {}}, {{h, h}, {}}}},
      {{{{rz_by(named_parameter("p0") + named_parameter("p1"))}, {}},
        {{rz_by(named_parameter("p0")), rz_by(named_parameter("p1"))}, {}}}},
  }));
  CHECK(written.classes == 2);
  CHECK(written.circuits == 4);
  CHECK(written.omitted_circuits == 0);
  CHECK(json::parse(written.text) == json::parse(R"([[], {
    "0_0": [[[2, 2, 2, 0, ["0_0"], [0.0, 0.0]], []],
            [[2, 2, 2, 2, ["0_0"], [0.0, 0.0]], [["h", ["Q0"], ["Q0"]], ["h", ["Q0"], ["Q0"]]]]],
    "1_0": [[[2, 2, 3, 2, ["1_0"], [0.0, 0.0]],
             [["add", ["P2"], ["P0", "P1"]], ["rz", ["Q0"], ["Q0", "P2"]]]],
            [[2, 2, 2, 2, ["1_0"], [0.0, 0.0]],
             [["rz", ["Q0"], ["Q0", "P0"]], ["rz", ["Q0"], ["Q0", "P1"]]]]]}])"));
}

TEST_CASE("rules for tket add a sum once, and a multiple by repeated additions") {
  const Angle triple = named_parameter("p1") * Rational(3);
  const TketRules written = write_tket_rules(
      with_classes({{{{{rz_by(triple)}, {}}, {{rz_by(triple), rz_by(triple)}, {}}}}}));
  const json circuit = json::parse(written.text)[1]["0_0"][1];
  CHECK(circuit[1] == json::parse(R"([["add", ["P2"], ["P1", "P1"]], ["add", ["P3"], ["P2", "P1"]],
    ["rz", ["Q0"], ["Q0", "P3"]], ["rz", ["Q0"], ["Q0", "P3"]]])"));
  CHECK(circuit[0][2] == 4);
}

TEST_CASE("circuits that tket cannot read are omitted, with circuits that nothing else equals") {
  const Operation x = make_operation(GateKind::x, {0});
  const Operation cz = make_operation(GateKind::cz, {0, 1});
  for (const Operation& unknown :
       {cz, rz_by(-named_parameter("p0")), rz_by(Angle::pi_times(Rational(1, 4))),
        rz_by(named_parameter("p0") * Rational(1, 2)),
        rz_by(named_parameter("p0") + Angle::pi_times(1))}) {
    const TketRules pair = write_tket_rules(with_classes({{{{{x}, {}}, {{unknown}, {}}}}}));
    CHECK(pair.classes == 0);
    CHECK(pair.omitted_circuits == 2);
    const TketRules three =
        write_tket_rules(with_classes({{{{{x}, {}}, {{unknown}, {}}, {{x, x, x}, {}}}}}));
    CHECK(three.circuits == 2);
    CHECK(three.omitted_circuits == 1);
  }
}
