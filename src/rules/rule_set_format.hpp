#pragma once

#include <string_view>

/// Constants shared by the writer and the reader of rule sets; see docs/formats/rule_set.md.
namespace quartz::rules::rule_set_format {

inline constexpr std::string_view name = "quartz-rule-set";
/// The beginning of the last entry. The digest covers every byte before this line.
inline constexpr std::string_view kDigestLineStart = "\n\"digest\": \"";

}  // namespace quartz::rules::rule_set_format
