#pragma once

#include <cstdint>
#include <stop_token>
#include <string_view>
#include <vector>

#include "quartz/rules/rule_set.hpp"

namespace quartz::rules {

/// The effect of one pass of pruning.
struct PassReport {
  std::string_view pass;
  std::uint64_t circuits_removed = 0;
  std::uint64_t classes_removed = 0;  ///< merged into another class, or left with one circuit
};

struct PruneReport {
  std::vector<PassReport> passes;  ///< in the order in which they ran
};

/// Removes every circuit whose equality with its class follows from the rules that remain, and
/// brings the rest into canonical form, so that the same equalities always give the same rule set.
/// Classes and their members may be in any order, including classes with a single circuit; phases
/// are adjusted if a class gets another representative.
///
/// "Follows" means: by a chain of rule applications, each on a convex window of the circuit,
/// left-to-right or right-to-left, with qubits relabelled and parameters bound to any angle, no
/// circuit of the chain longer than the longer one of the two. docs/algorithms/pruning.md contains
/// the argument for each pass. The result does not depend on the number of threads (0: all cores).
/// Throws Stopped once a stop is requested; the rules are lost then.
PruneReport prune(RuleSet& rules, unsigned threads = 1, std::stop_token stop = {});

}  // namespace quartz::rules
