#include <catch2/catch.hpp>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "cli/command_run.hpp"
#include "cli/opt/opt_command.hpp"
#include "quartz/base/files.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/rules/rule_set.hpp"
#include "quartz/target/gate_set.hpp"

using namespace quartz;
using namespace quartz::cli;
using namespace quartz::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

// Changed rule sets with a valid digest are bad input and never cause an internal error.

namespace {

class FolderWithWrongRules {
 public:
  FolderWithWrongRules() : cache_("XDG_CACHE_HOME", folder_.path().string()) {
    write_text_file(file("in.qasm"),
                    "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[3];\nh q[0];\nh q[0];\nx "
                    "q[1];\nrz(0.3) q[1];\nx q[1];\ncx q[0],q[1];\ncx q[1],q[2];\ncx q[0],q[1];\n"
                    "rz(pi/4) q[1];\nrz(0.5) q[1];\nh q[2];\ncx q[2],q[0];\n");
  }
  [[nodiscard]] std::string file(const char* name) const { return (folder_ / name).string(); }

  /// Runs backtracking with the rule set in `text`.
  [[nodiscard]] Run optimize(const std::string& set, const std::string& text) const {
    write_text_file(file("rules.json"), text);
    return run(opt_command(),
               {file("in.qasm"), "-g", set, "--rules", file("rules.json"), "--search", "backtrack",
                "--time", "20ms", "--threads", "1", "-o", "-", "--quiet"});
  }

 private:
  Folder folder_;
  EnvironmentVariable cache_;
};

RuleSet bundled(const std::string& set) {
  std::optional<RuleSet> rules = bundled_rule_set(load_gate_set(set));
  REQUIRE(rules.has_value());
  return std::move(*rules);
}

/// Returns the text with its correct digest.
std::string with_digest(std::string text) {
  text.resize(text.rfind("\n\"digest\": "));
  return text + "\n\"digest\": \"" + digest_of(text) + "\"\n}\n";
}

}  // namespace

TEST_CASE("a wrong rule is rejected, and its class is named", "[wrong rules]") {
  const FolderWithWrongRules place;
  struct Case {
    std::string set;
    std::string what;
    std::function<void(RuleSet&)> change;
  };
  const auto last_of_first = [](RuleSet& rules) -> ClassMember& {
    return rules.classes.front().members.back();
  };
  for (const Case& c : {
           Case{"nam", "class 1: circuit 2 is not equal to circuit 1 with the phase given",
                [&](RuleSet& rules) { rules.classes[0].members[1].phase += Angle::pi_times(1); }},
           Case{"nam", "class 1: circuit 2 is not equal to circuit 1 with the phase given",
                [&](RuleSet& rules) {
                  rules.classes[0].members[1].phase += Angle::decimal("0.0000000001");
                }},
           Case{"nam", "is not equal to circuit 1",
                [&](RuleSet& rules) { last_of_first(rules).phase += Angle::symbol("p0"); }},
           Case{"nam", "is not equal to circuit 1",
                [&](RuleSet& rules) {
                  last_of_first(rules).gates.push_back(make_operation(GateKind::h, {0}));
                }},
           Case{"nam", "class 2: circuit 2 is not equal to circuit 1",
                [&](RuleSet& rules) { rules.classes[1].members[1].gates.clear(); }},
           Case{"nam", "class 1: circuit 2: y is not in the gate set 'nam'",
                [&](RuleSet& rules) {
                  rules.classes[0].members[1].gates = {make_operation(GateKind::y, {0})};
                }},
           Case{"nam", "class 1: circuit 1: ccx is not in the gate set 'nam'",
                [&](RuleSet& rules) {
                  for (ClassMember& member : rules.classes[0].members) {
                    member.gates.push_back(make_operation(GateKind::ccx, {0, 1, 2}));
                  }
                }},
           Case{"rigetti", "class 1: circuit 1: rx(0.3) is not in the gate set 'rigetti'",
                [&](RuleSet& rules) {
                  for (ClassMember& member : rules.classes[0].members) {
                    member.gates.push_back(
                        make_operation(GateKind::rx, {0}, {Angle::decimal("0.3")}));
                  }
                }},
           Case{"nam", "class 1: its circuits act on 9 qubits, expected at most 8",
                [&](RuleSet& rules) {
                  rules.qubits = 9;
                  for (ClassMember& member : rules.classes[0].members) {
                    for (Qubit i = 0; i < 9; ++i) {
                      member.gates.push_back(make_operation(GateKind::h, {i}));
                    }
                  }
                }},
       }) {
    RuleSet rules = bundled(c.set);
    rules.gates = 16;
    c.change(rules);
    const Run result = place.optimize(c.set, write_rule_set(rules));
    INFO(c.what << " in: " << result.err);
    CHECK(result.code == 3);
    CHECK_THAT(result.err, StartsWith("quartz-opt: error: " + place.file("rules.json") +
                                      ": wrong rule set: class ") &&
                               Contains(c.what) && Contains("quartz-gen prove"));
    CHECK(result.out.empty());
  }
}

