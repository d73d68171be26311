#pragma once

#include <string>

#include "cli/command.hpp"
#include "quartz/enumerate/class_count.hpp"

namespace quartz::cli {

/// What quartz-gen --count does.
struct CountRequest {
  std::string gate_set;
  ClassCountOptions options;
  unsigned fingerprint_rounds = 0;  ///< measure the fingerprints alone instead
  std::string stats;                ///< a file, "-" or nothing
};

/// Prints each level as it is found.
ExitCode count_classes_level_by_level(const CountRequest& request, const CommandContext& context);

}  // namespace quartz::cli
