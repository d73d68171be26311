#pragma once

#include <optional>

#include "quartz/enumerate/generate.hpp"
#include "quartz/rules/rule_set.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/cache.hpp"

namespace quartz {

struct RuleSetOptions {
  /// Sizes, seed, threads, limits, and the callbacks of the generation. A cached rule set is used
  /// regardless of its seed, because the equalities do not depend on the seed.
  GenerateOptions generate;
  /// Not used if several processes share the work (GenerateOptions::ranks).
  CacheOptions cache;
  WarningCallback on_warning;
};

struct ObtainedRuleSet {
  RuleSet rules;
  /// Statistics of the generation, or nothing if the rule set came from the cache.
  std::optional<GenerateReport> report;
};

/// Returns the rule set of a gate set with the requested sizes: from the cache, after a check
/// (require_usable_rules), or enumerated, proved, pruned and written to the cache. If several
/// processes need the same rule set, one generates it while the others wait. Throws as generate()
/// does.
[[nodiscard]] ObtainedRuleSet obtain_rule_set(const GateSet& set, const RuleSetOptions& options);

}  // namespace quartz
