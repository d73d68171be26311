#pragma once

#include <span>
#include <string_view>

namespace quartz {

/// A file of gatesets/rules/, embedded into the library by gatesets/CMakeLists.txt.
struct BundledRuleSet {
  std::string_view name;                 ///< of the file, without ".json.zst": the gate set's
  std::span<const unsigned char> bytes;  ///< compressed
};

/// Sorted by name.
[[nodiscard]] std::span<const BundledRuleSet> bundled_rule_set_files();

}  // namespace quartz
