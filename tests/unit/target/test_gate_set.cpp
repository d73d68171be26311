#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "input_error.hpp"
#include "multiples_of_pi.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/target/gate_set.hpp"

using namespace quartz;
using namespace quartz::test;

namespace {

std::vector<std::string> gate_names(const GateSet& set) {
  std::vector<std::string> names;
  for (const GateSetEntry& entry : set.entries) names.emplace_back(gate(entry.gate).name);
  return names;
}

/// Returns the text of a valid set, with one part of it replaced.
std::string valid_gate_set(const std::string& what = "", const std::string& by = "") {
  std::string text = R"({
  "format": "quartz-gate-set",
  "version": 1,
  "name": "test",
  "description": "for tests",
  "source": "here",
  "gates": [{"gate": "h"}, {"gate": "rx", "angles": [["pi/2"], ["pi"]]}, {"gate": "rz"}],
  "alphabet": {"parameters": 2, "expressions": ["p0", "2*p1"]}
})";
  if (!what.empty()) {
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    text.replace(at, what.size(), by);
  }
  return text;
}

}  // namespace

TEST_CASE("The bundled gate sets have their gates") {
  using Names = std::vector<std::string>;
  CHECK(bundled_gate_sets() == Names{"clifford_t", "google", "ibm", "ibm_eagle", "ibm_heron",
                                     "ibm_heron_fractional", "ibm_u", "ion_trap", "ionq_aria",
                                     "ionq_aria_full", "ionq_forte", "iqm", "nam", "quantinuum",
                                     "rigetti", "rigetti_ankaa"});
  CHECK(gate_names(load_gate_set("nam")) == Names{"h", "x", "rz", "cx"});
  CHECK(gate_names(load_gate_set("clifford_t")) ==
        Names{"h", "x", "s", "sdg", "t", "tdg", "z", "cx"});
  CHECK(gate_names(load_gate_set("ibm")) == Names{"rz", "sx", "x", "cx"});
  CHECK(gate_names(load_gate_set("ibm_heron")) == Names{"rz", "sx", "x", "cz"});
  CHECK(gate_names(load_gate_set("ion_trap")) == Names{"rx", "ry", "rz", "rxx"});
  CHECK(gate_names(load_gate_set("rigetti")) == Names{"rx", "rz", "cz"});
  CHECK(gate_names(load_gate_set("ibm_eagle")) == Names{"rz", "sx", "x", "ecr"});
  CHECK(gate_names(load_gate_set("ibm_heron_fractional")) ==
        Names{"rz", "sx", "x", "rx", "cz", "rzz"});
  CHECK(gate_names(load_gate_set("ionq_aria")) == Names{"gpi", "gpi2", "ms"});
  CHECK(gate_names(load_gate_set("ionq_aria_full")) == Names{"gpi", "gpi2", "ms"});
  CHECK(gate_names(load_gate_set("ionq_forte")) == Names{"gpi", "gpi2", "rzz"});
  CHECK(gate_names(load_gate_set("quantinuum")) == Names{"r", "rz", "rzz"});
  CHECK(gate_names(load_gate_set("rigetti_ankaa")) == Names{"rx", "rz", "iswap"});
  CHECK(gate_names(load_gate_set("iqm")) == Names{"r", "cz"});
  CHECK(gate_names(load_gate_set("google")) == Names{"r", "rz", "cz", "sqrtiswap"});
  CHECK(gate_names(load_gate_set("ibm_u")) == Names{"u1", "u2", "u3", "cx"});
  for (const std::string& name : bundled_gate_sets()) CHECK(load_gate_set(name).name == name);
}

TEST_CASE("A bundled gate set equals its file in gatesets") {
  for (const std::string& name : bundled_gate_sets()) {
    const std::string path = std::string(QUARTZ_SOURCE_DIR) + "/gatesets/" + name + ".json";
    CHECK(load_gate_set(path).digest == load_gate_set(name).digest);
    CHECK(load_gate_set(path).description == load_gate_set(name).description);
  }
}

TEST_CASE("A gate set contains the entries of its text") {
  const GateSet set = parse_gate_set(valid_gate_set(), "test.json");
  CHECK(set.name == "test");
  CHECK(set.description == "for tests");
  CHECK(set.source == "here");
  REQUIRE(set.entries.size() == 3);
  CHECK(set.entries[0].gate == GateKind::h);
  CHECK(set.entries[0].angles.empty());
  CHECK(set.entries[1].angles == std::vector<AngleList>{{pi(1, 2)}, {pi(1)}});
  CHECK(set.alphabet.parameters == 2);
  CHECK(set.alphabet.expressions ==
        std::vector<Angle>{Angle::symbol("p0"), Angle::symbol("p1") * Rational(2)});
}

