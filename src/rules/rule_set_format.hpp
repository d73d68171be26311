#pragma once

#include <string_view>

/// What the writer and the reader of rule sets agree on; docs/formats/rule_set.md describes it.
namespace quartz::rule_set_format {

inline constexpr std::string_view name = "quartz-rule-set";
/// Begins the last entry. The digest is of every byte before this line.
inline constexpr std::string_view digest_line_start = "\n\"digest\": \"";

}  // namespace quartz::rule_set_format
