#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "circuit/exact_matrix.hpp"
#include "gate_set_circuits.hpp"
#include "input_error.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/target/cost_file.hpp"
#include "quartz/target/gate_set.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::circuit;
using namespace quartz::test;

namespace {

/// Returns a gate set with these gates and, after the alphabet, more members.
std::string set_text(const std::string& gates, const std::string& more = "") {
  return R"({"format": "quartz-gate-set", "version": 1, "name": "t",
 "alphabet": {"parameters": 1, "expressions": ["p0"]},
 "gates": [)" +
         gates + "]" + (more.empty() ? "" : ",\n " + more) + "}";
}

GateSet set_of(const std::string& gates, const std::string& more = "") {
  return parse_gate_set(set_text(gates, more), "t.json");
}

/// Returns a diagonal gate on one qubit in JSON, with this second entry.
std::string with_json_entry(const std::string& entry) {
  return R"({"gate": "one_entry", "qubits": 1, "parameters": ["theta"], "matrix": [[1, 0], [0, )" +
         entry + "]]}";
}
std::string with_entry(const std::string& expression) {
  return with_json_entry("\"" + expression + "\"");
}

std::string refusal(const std::string& gates, const std::string& more = "") {
  return input_error_of([&] { (void)set_of(gates, more); });
}

/// Returns the error message for an entry, without the location.
std::string entry_refusal(const std::string& entry) {
  return without_place(refusal(with_entry(entry)));
}

bool is_in(const GateSet& set, const Circuit& circuit) {
  return std::all_of(circuit.operations.begin(), circuit.operations.end(),
                     [&](const Operation& operation) { return set.contains(operation); });
}

const std::string kExample = std::string(QUARTZ_SOURCE_DIR) + "/gatesets/examples/xy.json";

}  // namespace

TEST_CASE("The example of the documentation is read", "[custom]") {
  const GateSet set = load_gate_set(kExample);
  REQUIRE(set.entries.size() == 5);
  const Gate& xy = gate(set.entries[3].gate);
  CHECK(xy.name == "xy");
  CHECK(xy.symmetry == std::vector<unsigned>{0, 0});
  CHECK(xy.inverse.operations[0].gate == xy.kind);
  // XY(pi) is iSWAP.
  CHECK(ExactMatrix(2, xy.matrix).substitute({{"theta", Angle::pi_times(1)}}) ==
        ExactMatrix(2, gate(GateKind::iswap).matrix));
  CHECK(gate(set.entries[4].gate).name == "echoed_xy");
  CHECK(gate(set.entries[4].gate).decompositions[0].operations.size() == 3);
  CHECK(set.translations.size() == 3);
  CHECK(load_gate_set(kExample).digest == set.digest);
}

TEST_CASE("Matrix entries are exact expressions", "[custom]") {
  struct Case {
    const char* entry;
    Angle exponent;
  };
  const Angle theta = Angle::symbol("theta");
  const auto pi = [](std::int64_t a, std::int64_t b) { return Angle::pi_times(Rational(a, b)); };
  const Case cases[] = {
      {"1", {}},
      {"-1", pi(1, 1)},
      {"i", pi(1, 2)},
      {"-i * i", {}},
      {"exp(i*theta)", theta},
      {"exp(-i*theta/2)", theta * Rational(-1, 2)},
      {"exp(0.5*theta*i + i*pi/8)", theta * Rational(1, 2) + pi(1, 8)},
      {"exp(i*(2*theta - pi/3))", theta * Rational(2) - pi(1, 3)},
      {"(1+i)/sqrt(2)", pi(1, 4)},
      {"sqrt(2)*(1 - i)/2", pi(-1, 4)},
      {"(sqrt(2) + i*sqrt(2)) / 2", pi(1, 4)},
      {"cos(theta) + i*sin(theta)", theta},
      {"cos(pi/4)*sqrt(2)", {}},
      {"1/2 + i*sin(pi/3)", pi(1, 3)},
      {"cos(theta)*cos(theta) + sin(theta)*sin(theta)", {}},
      {"sqrt(8)/sqrt(2)/(1+1)", {}},
      {"--1", {}},
  };
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    INFO(cases[i].entry);
    std::string gates = with_entry(cases[i].entry);
    gates.replace(gates.find("one_entry"), 9, "entry_" + std::to_string(i));
    const GateSet set = set_of(gates);
    ExactMatrix expected(1);
    expected.at(1, 1) = ExactSum::phase(cases[i].exponent);
    CHECK(ExactMatrix(1, gate(set.entries[0].gate).matrix) == expected);
  }
}

