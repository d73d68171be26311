#pragma once

#include <string>
#include <vector>

#include "cli/opt/opt_options.hpp"

/// Several inputs of one call of quartz-opt.
namespace quartz::cli {

/// One of several inputs.
struct BatchFile {
  OptFiles files;
  std::string problem;  ///< why it cannot be optimized, such as a folder without circuits, or empty
};

/// Returns whether the command line names several inputs, or a folder at one of the ends.
[[nodiscard]] bool is_batch(const OptOptions& options);

/// Returns the files that the inputs name, in their order, each one once; those of a folder are
/// sorted, and include those of folders below it. The results have the names of their inputs below
/// the folders that the options name. Throws UsageError if a folder is missing on the command line,
/// and if two results or a result and an input would be the same file.
[[nodiscard]] std::vector<BatchFile> batch_files(const OptOptions& options);

}  // namespace quartz::cli
