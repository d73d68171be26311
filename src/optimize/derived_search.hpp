#pragma once

#include "optimize/state/search_result.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/optimize/optimize.hpp"
#include "quartz/rules/rule_set.hpp"
#include "quartz/target/gate_set.hpp"

/// The search with derivations, for callers that certify what it finds.
namespace quartz::optimizer {

/// Does what optimize() does, and tells how each circuit was derived.
[[nodiscard]] SearchResult search(const Circuit& circuit, const GateSet& set, const RuleSet& rules,
                                  const OptimizeOptions& options, const SearchListener& listener);

}  // namespace quartz::optimizer