TEST_CASE("Invalid matrix entries are refused with their location", "[custom]") {
  CHECK(refusal(with_entry("1/3")) ==
        "t.json:3:98: gates[0].matrix[1][1]: cannot divide by 3: entries are sums of e^(i*angle) "
        "with integer coefficients, over powers of sqrt(2)");
  const std::string where = "t.json: gates[0].matrix[1][1]: ";
  const std::string entries =
      "entries are sums of e^(i*angle) with integer coefficients, over powers of sqrt(2)";
  struct Case {
    const char* entry;
    std::string message;
  };
  const Case cases[] = {
      {"sqrt(3)", "expected the square root of a power of 2: " + entries},
      {"sqrt(2", "expected the square root of a power of 2: " + entries},
      {"1/(1+sqrt(2))", "cannot divide by (1+sqrt(2)): " + entries},
      {"1/0", "division by zero"},
      {"0.5", "expected a whole number, as in 1/2 and 1/sqrt(2)"},
      {"1..5", "the number is malformed"},
      {"99999999999999999999", "the number is out of range"},
      {"", "found the end, expected a number, i, sqrt(2), cos(), sin(), exp() or '('"},
      {"(1", "found the end, expected ')'"},
      {"1 2", "found '2', expected an operator or the end"},
      {"cos theta", "found 't', expected '('"},
      {"theta", "'theta' is allowed only in cos(), sin() and exp()"},
      {"pi", "'pi' is allowed only in cos(), sin() and exp()"},
      {"tan(theta)", "unknown 'tan'; the gate has the parameters theta"},
      {"exp(i*phi)", "unknown parameter 'phi'; the gate has theta"},
      {"exp(theta)", "the argument of exp() must be i times an angle, as in exp(i*theta/2)"},
      {"exp(i*theta + theta)",
       "the argument of exp() must be i times an angle, as in exp(i*theta/2)"},
      {"cos(i*theta)", "the argument of cos() must be a real angle"},
      {"exp(i*theta*theta)",
       "angles must be linear in the parameters: one side of '*' must be a number"},
      {"exp(i/theta)", "the right side of '/' must be a number that is not 0"},
      {"exp(i*theta/4)", "e^(i*(theta/4)): parameters must occur in multiples of 1/2"},
      {"exp(i*0.1)", "e^(i*(0.1)): constants must be multiples of pi"},
  };
  for (const Case& each : cases) {
    INFO(each.entry);
    CHECK(entry_refusal(each.entry) == where + each.message);
  }
  CHECK(without_place(refusal(with_json_entry("0.5"))) ==
        where + "expected a string or a whole number, found 0.5");
  CHECK(without_place(refusal(with_json_entry("null"))) ==
        where + "expected a string or a whole number, found null");
  CHECK(entry_refusal("4000000000") == where + "an entry has a coefficient of more than 32 bits");
  CHECK(entry_refusal("4000000000*4000000000*4000000000") ==
        where + "an exact integer needs more than 64 bits");
  CHECK(entry_refusal("exp(i*9000000000000000000*2*theta)") ==
        where + "an exact fraction needs more than 64 bits");
  CHECK(entry_refusal(std::string(300, '(')) == where + "parentheses are nested too deeply");
}

TEST_CASE("The location is inside the string, even after escape sequences", "[custom]") {
  // Column 98 is that of the digit 3 in "1/3"; \u0020 is a blank that takes six columns.
  CHECK(refusal(with_entry("1\\u0020/3")).substr(0, 14) == "t.json:3:104: ");
  CHECK(refusal(with_entry("1\\t/3")).substr(0, 14) == "t.json:3:100: ");
}