TEST_CASE("A set contains its gates, with constant angles up to whole turns") {
  const GateSet set = load_gate_set("rigetti");
  const auto rx = [](const Angle& angle) { return make_operation(GateKind::rx, {0}, {angle}); };
  CHECK(set.contains(rx(pi(1, 2))));
  CHECK(set.contains(rx(pi(-1, 2))));
  CHECK(set.contains(rx(pi(3, 2))));
  CHECK(set.contains(rx(pi(-7))));
  CHECK_FALSE(set.contains(rx(pi(1, 4))));
  CHECK_FALSE(set.contains(rx(Angle())));
  CHECK_FALSE(set.contains(rx(Angle::symbol("a"))));
  CHECK_FALSE(set.contains(rx(pi(1, 2) + Angle::symbol("a"))));
  CHECK(set.contains(make_operation(GateKind::rz, {0}, {Angle::symbol("a")})));
  CHECK(set.contains(make_operation(GateKind::cz, {1, 0})));
  CHECK_FALSE(set.contains(make_operation(GateKind::cx, {1, 0})));
  Operation barrier;
  barrier.kind = OperationKind::barrier;
  CHECK_FALSE(set.contains(barrier));
}

TEST_CASE("A constant of a gate with a period of two turns is compared modulo two turns") {
  // crx(theta + 2*pi) differs from crx(theta) by more than a global phase.
  const GateSet set = parse_gate_set(
      R"({"format": "quartz-gate-set", "version": 1, "name": "t",
          "gates": [{"gate": "crx", "angles": [["pi/2"]]}]})",
      "t.json");
  CHECK(set.contains(make_operation(GateKind::crx, {0, 1}, {pi(9, 2)})));
  CHECK_FALSE(set.contains(make_operation(GateKind::crx, {0, 1}, {pi(5, 2)})));
}

TEST_CASE("Bundled gate sets have the default cost that matters on their targets") {
  for (const std::string& name : bundled_gate_sets()) {
    INFO(name);
    const std::string expected = name == "nam"          ? "total"
                                 : name == "clifford_t" ? "t,two-qubit,total"
                                                        : "two-qubit,two-qubit-depth,total";
    CHECK(load_gate_set(name).default_cost.name() == expected);
  }
}

TEST_CASE("The default cost of a set is read from its file and does not change its digest") {
  const GateSet plain = parse_gate_set(valid_gate_set(), "t.json");
  CHECK(plain.default_cost.name() == "total");
  const auto with_cost = [](const std::string& cost) {
    return valid_gate_set("\"source\": \"here\",",
                          "\"source\": \"here\", \"default_cost\": " + cost + ",");
  };
  const GateSet set = parse_gate_set(with_cost("\"two-qubit,depth\""), "t.json");
  CHECK(set.default_cost.name() == "two-qubit,depth");
  CHECK(set.digest == plain.digest);
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"7", "expected a string, found 7"},
      {"\"speed\"",
       "unknown cost 'speed'; known costs: total, two-qubit, t, depth, two-qubit-depth, t-depth"},
      {"\"\"",
       "unknown cost ''; known costs: total, two-qubit, t, depth, two-qubit-depth, t-depth"},
      {"\"t,\"",
       "unknown cost ''; known costs: total, two-qubit, t, depth, two-qubit-depth, t-depth"},
      {"\"costs.json\"",
       "unknown cost 'costs.json'; known costs: total, two-qubit, t, depth, two-qubit-depth, "
       "t-depth"},
      {"\"t,t\"", "the cost 't' is given twice"},
      {"[\"t\"]", "expected a string, found an array"},
  };
  for (const auto& [cost, message] : wrong) {
    CHECK(input_error_of([&, &cost = cost] { (void)parse_gate_set(with_cost(cost), "t.json"); }) ==
          "t.json:6:37: default_cost: " + message);
  }
}

TEST_CASE("The digest depends only on the meaning of a set") {
  const std::string digest = parse_gate_set(valid_gate_set(), "a").digest;
  CHECK(digest.starts_with("xxh128:"));
  CHECK(parse_gate_set(valid_gate_set("\"name\": \"test\"", "\"name\": \"other\""), "b").digest ==
        digest);
  CHECK(parse_gate_set(valid_gate_set("for tests", "for nothing"), "b").digest == digest);
  CHECK(parse_gate_set(valid_gate_set("pi/2", "0.5*pi"), "b").digest == digest);
  CHECK(parse_gate_set(valid_gate_set("pi/2", "pi/4"), "b").digest != digest);
  CHECK(parse_gate_set(valid_gate_set("{\"gate\": \"h\"}", "{\"gate\": \"x\"}"), "b").digest !=
        digest);
  CHECK(parse_gate_set(valid_gate_set("2*p1", "p1"), "b").digest != digest);
  CHECK(parse_gate_set(valid_gate_set("\"parameters\": 2", "\"parameters\": 3"), "b").digest !=
        digest);
}

