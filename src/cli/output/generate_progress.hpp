#pragma once

#include <string>

#include "cli/command.hpp"
#include "quartz/enumerate/generate.hpp"
#include "quartz/workflow/class_table_source.hpp"
#include "quartz/workflow/rule_set_source.hpp"

namespace quartz::cli {

/// Returns the text of a progress line: what is being done, for circuits of which size, how much of
/// it, and the time left.
[[nodiscard]] std::string progress_text(const GenerateProgress& progress);
[[nodiscard]] std::string progress_text(const ClassTableProgress& progress);

/// Generates a rule set without the cache, with a progress line on a terminal, the command's stop
/// token and its ranks.
[[nodiscard]] ObtainedRuleSet generate_with_progress(const GateSet& set, GenerateOptions options,
                                                     const CommandContext& context);

/// Calls make_class_table_file() with a progress line on a terminal and the command's stop token.
[[nodiscard]] ClassTableFile make_table_with_progress(const GateSet& set,
                                                      ClassTableFileOptions options,
                                                      const CommandContext& context);

}  // namespace quartz::cli
