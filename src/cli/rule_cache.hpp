#pragma once

#include <filesystem>
#include <optional>

#include "cli/command.hpp"
#include "quartz/enumerate/generate.hpp"

namespace quartz::cli {

/// Where the rule set of these sizes is cached: in $XDG_CACHE_HOME/quartz, or ~/.cache/quartz.
/// Nothing where the environment names neither.
[[nodiscard]] std::optional<std::filesystem::path> cached_rule_set_path(const GateSet& set,
                                                                        unsigned gates,
                                                                        unsigned qubits);

/// The rule set of options.gates and options.qubits: from the cache, else generated, with a
/// progress line, and put there. A cache that cannot be read or written costs a warning and time,
/// never the result.
[[nodiscard]] RuleSet cached_rule_set(const GateSet& set, const GenerateOptions& options,
                                      const CommandContext& context);

}  // namespace quartz::cli