TEST_CASE("Errors in a gate set are reported with their location") {
  struct Case {
    const char* what;
    const char* by;
    const char* message;
  };
  const Case cases[] = {
      {"quartz-gate-set", "something",
       "t.json: format: expected 'quartz-gate-set', found 'something'"},
      {"\"version\": 1", "\"version\": 2", "t.json: version: expected version 1, found version 2"},
      {"\"version\": 1", "\"version\": \"1\"",
       "t.json: version: expected a whole number, found \"1\""},
      {"\"version\": 1", "\"version\": -1", "t.json: version: expected a whole number, found -1"},
      {"\"name\": \"test\",", "", "t.json: the key 'name' is missing"},
      {"\"name\": \"test\"", "\"name\": \"\"", "t.json: name: the name is empty"},
      {"\"source\"", "\"sauce\"",
       "t.json: unknown key 'sauce'; known keys: format, version, name, description, source, "
       "default_cost, "
       "gates, alphabet, translations"},
      {"\"gate\": \"h\"", "\"gate\": \"hadamard\"",
       "t.json: gates[0].gate: unknown gate 'hadamard'; gates have their OpenQASM names, such as "
       "h, "
       "cx"},
      {"\"gate\": \"h\"", "\"gate\": 7", "t.json: gates[0].gate: expected a string, found 7"},
      {"\"gate\": \"h\"", "\"gates\": \"h\"",
       "t.json: gates[0]: unknown key 'gates'; known keys: gate, qubits, parameters, "
       "matrix, angles, ranges, angle_unit"},
      {"{\"gate\": \"h\"}", "\"h\"", "t.json: gates[0]: expected an object, found \"h\""},
      {"\"gate\": \"h\"", "\"gate\": \"rz\"", "t.json: gates[2].gate: rz is given twice"},
      {"\"gate\": \"h\"", "\"gate\": \"h\", \"angles\": [[]]",
       "t.json: gates[0].angles: h takes no angles"},
      {"[\"pi/2\"]", "[\"pi/2\", \"pi\"]", "t.json: gates[1].angles[0]: rx takes 1 angle, found 2"},
      {"[\"pi/2\"]", "[]", "t.json: gates[1].angles[0]: rx takes 1 angle, found 0"},
      {"[[\"pi/2\"], [\"pi\"]]", "[]",
       "t.json: gates[1].angles: found no choices; omit 'angles' to permit any angle"},
      {"[\"pi/2\"]", "\"pi/2\"", "t.json: gates[1].angles[0]: expected an array, found \"pi/2\""},
      {"\"pi/2\"", "1.57",
       "t.json: gates[1].angles[0][0]: expected an angle as a string, such as \"pi/2\", found "
       "1.57"},
      {"\"pi/2\"", "\"pi/\"",
       "t.json: gates[1].angles[0][0]: in the angle 'pi/', column 4: found the end, expected a "
       "number, 'pi', a parameter or '('"},
      {"\"pi/2\"", "\"p0\"",
       "t.json: gates[1].angles[0][0]: expected a constant, found the parameter 'p0'"},
      {"\"pi/2\"", "\"-pi\"", "t.json: gates[1].angles[1]: this choice is given twice"},
      {"\"gates\": [{\"gate\": \"h\"}, {\"gate\": \"rx\", \"angles\": [[\"pi/2\"], [\"pi\"]]}, "
       "{\"gate\": \"rz\"}]",
       "\"gates\": []", "t.json: gates: a gate set needs at least one gate"},
      {"\"2*p1\"", "\"2*p2\"",
       "t.json: alphabet.expressions[1]: unknown parameter 'p2'; known parameters: p0, p1"},
      {"\"2*p1\"", "\"p0*p1\"",
       "t.json: alphabet.expressions[1]: in the angle 'p0*p1', column 3: one side of '*' must be a "
       "plain number"},
      {"\"2*p1\"", "\"0+p0\"", "t.json: alphabet.expressions[1]: the expression is given twice"},
      {"\"parameters\": 2", "\"parameters\": 17",
       "t.json: alphabet.parameters: expected at most 16 parameters, found 17"},
      {"[\"p0\", \"2*p1\"]", "[]",
       "t.json: alphabet.expressions: the angles of rz are not a list: the alphabet needs "
       "expressions for them, such as \"alphabet\": {\"parameters\": 1, \"expressions\": "
       "[\"p0\"]}"},
      {",\n  \"alphabet\": {\"parameters\": 2, \"expressions\": [\"p0\", \"2*p1\"]}", "",
       "t.json: the angles of rz are not a list: the alphabet needs expressions for them, such as "
       "\"alphabet\": {\"parameters\": 1, \"expressions\": [\"p0\"]}"},
      {"\"description\": \"for tests\"", "\"name\": \"again\"",
       "t.json: the key 'name' is given twice"},
      {"\"description\": \"for tests\"", "\"description\": \"for tests",
       "t.json:5:29: invalid JSON: syntax error while parsing value - invalid string: control "
       "character U+000A (LF) must be escaped to \\u000A or \\n; last read: '\"for "
       "tests,<U+000A>'"},
      {"\"version\": 1,", "\"version\": 1",
       "t.json:4:8: invalid JSON: syntax error while parsing object - unexpected string literal; "
       "expected '}'"},
      {"\"version\": 1,", "\"version\": 1e999,",
       "t.json: invalid JSON: [json.exception.out_of_range.406] number overflow parsing '1e999'"},
  };
  for (const Case& wrong : cases) {
    const std::string text = valid_gate_set(wrong.what, wrong.by);
    INFO(text);
    CHECK(without_place(input_error_of([&] { (void)parse_gate_set(text, "t.json"); })) ==
          without_place(wrong.message));
  }
}

