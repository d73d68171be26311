#pragma once

#include <memory>
#include <string>

#include "cli/command.hpp"
#include "quartz/enumerate/class_table.hpp"
#include "quartz/enumerate/generate.hpp"

namespace quartz::cli {

/// What a progress line says: phase, level, candidates a second, classes, proofs, time left.
[[nodiscard]] std::string progress_text(const GenerateProgress& progress);

/// generate(), with a progress line on a terminal and Ctrl-C as the way to stop it.
[[nodiscard]] GenerateResult generate_with_progress(const GateSet& set, GenerateOptions options,
                                                    const CommandContext& context);

[[nodiscard]] std::string progress_text(const ClassTableProgress& progress);

/// build_class_table(), likewise.
[[nodiscard]] std::shared_ptr<const ClassTable> build_with_progress(const GateSet& set,
                                                                    ClassTableOptions options,
                                                                    const CommandContext& context);

}  // namespace quartz::cli
