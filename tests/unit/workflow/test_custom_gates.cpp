#include <catch2/catch.hpp>
#include <cstdint>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "quartz/certify/equivalence.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/enumerate/generate.hpp"
#include "quartz/qasm/include_path.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/rules/rule_set.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/superoptimize.hpp"

using namespace quartz;

namespace {

GateSet set_of(const std::string& gates, const std::string& more = "") {
  return parse_gate_set(R"({"format": "quartz-gate-set", "version": 1, "name": "own", "gates": [)" +
                            gates + "]" + (more.empty() ? "" : ", " + more) + "}",
                        "own.json");
}

std::string definition(const std::string& text) { return R"({"gate": "gate )" + text + R"("})"; }

/// Returns a set with h and a gate `entangle`, which is like a built-in one.
GateSet entangling(const std::string& like, const std::string& around) {
  return set_of(
      R"({"gate": "h"}, )" + definition("entangle a, b { " + like + " a, b; }"),
      R"("translations": ["gate cx a, b { )" + around + " entangle a, b; " + around + R"( }"])");
}

Circuit program(const std::string& statements, const CustomGates& custom_gates = {}) {
  return parse_qasm("OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[3];\n" + statements, "input",
                    IncludePath(), {}, custom_gates);
}

RuleSet small_rules(const GateSet& set) {
  GenerateOptions options;
  options.gates = 2;
  options.qubits = 2;
  options.threads = 1;
  return generate(set, options).rules;
}

/// Returns options with which every run gives the same result, without the user's cache.
SuperoptimizeOptions reproducible(const GateSet& set) {
  SuperoptimizeOptions options;
  options.search = "fold,backtrack";
  options.rules = small_rules(set);
  options.steps = 300;
  options.seconds = 60;
  options.threads = 1;
  options.cache.enabled = false;
  options.record_journal = true;
  return options;
}

/// Returns whether the journal of a result leads to it, with these gates in addition to the
/// built-in ones.
bool is_certified(const Circuit& input, const SuperoptimizeResult& result,
                  const CustomGates& custom_gates) {
  std::istringstream journal(result.journal);
  ReplayOptions options;
  options.custom_gates = custom_gates;
  return replay_journal(input, result.circuit, journal, "the journal", options).is_certified;
}

std::string with(std::string text, const std::string& old_text, const std::string& new_text) {
  for (std::size_t at = text.find(old_text); at != std::string::npos; at = text.find(old_text, at))
    text.replace(at, old_text.size(), new_text);
  return text;
}

/// Returns the names of the gates of all circuits, in order.
std::string gates_of(const RuleSet& rules) {
  std::string names;
  for (const EquivalenceClass& each : rules.classes) {
    for (const ClassMember& member : each.members) {
      for (const Operation& operation : member.gates) names += gate(operation.gate).name;
      names += ";";
    }
  }
  return names;
}

/// The definitions of three gates, whose names end with `mark`.
std::vector<std::string> three_definitions(const std::string& mark) {
  return {definition("turn" + mark + "(t) a { rz(t) a; }"),
          definition("pair" + mark + " a, b { h b; cx a, b; h b; }"),
          definition("half" + mark + " a { s a; h a; s a; }")};
}

/// Returns the circuit that a search finds, as text with `#` in place of the mark. With
/// `others_first`, sets with the same gates in another order and with others of the same names are
/// loaded before.
std::string found_with(const std::string& mark, bool others_first) {
  const std::vector<std::string> gates = three_definitions(mark);
  const std::string alphabet = R"("alphabet": {"parameters": 1, "expressions": ["p0"]})";
  if (others_first) {
    (void)set_of(definition("pair" + mark + " a, b { swap a, b; }"));
    (void)set_of(gates[2] + ", " + definition("between" + mark + " a { t a; }") + ", " + gates[1]);
    (void)set_of(definition("half" + mark + " a { z a; h a; }") + ", " + gates[0], alphabet);
  }
  const GateSet set =
      set_of(R"({"gate": "h"}, )" + gates[0] + ", " + gates[1] + ", " + gates[2], alphabet);
  const std::string text = with(
      "turn#(pi/4) q[0]; pair# q[0],q[1]; turn#(pi/4) q[0]; half# q[1]; half# q[1]; half# q[1];"
      "pair# q[1],q[2]; h q[2]; half# q[2]; h q[2]; pair# q[1],q[2]; turn#(0.3) q[2]; h q[0]; h "
      "q[0]; half# q[2]; pair# q[2],q[0]; turn#(0.4) q[2]; pair# q[2],q[0];",
      "#", mark);
  const Circuit input = program(text, set.custom_gates());
  SuperoptimizeOptions options = reproducible(set);
  options.search = "fold,backtrack,anneal";
  options.table_memory = std::uint64_t{1} << 22U;
  options.record_rules = true;
  const SuperoptimizeResult result = superoptimize(input, set, options);
  if (result.check.report.verdict != EquivalenceVerdict::equal) return "not equal";
  const RuleSet recorded = recorded_rule_set(result, set, options.seed);
  return with(write_qasm(result.circuit) + std::to_string(result.journal_rewrites) +
                  gates_of(recorded) + gates_of(small_rules(set)),
              mark, "#");
}

}  // namespace