TEST_CASE("Ranges of angles are read, and invalid ranges are refused with their location") {
  const std::string rz = "{\"gate\": \"rz\"}";
  const std::string rzz = "{\"gate\": \"rzz\", \"ranges\": {\"theta\": [\"0\", \"pi/2\"]}}";
  const GateSet set = parse_gate_set(valid_gate_set(rz, rzz), "t.json");
  const auto with_angle = [](const Angle& angle) {
    return make_operation(GateKind::rzz, {0, 1}, {angle});
  };
  CHECK(set.contains(with_angle(pi(1, 2))));
  CHECK(set.contains(with_angle(Angle::radians(Rational(1, 10)))));
  CHECK_FALSE(set.contains(with_angle(Angle())));  // the identity
  CHECK_FALSE(set.contains(with_angle(pi(-1, 4))));
  CHECK_FALSE(set.contains(with_angle(pi(5, 2))));  // a whole turn from one in the range
  CHECK_FALSE(set.contains(with_angle(Angle::symbol("a"))));
  CHECK(set.digest != parse_gate_set(valid_gate_set(rz, "{\"gate\": \"rzz\"}"), "t.json").digest);

  struct Case {
    std::string gate;
    std::string message;
  };
  const std::vector<Case> cases = {
      {"{\"gate\": \"cz\", \"ranges\": {\"theta\": [\"0\", \"pi\"]}}",
       "gates[2].ranges: cz takes no angles"},
      {"{\"gate\": \"rzz\", \"ranges\": {\"phi\": [\"0\", \"pi\"]}}",
       "gates[2].ranges: unknown key 'phi'; known keys: theta"},
      {"{\"gate\": \"rzz\", \"ranges\": {}}",
       "gates[2].ranges: found no ranges; omit 'ranges' to permit any angle"},
      {"{\"gate\": \"rzz\", \"ranges\": {\"theta\": [\"0\"]}}",
       "gates[2].ranges.theta: expected the least and the greatest angle, found 1 element"},
      {"{\"gate\": \"rzz\", \"ranges\": {\"theta\": [\"pi\", \"0\"]}}",
       "gates[2].ranges.theta: expected the least angle before the greatest"},
      {"{\"gate\": \"rzz\", \"ranges\": {\"theta\": [\"0\", \"2*pi\"]}}",
       "gates[2].ranges.theta[1]: expected a constant from -pi to pi, found 2*pi"},
      {"{\"gate\": \"rzz\", \"ranges\": {\"theta\": [\"0\", \"p0\"]}}",
       "gates[2].ranges.theta[1]: expected a constant from -pi to pi, found p0"},
      {"{\"gate\": \"rzz\", \"angles\": [[\"0\"]], \"ranges\": {\"theta\": [\"0\", \"pi\"]}}",
       "gates[2]: found both 'angles' and 'ranges', expected at most one of them"},
  };
  for (const Case& wrong : cases) {
    INFO(wrong.gate);
    CHECK(without_place(input_error_of([&] {
            (void)parse_gate_set(valid_gate_set(rz, wrong.gate), "t.json");
          })) == without_place("t.json: " + wrong.message));
  }
}

