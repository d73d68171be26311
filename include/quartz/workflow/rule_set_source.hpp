#pragma once

#include <optional>

#include "quartz/enumerate/generate.hpp"
#include "quartz/gateset/gate_set.hpp"
#include "quartz/rules/rule_set.hpp"
#include "quartz/workflow/cache.hpp"

namespace quartz {

struct RuleSetOptions {
  /// Sizes, seed, threads, limits, and the callbacks of the generation. A cached rule set is used
  /// whatever its seed: the seed does not change which equalities there are.
  GenerateOptions generate;
  /// Not used if several processes share the work (GenerateOptions::ranks).
  CacheOptions cache;
  WarningCallback on_warning;
};

struct ObtainedRuleSet {
  RuleSet rules;
  /// The figures of the generation. Nothing if the rule set came from the cache.
  std::optional<GenerateReport> report;
};

/// The rule set of a gate set with the sizes asked for: from the cache, checked
/// (require_usable_rules), or else enumerated, proved, pruned and put into the cache. Of several
/// processes that want the same rule set one generates it while the others wait for it. Throws as
/// generate() does.
[[nodiscard]] ObtainedRuleSet obtain_rule_set(const GateSet& set, const RuleSetOptions& options);

}  // namespace quartz