TEST_CASE("Errors in a custom gate are reported with their location", "[custom]") {
  struct Case {
    std::string gates;
    std::string message;
  };
  const std::string zero_matrix = R"("matrix": [[0, 0], [0, 0]])";
  const Case cases[] = {
      {R"({"gate": "cx", "qubits": 1, )" + zero_matrix + "}",
       "t.json:3:21: gates[0].gate: 'cx' is the name of a built-in gate"},
      {R"({"gate": "gate cx a, b { h b; }"})",
       "t.json:3:21: gates[0].gate: 'cx' is the name of a built-in gate"},
      {R"({"gate": "Mine", "qubits": 1, )" + zero_matrix + "}",
       "t.json:3:21: gates[0].gate: 'Mine' is not a valid gate name, expected a lower-case letter, "
       "then letters, digits and _"},
      {R"({"gate": "mine", "qubits": 1})",
       "t.json:3:21: gates[0].gate: 'mine' is not a built-in gate: it needs a 'matrix', or "
       "an OpenQASM definition in place of its name"},
      {R"({"gate": "mine", )" + zero_matrix + "}",
       "t.json:3:12: gates[0]: the key 'qubits' is missing"},
      {R"({"gate": "mine", "qubits": 4, )" + zero_matrix + "}",
       "t.json:3:39: gates[0].qubits: expected 1 to 3 qubits, found 4"},
      {R"({"gate": "mine", "qubits": 2, )" + zero_matrix + "}",
       "t.json:3:52: gates[0].matrix: a gate on 2 qubits has 4 rows, found 2"},
      {R"({"gate": "mine", "qubits": 1, "matrix": [[1, 0], [0]]})",
       "t.json:3:61: gates[0].matrix[1]: a gate on 1 qubit has 2 entries in a row, found 1"},
      {R"({"gate": "mine", "qubits": 1, "matrix": [[1, 0], [0, 0]]})",
       "t.json:3:52: gates[0].matrix: the matrix is not unitary: column 2 does not have length 1"},
      {R"json({"gate": "mine", "qubits": 1, "parameters": ["a"],
  "matrix": [["cos(a)", "sin(a)"], ["sin(a)", "cos(a)"]]})json",
       "t.json:4:13: gates[0].matrix: the matrix is not unitary: columns 1 and 2 are not "
       "orthogonal"},
      {R"({"gate": "gate mine a { nope a; }"})",
       "t.json:3:36: gates[0].gate: unknown gate 'nope'; a body may call built-in gates, and gates "
       "defined before it in the file"},
      {R"({"gate": "gate mine a { mine a; }"})",
       "t.json:3:36: gates[0].gate: 'mine' is used in its own definition"},
      {R"({"gate": "gate mine a { h b; }"})",
       "t.json:3:38: gates[0].gate: 'b' is not a qubit of 'mine'"},
      {R"({"gate": "gate mine a, b { cx a, a; }"})",
       "t.json:3:45: gates[0].gate: 'a' is used twice in one gate"},
      {R"({"gate": "gate mine a, a { cx a, a; }"})",
       "t.json:3:35: gates[0].gate: 'a' appears twice in one list"},
      {R"({"gate": "gate mine a { cx a; }"})",
       "t.json:3:36: gates[0].gate: cx takes 2 qubits, found 1"},
      {R"({"gate": "gate mine a { rz a; }"})",
       "t.json:3:36: gates[0].gate: rz takes 1 parameter, found 0"},
      {R"({"gate": "gate mine(t) a { rz(u) a; }"})",
       "t.json:3:42: gates[0].gate: 'u' is not a parameter of 'mine'"},
      {R"({"gate": "gate mine(t) a { rz(t*t) a; }"})",
       "t.json:3:42: gates[0].gate: in the angle 't*t', column 2: one side of '*' must be a plain "
       "number"},
      {R"({"gate": "gate mine(t) a { rz(t/2) a; }"})",
       "t.json:3:21: gates[0].gate: the entry in row 1, column 1 of the matrix of 'mine': "
       "e^(i*(-t/4)): parameters must occur in multiples of 1/2"},
      {R"({"gate": "gate mine a { barrier a; }"})",
       "t.json:3:36: gates[0].gate: unknown gate 'barrier'; a body may call built-in gates, and "
       "gates defined before it in the file"},
      {R"({"gate": "gate mine a { h a }"})", "t.json:3:40: gates[0].gate: found '}', expected ';'"},
      {R"({"gate": "gate mine a { h a; "})",
       "t.json:3:41: gates[0].gate: found the end, expected a gate or '}'"},
      {R"({"gate": "gate mine a { h a; } h"})",
       "t.json:3:43: gates[0].gate: found 'h', expected the end"},
      {R"({"gate": "not a name"})", "t.json:3:22: gates[0].gate: expected 'gate'"},
      {R"({"gate": "gate mine a, b, c, d { h a; }"})",
       "t.json:3:21: gates[0].gate: custom gates have 1 to 3 qubits, 'mine' has 4"},
      {R"({"gate": "gate mine a { h a; }", "matrix": [[1, 0], [0, 1]]})",
       "t.json:3:21: gates[0].gate: the body of 'mine' is not its matrix"},
      {R"({"gate": "gate mine a { h a; }", "qubits": 1})",
       "t.json:3:55: gates[0]: unknown key 'qubits'; known keys: gate, matrix, angles, "
       "ranges, angle_unit"},
      {R"({"gate": "gate twice a { h a; }"}, {"gate": "gate twice a { s a; }"})",
       "t.json:3:56: gates[1].gate: 'twice' is already the name of another gate"},
      {R"({"gate": "gate twice a { h a; }"}, {"gate": "gate twice a { h a; }"})",
       "t.json:3:56: gates[1].gate: twice is given twice"},
  };
  for (const Case& each : cases) {
    INFO(each.gates);
    CHECK(refusal(each.gates) == each.message);
  }
  CHECK(find_gate("mine") == nullptr);
}