// The journals that certify the results call the gates by their names.
TEST_CASE("Gate sets with different gates of one name are used in one process", "[custom]") {
  const std::string text = "h q[0]; h q[0]; cx q[0],q[1]; h q[1]; h q[1]; cx q[1],q[2];";
  const GateSet by_cx = entangling("cx", "");
  const GateSet by_cz = entangling("cz", "h b;");
  for (const GateSet* set : {&by_cx, &by_cz, &by_cx}) {
    const Circuit circuit = program(text);
    const SuperoptimizeResult result = superoptimize(circuit, *set, reproducible(*set));
    CHECK(result.check.report.verdict == EquivalenceVerdict::equal);
    CHECK(count_gates(result.circuit).total == (set == &by_cx ? 2 : 6));
    for (const Operation& gate : result.circuit.operations) CHECK(set->contains(gate));
    CHECK(is_certified(circuit, result, set->custom_gates()));
    CHECK_FALSE(is_certified(circuit, result, (set == &by_cx ? by_cz : by_cx).custom_gates()));
  }
}

TEST_CASE("A circuit of one set is optimized for another one with a gate of the same name",
          "[custom]") {
  const GateSet by_cx = entangling("cx", "");
  const GateSet by_cz = entangling("cz", "h b;");
  const Circuit circuit = program("entangle q[0],q[1]; h q[1]; h q[1];", by_cx.custom_gates());
  const SuperoptimizeResult result = superoptimize(circuit, by_cz, reproducible(by_cz));
  CHECK(result.check.report.verdict == EquivalenceVerdict::equal);
  CHECK(count_gates(result.circuit).total == 3);
  for (const Operation& gate : result.circuit.operations) CHECK(by_cz.contains(gate));
}

TEST_CASE("Results do not depend on what was loaded before", "[custom]") {
  const std::string expected = found_with("_alone", false);
  CHECK(expected != "not equal");
  CHECK(found_with("_after", true) == expected);
}

TEST_CASE("Rules with custom gates are read for their gate set", "[custom]") {
  const GateSet by_cx = entangling("cx", "");
  const GateSet by_cz = entangling("cz", "h b;");
  RuleSet rules;
  rules.gate_set = by_cz.name;
  rules.gate_set_digest = by_cz.digest;
  rules.gates = 2;
  rules.qubits = 2;
  const Operation call = make_operation(by_cz.entries[1].gate, {0, 1});
  EquivalenceClass equal;
  equal.members.push_back({});
  equal.members.push_back({{call, call}, {}});
  rules.classes.push_back(equal);
  const std::string text = write_rule_set(rules);
  const RuleSet read = parse_rule_set(text, "rules.json", {}, by_cz.custom_gates());
  CHECK(read.classes.at(0).members.at(1).gates == rules.classes[0].members[1].gates);
  CHECK_NOTHROW(require_usable_rules(read, by_cz, "rules.json"));
  CHECK_THROWS_WITH(parse_rule_set(text, "rules.json"),
                    Catch::Matchers::Contains("unknown gate \"entangle\""));
  const RuleSet of_other = parse_rule_set(text, "rules.json", {}, by_cx.custom_gates());
  CHECK_THROWS(require_usable_rules(of_other, by_cz, "rules.json"));
}

TEST_CASE("Threads optimize for sets with different gates of one name at the same time",
          "[custom]") {
  const Circuit circuit = program("h q[0]; h q[0]; cx q[0],q[1]; cx q[1],q[2];");
  std::vector<std::string> found(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < found.size(); ++i) {
    threads.emplace_back([&, i] {
      const GateSet set = i % 2 == 0 ? entangling("cx", "") : entangling("cz", "h b;");
      const SuperoptimizeResult result = superoptimize(circuit, set, reproducible(set));
      if (result.check.report.verdict == EquivalenceVerdict::equal) {
        found[i] = write_qasm(result.circuit);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK_FALSE(found[0].empty());
  CHECK(found[0] == found[2]);
  CHECK(found[1] == found[3]);
  CHECK(found[0] != found[1]);
}
