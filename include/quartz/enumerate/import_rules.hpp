#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "quartz/enumerate/prove.hpp"
#include "quartz/rules/ecc_set.hpp"
#include "quartz/rules/rule_set.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz {

/// A circuit that was not proved to be equal to the shortest circuit of its class.
struct UnprovedCircuit {
  std::size_t class_index = 0;   ///< in EccSet::classes
  std::size_t member_index = 0;  ///< in the class
  std::string reason;
};

struct ImportReport {
  std::uint64_t circuits_read = 0;        ///< without those that the gate set cannot express
  ProofSummary proofs;                    ///< `unknown` counts every circuit that was not proved
  std::vector<UnprovedCircuit> unproved;  ///< in order
};

struct ImportResult {
  RuleSet rules;
  ImportReport report;
};

/// Makes a rule set of the classes: finds the phase of each circuit relative to the shortest one of
/// its class in exact arithmetic, and proves the equality like prove_rule_set(). Circuits that are
/// not proved are omitted, with classes that have fewer than two circuits then. Throws UsageError
/// for more than one rank, and otherwise like prove_rule_set().
[[nodiscard]] ImportResult import_rules(const EccSet& source, const GateSet& set,
                                        const ProveOptions& options);

}  // namespace quartz
