#include "rules/bundled.hpp"

#include <string>

#include "quartz/base/compression.hpp"
#include "quartz/rules/rule_set.hpp"

namespace quartz {

std::optional<RuleSet> bundled_rule_set(const GateSet& set) {
  for (const rules::BundledRuleSet& bundled : rules::bundled_rule_set_files()) {
    if (bundled.name != set.name) continue;
    const std::string name = "bundled rule set '" + set.name + "'";
    const std::string_view bytes(reinterpret_cast<const char*>(bundled.bytes.data()),
                                 bundled.bytes.size());
    RuleSet rules = parse_rule_set(decompressed(bytes, name), name);
    // A gate set from a file may have the same name.
    if (rules.gate_set_digest == set.digest) return rules;
  }
  return std::nullopt;
}

}  // namespace quartz
