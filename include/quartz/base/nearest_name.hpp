#pragma once

#include <span>
#include <string>
#include <string_view>

/// Suggestions for names that are not known.
namespace quartz {

/// Returns the candidate that `word` is probably a misspelling of, or an empty view: one that is
/// equal but for case, or else the nearest one within one edit of a short word and two edits of a
/// longer one.
[[nodiscard]] std::string_view nearest_name(std::string_view word,
                                            std::span<const std::string_view> candidates);

/// Returns the end of a message about an unknown name: " (did you mean 'nam'?)", or an empty text
/// if no candidate is near.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string_view> candidates);

/// Returns the message about an unknown name: "unknown cost 'totl' (did you mean 'total'?); known
/// costs: total, t". `kind` says what the name is of, and `known` what the candidates are.
[[nodiscard]] std::string unknown_name_message(std::string_view kind, std::string_view word,
                                               std::string_view known,
                                               std::span<const std::string_view> candidates);

}  // namespace quartz