TEST_CASE("A list of very many names is refused at once", "[custom]") {
  std::string names = "a0";
  for (int i = 1; i <= 100; ++i) names += ", a" + std::to_string(i);
  CHECK_THAT(refusal(R"({"gate": "gate mine )" + names + R"( { h a0; }"})"),
             Catch::Matchers::EndsWith("found more than 100 names in one list"));
}

TEST_CASE("A body may call only the custom gates of its own file", "[custom]") {
  const GateSet other = set_of(R"({"gate": "gate elsewhere a { h a; }"})");
  REQUIRE(other.custom_gates().find("elsewhere") != nullptr);
  CHECK(without_place(refusal(R"({"gate": "gate here a { elsewhere a; }"})")) ==
        "t.json: gates[0].gate: unknown gate 'elsewhere'; a body may call built-in gates, and "
        "gates defined before it in the file");
  CHECK(without_place(refusal(R"({"gate": "elsewhere"})")) ==
        "t.json: gates[0].gate: unknown gate 'elsewhere'; gates have their OpenQASM names, such as "
        "h, cx");
  CHECK(set_of(R"({"gate": "gate elsewhere a { h a; }"}, {"gate": "gate here a { elsewhere a; }"})")
            .entries.size() == 2);
}

namespace {

/// Returns a set with a gate that is like a built-in one, with one that consists of two of them,
/// and with a translation.
GateSet set_like(const std::string& name, const std::string& like) {
  return set_of(R"({"gate": "gate )" + name + R"((t) a, b { )" + like +
                    R"((t) a, b; }"}, {"gate": "gate twice_)" + name + R"( a, b { )" + name +
                    R"((pi/2) a, b; )" + name + R"((pi/2) b, a; }"}, {"gate": "rz"})",
                R"("translations": ["gate )" + like + R"((t) a, b { )" + name + R"((t) a, b; }"])");
}

/// Returns whether the gates of such a set mean what they should.
bool is_set_like(const GateSet& set, const std::string& name, GateKind like) {
  const CustomGates gates = set.custom_gates();
  const Gate* const row = find_gate(name, gates);
  if (row == nullptr || set.entries[0].gate != row->kind) return false;
  const Circuit circuit =
      make_circuit(2, {make_operation(like, {0, 1}, {Angle::pi_times(Rational(1, 3))})});
  const Circuit translated = translate(circuit, set);
  if (translated.operations.size() != 1 || translated.operations[0].gate != row->kind) return false;
  // The second gate is two quarter turns of the first one.
  const Circuit turns = make_circuit(2, {make_operation(like, {0, 1}, {Angle::pi_times(1)})});
  const Circuit twice = make_circuit(2, {make_operation(set.entries[1].gate, {0, 1})});
  return unitary_distance(translated, circuit) < 1e-12 && unitary_distance(twice, turns) < 1e-12;
}

}  // namespace

