#pragma once

#include <span>
#include <string_view>

namespace quartz::rules {

/// A file of gatesets/rules/, embedded in the library by gatesets/CMakeLists.txt.
struct BundledRuleSet {
  std::string_view name;                 ///< file name without ".json.zst": the gate set's name
  std::span<const unsigned char> bytes;  ///< compressed
};

/// Returns all bundled rule sets, sorted by name.
[[nodiscard]] std::span<const BundledRuleSet> bundled_rule_set_files();

}  // namespace quartz::rules
