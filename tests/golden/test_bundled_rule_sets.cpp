#include <catch2/catch.hpp>
#include <string>

#include "quartz/enumerate/generate.hpp"
#include "quartz/rules/rule_set.hpp"
#include "quartz/target/gate_set.hpp"
#include "rules/bundled.hpp"

using namespace quartz;
using namespace quartz::rules;

TEST_CASE("every bundled gate set has bundled rules") {
  CHECK(bundled_rule_set_files().size() == bundled_gate_sets().size());
  for (const std::string& name : bundled_gate_sets()) {
    INFO(name << ": there are no rules, or they were made for another version of the gate set. Run "
                 "scripts/make_rule_sets.sh "
              << name);
    const GateSet set = load_gate_set(name);
    const std::optional<RuleSet> rules = bundled_rule_set(set);
    REQUIRE(rules);
    CHECK(rules->gate_set == name);
    CHECK(rules->gate_set_digest == set.digest);
    CHECK(rules->gates >= 3);
    CHECK(rules->qubits == 3);
    CHECK(rules->parameters == set.alphabet.parameters);
    CHECK(rules->proofs.tried > 0);
    CHECK(rules->proofs.proved == rules->proofs.tried);
    CHECK(rules->proofs.method.starts_with("z3 "));
  }
}

TEST_CASE("bundled rules are what quartz-gen generates") {
  // The rule sets of nam and ibm are the quickest ones to generate.
  for (const char* name : {"nam", "ibm"}) {
    INFO(name);
    const GateSet set = load_gate_set(name);
    const RuleSet bundled = bundled_rule_set(set).value();
    GenerateOptions options;
    options.gates = bundled.gates;
    options.qubits = bundled.qubits;
    RuleSet made = generate(set, options).rules;
    made.proofs.method = bundled.proofs.method;  // names the version of Z3 that is installed
    CHECK(write_rule_set(made) == write_rule_set(bundled));
  }
}

TEST_CASE("bundled rules apply only to their own gate set") {
  GateSet set = load_gate_set("nam");
  set.digest = "xxh128:0";
  CHECK_FALSE(bundled_rule_set(set));
  set = load_gate_set("nam");
  set.name = "mine";
  CHECK_FALSE(bundled_rule_set(set));
}