TEST_CASE("every bundled rule set is accepted by a search", "[wrong rules]") {
  for (const std::string& name : bundled_gate_sets()) {
    INFO(name);
    CHECK_NOTHROW(require_usable_rules(bundled(name), load_gate_set(name), name));
  }
}

TEST_CASE("a randomly changed rule set is bad input or harmless", "[wrong rules]") {
  const FolderWithWrongRules place;
  const std::string text = write_rule_set(bundled("nam"));
  const std::size_t classes = text.find("\"gates\"");
  const std::size_t end = text.rfind("\n\"digest\": ");
  const std::vector<std::string> pieces{
      "0",      "1",     "2",   "-1",    "7",          "\"p0\"",
      "\"p1\"", "p0",    "pi",  "1e9",   "h",          "x",
      "rz",     "cx",    "ccx", "null",  "[",          "]",
      "[]",     ",",     "\"",  "\"0\"", "-",          "/",
      "*",      "/7919", "0.1", "{}",    "4294967296", "18446744073709551616",
      "true",   ""};
  std::mt19937_64 random(7);
  std::size_t refused = 0;
  constexpr std::size_t kRuns = 400;
  for (std::size_t i = 0; i < kRuns; ++i) {
    std::string changed = text;
    const std::size_t at = classes + random() % (end - classes);
    changed.replace(at, random() % 4, pieces[random() % pieces.size()]);
    const Run result = place.optimize("nam", with_digest(changed));
    INFO("change " << i << " at " << at << ": " << changed.substr(at - 20, 50) << "\n"
                   << result.err);
    CHECK((result.code == 0 || result.code == 3));
    if (result.code == 3) {
      ++refused;
      CHECK_THAT(result.err, StartsWith("quartz-opt: error: " + place.file("rules.json")));
    }
  }
  CHECK(refused > kRuns / 2);
}

TEST_CASE("a rule set that cannot be matched is harmless", "[wrong rules]") {
  const FolderWithWrongRules place;
  write_text_file(place.file("set.json"),
                  R"({"format": "quartz-gate-set", "version": 1, "name": "wide",
                      "gates": [{"gate": "h"}, {"gate": "x"}, {"gate": "rz"}, {"gate": "cx"},
                                {"gate": "u3"}, {"gate": "c3x"}, {"gate": "ccz"}],
                      "alphabet": {"parameters": 12, "expressions": ["p0"]}})");
  const GateSet set = load_gate_set(place.file("set.json"));
  using enum GateKind;
  const auto rotation = [](unsigned first) {
    std::vector<Angle> angles;
    for (unsigned i = 0; i < 3; ++i)
      angles.push_back(Angle::symbol("p" + std::to_string(first + i)));
    return make_operation(GateKind::u3, {0}, std::move(angles));
  };
  const std::vector<Operation> many_parameters{rotation(0), rotation(3), rotation(6), rotation(9)};
  std::vector<Operation> and_back = many_parameters;
  and_back.insert(and_back.end(), {make_operation(x, {0}), make_operation(x, {0})});
  const Operation wide = make_operation(c3x, {0, 1, 2, 3});
  const std::vector<Operation> many_orders(14, make_operation(ccz, {0, 1, 2}));
  RuleSet rules;
  rules.gate_set = set.name;
  rules.gate_set_digest = set.digest;
  rules.gates = 16;
  rules.qubits = 4;
  rules.parameters = 12;
  rules.classes = {{{{many_parameters, {}}, {and_back, {}}}},
                   {{{{}, {}}, {{wide, wide}, {}}}},
                   {{{{}, {}}, {many_orders, {}}}}};
  write_text_file(place.file("in.qasm"),
                  "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[4];\nu3(1,2,3) q[0];\nu3(2,2,3) "
                  "q[0];\nu3(1,3,3) q[0];\nu3(1,2,5) q[0];\nc3x q[0],q[1],q[2],q[3];\nc3x "
                  "q[0],q[1],q[2],q[3];\nccz q[0],q[1],q[2];\n");
  const Run result = place.optimize(place.file("set.json"), write_rule_set(rules));
  INFO(result.err);
  CHECK(result.code == 0);
}
