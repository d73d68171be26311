#include <catch2/catch.hpp>
#include <stop_token>
#include <string>
#include <string_view>

#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/rules/rule_set.hpp"

using namespace quartz;

namespace {

Angle p(const char* name) { return Angle::symbol(name); }

RuleSet example() {
  RuleSet rules;
  rules.gate_set = "example \"quoted\"";
  rules.gate_set_digest = "xxh128:00112233445566778899aabbccddeeff";
  rules.gates = 3;
  rules.qubits = 3;
  rules.parameters = 2;
  rules.seed = 18446744073709551615U;
  rules.proofs = {"z3 4.8.12", 5, 4, 1};
  rules.classes = {
      {{{{}, {}}, {{make_operation(GateKind::h, {0}), make_operation(GateKind::h, {0})}, {}}}},
      {{{{make_operation(GateKind::p, {2}, {p("p0")})}, {}},
        {{make_operation(GateKind::rz, {2}, {p("p0")})}, p("p0") * Rational(-1, 2)}}},
      {{{{make_operation(GateKind::u2, {1}, {Angle::pi_times(Rational(-3, 4)), p("p0") + p("p1")}),
          make_operation(GateKind::ccx, {0, 2, 1})},
         {}},
        {{make_operation(GateKind::x, {1})}, Angle::pi_times(1) + p("p1")},
        {{make_operation(GateKind::y, {1})}, Angle::pi_times(Rational(1, 2))}}},
  };
  return rules;
}

/// Returns the text with a digest line that matches it, as if a program had written it.
std::string with_digest(std::string text) {
  const std::size_t line = text.rfind("\n\"digest\": ");
  text.resize(line);
  return text + "\n\"digest\": \"" + digest_of(text) + "\"\n}\n";
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

std::string error_of_rules(const std::string& text) {
  try {
    static_cast<void>(parse_rule_set(text, "r.json"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

bool same(const EquivalenceClass& a, const EquivalenceClass& b) {
  if (a.members.size() != b.members.size()) return false;
  for (std::size_t i = 0; i < a.members.size(); ++i) {
    if (a.members[i].gates != b.members[i].gates) return false;
    if (a.members[i].phase != b.members[i].phase) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("a written rule set is read back unchanged") {
  const RuleSet rules = example();
  const std::string text = write_rule_set(rules);
  const RuleSet read = parse_rule_set(text, "r.json");
  CHECK(read.gate_set == rules.gate_set);
  CHECK(read.gate_set_digest == rules.gate_set_digest);
  CHECK(read.gates == rules.gates);
  CHECK(read.qubits == rules.qubits);
  CHECK(read.parameters == rules.parameters);
  CHECK(read.seed == rules.seed);
  CHECK(read.proofs.method == rules.proofs.method);
  CHECK(read.proofs.tried == rules.proofs.tried);
  CHECK(read.proofs.proved == rules.proofs.proved);
  CHECK(read.proofs.unknown == rules.proofs.unknown);
  REQUIRE(read.classes.size() == rules.classes.size());
  for (std::size_t i = 0; i < read.classes.size(); ++i) {
    INFO("class " << i + 1);
    CHECK(same(read.classes[i], rules.classes[i]));
  }
  CHECK(write_rule_set(read) == text);
}

TEST_CASE("a written rule set without classes is read back unchanged") {
  RuleSet rules = example();
  rules.classes.clear();
  const std::string text = write_rule_set(rules);
  CHECK(parse_rule_set(text, "r.json").classes.empty());
  CHECK(write_rule_set(parse_rule_set(text, "r.json")) == text);
}

TEST_CASE("the text of a rule set has one class in each line and a digest of the text before it") {
  const std::string text = write_rule_set(example());
  CHECK(text.starts_with(R"({
"format": "quartz-rule-set",
"version": 1,
"gate_set": {"name": "example \"quoted\"", "digest": "xxh128:00112233445566778899aabbccddeeff"},
"gates": 3,
"qubits": 3,
"parameters": 2,
"seed": 18446744073709551615,
"proofs": {"method": "z3 4.8.12", "tried": 5, "proved": 4, "unknown": 1},
"classes": [
[["0"],["0",["h",0],["h",0]]],
[["0",["p","p0",2]],["-p0/2",["rz","p0",2]]],
[["0",["u2","-3*pi/4","p0+p1",1],["ccx",0,2,1]],["p1+pi",["x",1]],["pi/2",["y",1]]]
],
"digest": ")"));
  CHECK(with_digest(text) == text);
}

TEST_CASE("circuits and rules of a rule set are counted") {
  CHECK(example().circuit_count() == 7);
  CHECK(example().rule_count() == 2 + 2 + 6);
  CHECK(RuleSet{}.circuit_count() == 0);
  CHECK(RuleSet{}.rule_count() == 0);
}

TEST_CASE("rules for another gate set are refused, and the message names both") {
  const RuleSet rules = example();
  GateSet set;
  set.name = "nam";
  set.digest = rules.gate_set_digest;
  CHECK_NOTHROW(require_gate_set(rules, set, "r.json"));
  set.digest = "xxh128:ff";
  CHECK_THROWS_WITH(require_gate_set(rules, set, "r.json"),
                    "r.json: rules of gate set 'example \"quoted\"' "
                    "(xxh128:00112233445566778899aabbccddeeff), expected 'nam' (xxh128:ff)");
  CHECK_THROWS_AS(require_gate_set(rules, set, "r.json"), InputError);
}

TEST_CASE("a rule set truncated anywhere is refused") {
  const std::string text = write_rule_set(example());
  // Everything except the newline at the end is needed.
  for (std::size_t length = 0; length + 1 < text.size(); ++length) {
    INFO("the first " << length << " bytes");
    CHECK_THROWS_AS(parse_rule_set(text.substr(0, length), "r.json"), InputError);
  }
  CHECK(
      error_of_rules("") ==
      "r.json:1:1: truncated, or not a rule set: syntax error while parsing value - unexpected end "
      "of input; expected '[', '{', or a literal");
  CHECK(error_of_rules(text.substr(0, text.find(",[\"h\",0]]]"))) ==
        "r.json:11:20: truncated, or not a rule set: syntax error while parsing array - unexpected "
        "end of input; expected ']'");
}

TEST_CASE("a changed byte anywhere in a rule set is detected") {
  const std::string text = write_rule_set(example());
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    std::string changed = text;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    // The digest covers the text before its line; blanks at the end of the file do not matter.
    INFO("byte " << i << " made '" << changed[i] << "'");
    CHECK_THROWS_AS(parse_rule_set(changed, "r.json"), InputError);
  }
}

TEST_CASE("a damaged rule set is refused with a clear message") {
  const std::string text = write_rule_set(example());
  const auto edit = [&](std::string_view what, std::string_view by) {
    return error_of_rules(replaced(text, what, by));
  };
  const auto made = [&](std::string_view what, std::string_view by) {
    return error_of_rules(with_digest(replaced(text, what, by)));
  };

  SECTION("files of another kind") {
    CHECK(error_of_rules("OPENQASM 2.0;\nqreg q[2];\n") ==
          "r.json:1:1: truncated, or not a rule set: syntax error while parsing value - invalid "
          "literal; last read: 'O'");
    CHECK(error_of_rules("[]") == "r.json: not a rule set: found an array, expected an object");
    CHECK(error_of_rules("7") == "r.json: not a rule set: found 7, expected an object");
    CHECK(error_of_rules("{}") == "r.json: the object ends, expected key \"format\"");
    CHECK(error_of_rules("{\"name\": \"nam\"}") ==
          "r.json: not a rule set: found key \"name\", expected \"format\"");
    CHECK(edit("quartz-rule-set", "quartz-gate-set") ==
          "r.json: not a rule set: \"format\" is \"quartz-gate-set\", expected "
          "\"quartz-rule-set\"");
    CHECK(
        error_of_rules(text + "{}") ==
        "r.json:17:1: truncated, or not a rule set: syntax error while parsing value - unexpected "
        "'{'; expected end of input");
  }
  SECTION("text behind a zero byte, at which the JSON library ends") {
    CHECK(error_of_rules(text + std::string("\0x", 2)) ==
          "r.json: damaged, or not a rule set: found a zero byte");
  }
  SECTION("another version, with any digest") {
    CHECK(edit("\"version\": 1", "\"version\": 2") ==
          "r.json: a rule set of format version 2, expected version 1");
    CHECK(edit("\"version\": 1", "\"version\": \"1\"") ==
          "r.json: found \"1\", expected a non-negative integer");
  }
  SECTION("edited by hand") {
    const std::string stated = text.substr(text.rfind("xxh128:"), 39);
    const std::string edited = replaced(text, "[\"y\",1]", "[\"z\",1]");
    const std::string found = digest_of(edited.substr(0, edited.rfind("\n\"digest\"")));
    CHECK(error_of_rules(edited) == "r.json: edited by hand or damaged: the digest is " + found +
                                        ", the file states " + stated);
    CHECK(error_of_rules(replaced(text, "],\n\"digest\"", "],\n  \"digest\"")) ==
          "r.json: edited by hand: no line with the digest");
  }
  SECTION("errors in the header") {
    CHECK(made("\"gates\": 3", "\"gates\": -3") ==
          "r.json: \"gates\": found -3, expected a non-negative integer");
    CHECK(made("\"gates\": 3", "\"gates\": 3.5") ==
          "r.json: \"gates\": found 3.5, expected a non-negative integer");
    CHECK(made("\"gates\": 3", "\"gates\": 4294967296") ==
          "r.json: \"gates\": found 4294967296, which is out of range");
    CHECK(made("\"gates\": 3,", "") ==
          "r.json: \"gates\": found key \"qubits\", expected \"gates\"");
    CHECK(made("\"parameters\": 2", "\"parameters\": 20000") ==
          "r.json: more than 1000 parameters");
    CHECK(made("\"name\": \"example \\\"quoted\\\"\"", "\"name\": null") ==
          "r.json: \"name\": found null, expected text");
    CHECK(made("\"classes\": [", "\"classes\": {") ==
          "r.json: \"classes\": found an object, expected an array of classes");
    CHECK(made(", \"unknown\": 1", "") ==
          "r.json: \"unknown\": the object ends, expected key \"unknown\"");
  }
  SECTION("errors in circuits") {
    CHECK(made("[\"y\",1]", "[\"why\",1]") ==
          "r.json: class 3, circuit 3, gate 1: unknown gate \"why\"; rules with a gate that is "
          "not built in need the gate set that declares it (--gate-set)");
    CHECK(made("[\"ccx\",0,2,1]", "[\"cnot\",0,2]") ==
          "r.json: class 3, circuit 1, gate 2: unknown gate \"cnot\"");
    CHECK(made("[\"y\",1]", "[\"y\",3]") ==
          "r.json: class 3, circuit 3, gate 1: qubit 3 of a rule set on 3 qubits");
    CHECK(made("[\"y\",1]", "[\"y\",0,1]") ==
          "r.json: class 3, circuit 3, gate 1: gate y has 2 qubits, expected 1");
    CHECK(made("[\"y\",1]", "[\"y\"]") ==
          "r.json: class 3, circuit 3, gate 1: gate y has 0 qubits, expected 1");
    CHECK(made("[\"y\",1]", "[]") == "r.json: class 3, circuit 3, gate 1: a gate without a name");
    CHECK(made("[\"y\",1]", "[1]") ==
          "r.json: class 3, circuit 3, gate 1: found 1, expected a gate's name");
    CHECK(made("[\"y\",1]", "[\"y\",true]") ==
          "r.json: class 3, circuit 3, gate 1: found true, expected an angle or a qubit");
    CHECK(made("[\"y\",1]", "\"y\"") ==
          "r.json: class 3, circuit 3: found \"y\", expected a gate, [name, angle ..., qubit ...]");
    CHECK(made("[\"ccx\",0,2,1]", "[\"ccx\",0,2,0]") ==
          "r.json: class 3, circuit 1, gate 2: qubit 0 is used twice in one gate");
    CHECK(made("[\"p\",\"p0\",2]", "[\"p\",2,\"p0\"]") ==
          "r.json: class 2, circuit 1, gate 1: an angle after a qubit, expected angles first");
    CHECK(made("[\"p\",\"p0\",2]", "[\"p\",2]") ==
          "r.json: class 2, circuit 1, gate 1: gate p has 0 angles, expected 1");
    CHECK(made("[\"p\",\"p0\",2]", "[\"p\",\"p2\",2]") ==
          "r.json: class 2, circuit 1, gate 1: angle \"p2\" has parameter 'p2' in a rule set of 2 "
          "parameters");
    CHECK(made("[\"p\",\"p0\",2]", "[\"p\",\"p0**2\",2]")
              .starts_with("r.json: class 2, circuit 1, gate 1: bad angle \"p0**2\": "));
    CHECK(made("[\"-p0/2\",", "[") ==
          "r.json: class 2, circuit 2: found an array, expected a phase");
    CHECK(made("[\"-p0/2\",", "[\"-q/2\",") ==
          "r.json: class 2, circuit 2: angle \"-q/2\" has parameter 'q' in a rule set of 2 "
          "parameters");
    CHECK(made("[\"0\",[\"p\"", "[\"pi\",[\"p\"") ==
          "r.json: class 2, circuit 1: the phase of a representative is not zero");
    CHECK(made("[[\"0\"],", "[[],") == "r.json: class 1, circuit 1: a circuit without a phase");
    CHECK(made("[[\"0\"],[\"0\",[\"h\",0],[\"h\",0]]]", "[[\"0\"]]") ==
          "r.json: class 1: a class needs at least two circuits");
    CHECK(made("[[\"0\"],[\"0\",[\"h\",0],[\"h\",0]]]", "1") ==
          "r.json: found 1, expected an array of circuits");
    CHECK(made("[[\"0\"],", "[1,") ==
          "r.json: class 1: found 1, expected a circuit, [phase, gate, "
          "...]");
    CHECK(made("[\"y\",1]", "[\"y\",1],[\"y\",1],[\"y\",1],[\"y\",1]") ==
          "r.json: class 3, circuit 3: a circuit of 4 gates in a rule set of up to 3");
  }
  SECTION("broken JSON") {
    CHECK(made("[\"y\",1]", "[\"y\";1]") ==
          "r.json:13:79: truncated, or not a rule set: syntax error while parsing array - invalid "
          "literal; last read: '\"y\";'; expected ']'");
  }
}

TEST_CASE("reading a rule set stops when a stop is requested") {
  std::stop_source source;
  source.request_stop();
  const std::string text = write_rule_set(example());
  CHECK_THROWS_AS(parse_rule_set(text, "test", source.get_token()), Stopped);
}
