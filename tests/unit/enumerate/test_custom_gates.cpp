#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "quartz/circuit/custom_gate.hpp"
#include "quartz/classes/class_table.hpp"
#include "quartz/enumerate/generate.hpp"
#include "quartz/target/gate_set.hpp"

using namespace quartz;

namespace {

/// Custom gates are ordered by name. These names have the order of the gate table.
std::string other_name(const Gate& row) {
  return "enumerated_" + std::to_string(100 + static_cast<int>(row.kind)) + "_" +
         std::string(row.name);
}

/// Returns a bundled set in which each gate is replaced by a custom gate with the same matrix.
GateSet with_other_names(const std::string& name) {
  GateSet set = load_gate_set(name);
  for (GateSetEntry& entry : set.entries) {
    const Gate& row = gate(entry.gate);
    entry.gate = define_gate({other_name(row),
                              row.qubits,
                              {row.parameters.begin(), row.parameters.end()},
                              row.matrix,
                              std::nullopt});
  }
  set.digest += " by other names";
  return set;
}

std::vector<Operation> in_other_names(std::vector<Operation> operations,
                                      const CustomGates& others) {
  for (Operation& operation : operations) {
    operation.gate = others.find(other_name(gate(operation.gate)))->kind;
  }
  return operations;
}

}  // namespace

TEST_CASE("Enumeration finds the same rules for the same gates under other names", "[custom]") {
  for (const char* name : {"nam", "ibm_heron", "ion_trap", "google"}) {
    INFO(name);
    GenerateOptions options;
    options.gates = 3;
    options.qubits = 2;
    options.threads = 1;
    const GateSet set = load_gate_set(name);
    const GenerateResult expected = generate(set, options);
    const GateSet renamed = with_other_names(name);
    const CustomGates others = renamed.custom_gates();
    const GenerateResult found = generate(renamed, options);
    CHECK(found.report.circuits_enumerated == expected.report.circuits_enumerated);
    CHECK(found.report.classes_enumerated == expected.report.classes_enumerated);
    CHECK(found.rules.proofs.proved == expected.rules.proofs.proved);
    CHECK(found.rules.proofs.unknown == 0);
    REQUIRE(found.rules.classes.size() == expected.rules.classes.size());
    for (std::size_t i = 0; i < found.rules.classes.size(); ++i) {
      const auto& ours = found.rules.classes[i].members;
      const auto& theirs = expected.rules.classes[i].members;
      REQUIRE(ours.size() == theirs.size());
      for (std::size_t k = 0; k < ours.size(); ++k) {
        CHECK(ours[k].gates == in_other_names(theirs[k].gates, others));
        CHECK(ours[k].phase == theirs[k].phase);
      }
    }
    // A rule set is read again by the names of its gates.
    const RuleSet read = parse_rule_set(write_rule_set(found.rules), "rules.json", {}, others);
    REQUIRE(read.classes.size() == found.rules.classes.size());
    for (std::size_t i = 0; i < read.classes.size(); ++i) {
      CHECK(read.classes[i].members[1].gates == found.rules.classes[i].members[1].gates);
    }
  }
}

TEST_CASE("Class tables of custom gates have the same classes", "[custom]") {
  for (const char* name : {"nam", "clifford_t"}) {
    INFO(name);
    ClassTableOptions options;
    options.cost = 4;
    options.threads = 1;
    const auto expected = build_class_table(load_gate_set(name), options);
    const auto found = build_class_table(with_other_names(name), options);
    CHECK(summary_of(*found).classes == summary_of(*expected).classes);
  }
}
