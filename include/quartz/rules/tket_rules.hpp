#pragma once

#include <cstdint>
#include <string>

#include "quartz/rules/rule_set.hpp"

namespace quartz {

/// A rule set in the format that badger, the optimizer of tket, reads.
struct TketRules {
  std::string text;                    ///< JSON
  std::uint64_t classes = 0;           ///< in the text
  std::uint64_t circuits = 0;          ///< in the text
  std::uint64_t omitted_circuits = 0;  ///< in the rule set, but not in the text
};

/// Returns the rules in the format of Quartz before version 0.2.0, which badger reads
/// (docs/formats/tket_rules.md). A circuit is omitted if it has a gate that badger does not know,
/// or an angle that is not a sum of parameters; a class is omitted if fewer than two of its
/// circuits remain. Global phases are omitted, as badger ignores them.
[[nodiscard]] TketRules write_tket_rules(const RuleSet& rules);

}  // namespace quartz
