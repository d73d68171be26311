#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/opt/opt_options.hpp"
#include "cli/opt/opt_report.hpp"
#include "cli/opt/run_target.hpp"
#include "cli/output/progress_line.hpp"

/// The run of quartz-opt on one circuit.
namespace quartz::cli {

/// The progress line and the summary of a run.
struct RunDisplay {
  ProgressLine& line;
  std::string label;  ///< begins every text of the line
  /// Whether there are other runs, so that a summary of all replaces that of each.
  bool is_batch = false;
};

struct RunOutcome {
  std::vector<CostChange> costs;
  ResultCheck check;
  std::string stats;  ///< if requested: the figures of --stats, as JSON
  /// Whether neither a request to stop nor the limit of the memory ended the search, so that a
  /// repeated call would do the same again.
  bool is_complete = false;
  std::string input_digest;  ///< with --finished: circuit_digest() of the input
};

/// Returns a digest of what the circuit says as a program.
[[nodiscard]] std::string circuit_digest(const Circuit& circuit, const std::stop_token& stop);

/// Reads a circuit, optimizes it, and writes the result and the reports. Throws as superoptimize().
[[nodiscard]] RunOutcome run_file(const OptOptions& options, const OptFiles& files,
                                  const RunTarget& target, const RunDisplay& display,
                                  const CommandContext& context);

}  // namespace quartz::cli