TEST_CASE("Gate sets that declare different gates of one name do not depend on each other",
          "[custom]") {
  // In one order for one name, and in the other for another name.
  const GateSet zz = set_like("forth", "rzz");
  const GateSet xx = set_like("forth", "rxx");
  const GateSet other_xx = set_like("back", "rxx");
  const GateSet other_zz = set_like("back", "rzz");
  CHECK(is_set_like(zz, "forth", GateKind::rzz));
  CHECK(is_set_like(xx, "forth", GateKind::rxx));
  CHECK(is_set_like(other_xx, "back", GateKind::rxx));
  CHECK(is_set_like(other_zz, "back", GateKind::rzz));
  // A set that is loaded again has the same gates.
  CHECK(set_like("forth", "rzz").entries[0].gate == zz.entries[0].gate);
  CHECK(set_like("forth", "rzz").digest == zz.digest);
  CHECK(zz.digest != xx.digest);
  // Without a gate set, the name has no meaning.
  CHECK(find_gate("forth") == nullptr);
  CHECK(find_gate("back") == nullptr);
}

TEST_CASE("The names in a file of weights are those of its gate set", "[custom]") {
  const GateSet zz = set_like("weighed_here", "rzz");
  const GateSet xx = set_like("weighed_here", "rxx");
  const std::string weights =
      R"({"format": "quartz-cost", "version": 1, "name": "w",
          "gates": [{"gate": "weighed_here", "weight": 2}]})";
  for (const GateSet* set : {&zz, &xx}) {
    const GateWeights read = parse_gate_weights(weights, "w.json", set->custom_gates());
    CHECK(read.covers(zz.entries[0].gate) == (set == &zz));
    CHECK(read.covers(xx.entries[0].gate) == (set == &xx));
  }
  CHECK_THROWS_WITH(parse_gate_weights(weights, "w.json"),
                    Catch::Matchers::Contains("unknown gate 'weighed_here'"));
}

