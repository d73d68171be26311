#include <catch2/catch.hpp>
#include <string>
#include <string_view>
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

/// Returns the definition of a gate with the same matrix, without a name.
CustomGate like(const Gate& row) {
  return {{}, row.qubits, {row.parameters.begin(), row.parameters.end()}, row.matrix, std::nullopt};
}

/// Returns a bundled set in which each gate is replaced by a custom gate with the same matrix.
GateSet with_other_names(const std::string& name) {
  GateSet set = load_gate_set(name);
  for (GateSetEntry& entry : set.entries) {
    CustomGate copy = like(gate(entry.gate));
    copy.name = other_name(gate(entry.gate));
    entry.gate = define_gate(copy);
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

TEST_CASE("Rules do not depend on the order in which gates were defined", "[custom]") {
  // Returns the circuits of all classes as text, without the mark in the names of the gates.
  const auto circuits_of = [](const std::string& mark, bool last_first) {
    GateSet set = load_gate_set("nam");
    const auto copy_of = [&](const GateSetEntry& entry) {
      CustomGate copy = like(gate(entry.gate));
      copy.name = "ordered_" + std::string(gate(entry.gate).name) + mark;
      return define_gate(copy);
    };
    if (last_first) {
      for (auto entry = set.entries.rbegin(); entry != set.entries.rend(); ++entry) {
        static_cast<void>(copy_of(*entry));
      }
    }
    for (GateSetEntry& entry : set.entries) entry.gate = copy_of(entry);
    GenerateOptions options;
    options.gates = 3;
    options.qubits = 2;
    options.threads = 1;
    std::string text;
    for (const EquivalenceClass& equal : generate(set, options).rules.classes) {
      for (const ClassMember& member : equal.members) {
        for (const Operation& operation : member.gates) {
          const std::string_view name = gate(operation.gate).name;
          text += name.substr(0, name.size() - mark.size());
          for (const Qubit qubit : operation.qubits) text += " " + std::to_string(qubit);
          for (const Angle& angle : operation.angles) text += " " + angle.to_string();
          text += "; ";
        }
        text += "\n";
      }
      text += "\n";
    }
    return text;
  };
  const std::string expected = circuits_of("_p", false);
  CHECK_FALSE(expected.empty());
  CHECK(circuits_of("_q", true) == expected);
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
