#pragma once

#include <string>

#include "quartz/rules/rule_set.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/superoptimize.hpp"

namespace quartz::workflow {

/// Returns the name of the caller's rules in messages; empty if there are none.
[[nodiscard]] std::string name_of(const RuleChoice& rules);

/// The rules of a search: the caller's, which are not copied and must outlive the object, those of
/// a file, bundled ones, or generated ones. If there is no time for generating them, there are
/// none, and the caller is warned.
class ChosenRules {
 public:
  /// `seconds_left` limits the generation, which takes a part of it, or infinity. Throws InputError
  /// unless the search may use the rules, and Stopped.
  ChosenRules(const GateSet& set, const SuperoptimizeOptions& options, double seconds_left);
  ChosenRules(const ChosenRules&) = delete;
  ChosenRules& operator=(const ChosenRules&) = delete;

  [[nodiscard]] const RuleSet& rules() const { return *used_; }

 private:
  const RuleSet* used_ = nullptr;
  RuleSet own_;  ///< the rules, unless they are the caller's
};

}  // namespace quartz::workflow