TEST_CASE("Threads load different sets with gates of the same names at the same time", "[custom]") {
  const std::vector<std::pair<std::string, GateKind>> forms{
      {"rzz", GateKind::rzz}, {"rxx", GateKind::rxx}, {"ryy", GateKind::ryy}};
  std::vector<int> right(2 * forms.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < right.size(); ++i) {
    threads.emplace_back([&, i] {
      const auto& [like, kind] = forms[i % forms.size()];
      for (const std::string name : {"loaded_a", "loaded_b", "loaded_c", "loaded_d"}) {
        right[i] += is_set_like(set_like(name, like), name, kind) ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(right == std::vector<int>(right.size(), 4));
  const CustomGates first = set_like("loaded_a", "rzz").custom_gates();
  CHECK(first.kinds() == set_like("loaded_a", "rzz").custom_gates().kinds());
}

TEST_CASE("A set may declare more custom gates than a byte counts", "[custom]") {
  std::string gates = R"({"gate": "rz"})";
  for (int i = 0; i < 300; ++i) {
    gates += R"(, {"gate": "gate numbered_)" + std::to_string(i) + R"( a { h a; }"})";
  }
  const GateSet set = set_of(gates);
  CHECK(set.entries.size() == 301);
  CHECK(set.custom_gates().kinds().size() == 300);
  CHECK(set.custom_gates().find("numbered_299") == &gate(set.entries[300].gate));
}

TEST_CASE("The digest depends on the meaning of a custom gate", "[custom]") {
  const auto digest = [](const std::string& name, const std::string& body) {
    return set_of(R"({"gate": "gate )" + name + " a { " + body + R"( }"})").digest;
  };
  // The body affects only translation.
  CHECK(digest("digested", "h a;") != digest("digested_too", "h a;"));
  const std::string own = digest("digested", "h a;");
  CHECK(own == digest("digested", "h   a ;"));
  const std::string by_matrix = set_of(R"json({"gate": "digested_m", "qubits": 1,
                 "matrix": [["1/sqrt(2)", "1/sqrt(2)"], ["1/sqrt(2)", "-1/sqrt(2)"]]})json")
                                    .digest;
  CHECK(by_matrix != set_of(R"({"gate": "h"})").digest);
}

TEST_CASE("Angle choices and ranges apply to a custom gate", "[custom]") {
  const GateSet set = set_of(
      R"({"gate": "gate chosen(t) a, b { rzz(t) a, b; }", "angles": [["pi/2"]]},
         {"gate": "gate ranged(t) a, b { rxx(t) a, b; }", "ranges": {"t": ["0", "pi/2"]}},
         {"gate": "rz"})");
  const auto on = [&](const char* name, const Angle& angle) {
    return make_operation(set.custom_gates().find(name)->kind, {0, 1}, {angle});
  };
  CHECK(set.contains(on("chosen", Angle::pi_times(Rational(1, 2)))));
  CHECK_FALSE(set.contains(on("chosen", Angle::pi_times(1))));
  CHECK(set.contains(on("ranged", Angle::pi_times(Rational(1, 4)))));
  CHECK_FALSE(set.contains(on("ranged", Angle::pi_times(1))));
  CHECK_FALSE(set.contains(on("ranged", Angle())));
  const std::vector<Operation> letters = alphabet(set, 2);
  CHECK(std::any_of(letters.begin(), letters.end(),
                    [](const Operation& letter) { return gate(letter.gate).name == "chosen"; }));
}

TEST_CASE("Circuits are translated exactly into a gate set with custom gates", "[custom]") {
  const GateSet set = load_gate_set(kExample);
  Random random(20261122);
  const std::vector<GateKind> kinds = kinds_up_to(3);
  for (int i = 0; i < 60; ++i) {
    Circuit circuit = random_circuit(random, kinds, 3, 6, 8);
    INFO("circuit " << i);
    const Circuit translated = translate(circuit, set);
    CHECK(is_in(set, translated));
    CHECK(unitary_distance(circuit, translated) < 1e-9);
  }
  // Circuits are also translated out of the set, by the bodies of its gates.
  const GateSet nam = load_gate_set("nam");
  Operation echoed =
      make_operation(set.custom_gates().find("echoed_xy")->kind, {0, 1}, {Angle::symbol("a")});
  CHECK_THROWS_WITH(translate(make_circuit(2, {echoed}), nam),
                    "no decomposition of echoed_xy(a) into the gate set 'nam' (h, x, rz, cx) is "
                    "known, nor into a bundled gate set");
  const GateSet by_body =
      set_of(R"({"gate": "gate gateset_zz(t) a, b { cx a, b; rz(t) b; cx a, b; }"},
      {"gate": "rz"})");
  Circuit there = make_circuit(
      2, {make_operation(by_body.entries[0].gate, {1, 0}, {Angle::symbol("a") * Rational(3)})});
  CHECK(is_in(nam, translate(there, nam)));
  CHECK(unitary_distance(translate(there, nam), there, {{"a", 0.7}}) < 1e-12);
}

TEST_CASE("Without a translation the error names the missing gate", "[custom]") {
  const GateSet set = set_of(R"({"gate": "rz"}, {"gate": "sx"},
    {"gate": "gate lone(t) a, b { rzz(t) a, b; }"})");
  const Circuit circuit = make_circuit(2, {make_operation(GateKind::cx, {0, 1})});
  CHECK_THROWS_WITH(translate(circuit, set),
                    Catch::StartsWith("no decomposition of cx into the gate set 't' (rz, sx, lone) "
                                      "is known; gate sets that can express it: ") &&
                        Catch::EndsWith("; 'translations' in the file of the gate set can define "
                                        "cx"));
  const GateSet with_translation =
      set_of(R"({"gate": "rz"}, {"gate": "sx"},
    {"gate": "gate lone(t) a, b { rzz(t) a, b; }"})",
             R"("translations": ["gate rzz(x) c, d { lone(x) c, d; }"])");
  CHECK(is_in(with_translation, translate(circuit, with_translation)));
  CHECK(unitary_distance(translate(circuit, with_translation), circuit) < 1e-12);
}

TEST_CASE("A translation brings a custom gate into its range", "[custom]") {
  const GateSet set = set_of(
      R"({"gate": "rz"}, {"gate": "gate half_turn_xx(t) a, b { rxx(t) a, b; }",
                          "ranges": {"t": ["0", "pi"]}})",
      R"("translations": ["gate half_turn_xx(s) a, b { rz(pi) a; half_turn_xx(-s) a, b; rz(-pi) a; }",
                          "gate rxx(s) a, b { half_turn_xx(s) a, b; }"])");
  for (const int eighths : {-5, -1, 3, 8, 11}) {
    const Circuit circuit = make_circuit(
        2, {make_operation(GateKind::rxx, {0, 1}, {Angle::pi_times(Rational(eighths, 8))})});
    const Circuit translated = translate(circuit, set);
    CHECK(is_in(set, translated));
    CHECK(unitary_distance(circuit, translated) < 1e-12);
  }
}