TEST_CASE("Errors in a gate set are reported with line and column") {
  const auto place = [](const std::string& what, const std::string& by) {
    const std::string text = valid_gate_set(what, by);
    const std::string message = input_error_of([&] { (void)parse_gate_set(text, "t.json"); });
    return message.substr(0, message.find(": "));
  };
  CHECK(place("\"h\"", "\"hadamard\"") == "t.json:7:22");
  CHECK(place("[\"pi\"]", "[\"theta\"]") == "t.json:7:65");
  CHECK(place("\"gate\": \"rz\"", "\"gate\": \"h\"") == "t.json:7:83");
  CHECK(place("2*p1", "p7") == "t.json:8:55");
  CHECK(place("\"source\": \"here\"", "\"sauce\": [\"a\\\"]\", {}]") == "t.json:6:12");
  CHECK(place("  \"version\": 1,", "\n\n\t\"version\":\n  12,") == "t.json:6:3");
  CHECK(place("\"name\": \"test\",", "") == "t.json:1:1");
}

TEST_CASE("Text that is not a JSON object is refused") {
  for (const char* text :
       {"", "[]", "null", "3", "\"nam\"", "{", "{}", "[[[[", "\xff\xfe", "{}{}"}) {
    INFO(text);
    CHECK_THROWS_AS(parse_gate_set(text, "t.json"), InputError);
  }
  CHECK(without_place(input_error_of([&] { (void)parse_gate_set("[]", "t.json"); })) ==
        without_place("t.json: expected an object, found an array"));
  CHECK_THROWS_AS(parse_gate_set(std::string(100000, '['), "t.json"), InputError);
}

TEST_CASE("Every truncated gate set is an error") {
  const std::string text = valid_gate_set();
  for (std::size_t length = 0; length < text.size(); ++length) {
    CHECK_THROWS_AS(parse_gate_set(text.substr(0, length), "t.json"), InputError);
  }
}

TEST_CASE(
    "The error for an unknown gate set lists the bundled ones, that for a missing file does not") {
  std::string names;
  for (const std::string& name : bundled_gate_sets()) names += (names.empty() ? "" : ", ") + name;
  CHECK_THROWS_MATCHES(
      load_gate_set("naam"), UsageError,
      Catch::Message("unknown gate set 'naam' (did you mean 'nam'?); bundled gate sets: " + names +
                     "; or give a JSON file"));
  CHECK_THROWS_MATCHES(load_gate_set("no/such/set.json"), InputError,
                       Catch::Message("no/such/set.json: cannot read: No such file or directory"));
  CHECK_THROWS_AS(load_gate_set("missing.json"), InputError);
}

TEST_CASE("A gate set says which angles circuits give in turns") {
  const std::string any_rz = "{\"gate\": \"rz\"}";
  const GateSet set = parse_gate_set(
      valid_gate_set(any_rz,
                     "{\"gate\": \"gpi\", \"angle_unit\": \"turns\"}, {\"gate\": \"rz\", "
                     "\"angle_unit\": \"radians\"}"),
      "t.json");
  REQUIRE(set.entries.size() == 4);
  CHECK_FALSE(set.entries[1].written_in_turns);
  CHECK(set.entries[2].written_in_turns);
  CHECK_FALSE(set.entries[3].written_in_turns);
  // The unit in which circuits are written does not affect the meaning of the set.
  const GateSet radians =
      parse_gate_set(valid_gate_set(any_rz, "{\"gate\": \"gpi\"}, {\"gate\": \"rz\"}"), "t.json");
  CHECK(set.digest == radians.digest);
  for (const char* name : {"ionq_aria", "ionq_aria_full", "ionq_forte"}) {
    for (const GateSetEntry& entry : load_gate_set(name).entries) {
      CHECK(entry.written_in_turns == (entry.gate != GateKind::rzz));
    }
  }
  const auto error_with = [&](const std::string& entry) {
    return without_place(
        input_error_of([&] { (void)parse_gate_set(valid_gate_set(any_rz, entry), "t.json"); }));
  };
  CHECK(error_with("{\"gate\": \"rz\", \"angle_unit\": \"degrees\"}") ==
        "t.json: gates[2].angle_unit: expected \"radians\" or \"turns\", found \"degrees\"");
  CHECK(error_with("{\"gate\": \"x\", \"angle_unit\": \"turns\"}") ==
        "t.json: gates[2].angle_unit: x takes no angles");
}