TEST_CASE("A wrong translation is refused with its location", "[custom]") {
  const std::string gates = R"({"gate": "gate flip a { x a; }"})";
  const auto wrong = [&](const std::string& text) {
    return refusal(gates, R"("translations": [")" + text + R"("])");
  };
  CHECK(wrong("gate x a { flip a; flip a; }") ==
        "t.json:4:19: translations[0]: the body is not x, up to a phase");
  CHECK(wrong("gate nope a { flip a; }") == "t.json:4:19: translations[0]: unknown gate 'nope'");
  CHECK(wrong("gate cx a { flip a; }") ==
        "t.json:4:19: translations[0]: cx takes 0 parameters and 2 qubits, found 0 and 1");
  CHECK(wrong("gate x a { flop a; }") ==
        "t.json:4:31: translations[0]: unknown gate 'flop'; a body may call built-in gates, and "
        "gates defined before it in the file");
  CHECK(wrong("gate y a { gphase(pi/2); z a; flip a; }") == "no InputError");
}

TEST_CASE("Endless translations are refused", "[custom]") {
  const GateSet set = set_of(R"({"gate": "gate halving(t) a, b { rzz(t) a, b; }",
                                 "ranges": {"t": ["0", "0.001"]}}, {"gate": "sx"})",
                             R"("translations": [
                                "gate rzz(t) a, b { rzz(t+1) a, b; halving(-1) a, b; }"])");
  const Circuit circuit =
      make_circuit(2, {make_operation(GateKind::rzz, {0, 1}, {Angle::radians(Rational(2))})});
  CHECK_THROWS_AS(translate(circuit, set), InputError);
}

TEST_CASE("Definitions with any damage are refused with a location", "[custom]") {
  // The last gate is always wrong, so every damaged file is refused and only the gates before the
  // damage are defined.
  const std::string text = set_text(
      R"json({"gate": "fuzzed", "qubits": 1, "parameters": ["theta"], "matrix": [
        ["cos(theta/2)", "-exp(-i*pi/4)*sin(theta/2)*(1+i)/sqrt(2)"],
        ["sin(theta/2)", "cos(theta/2)"]]},
      {"gate": "gate fuzzed_body(t) a, b { cx a, b; rz(2*(t - pi/8)) b; gphase(t/2); cx a, b; }"},
      {"gate": "gate wrong a { never_there a; }"})json");
  const std::vector<std::string> pieces = {"(",  ")", "i",       "*",    "/",  "-", "\"",
                                           "{",  "}", "[",       "]",    ",",  ";", "pi",
                                           "99", "3", "sqrt(2)", "exp(", "\\n"};
  Random random(11);
  const std::size_t first = text.find("{\"gate\": \"fuzzed\"");
  for (int i = 0; i < 600; ++i) {
    std::string damaged = text;
    const std::size_t at = first + below(random, text.size() - first - 60);
    damaged.replace(at, below(random, 4), pieces[below(random, pieces.size())]);
    INFO(damaged);
    const std::string message = input_error_of([&] { (void)parse_gate_set(damaged, "t.json"); });
    CHECK_THAT(message, Catch::Matchers::StartsWith("t.json:"));
    CHECK(message != without_place(message));
  }
}
