#pragma once

#include <string>
#include <vector>

#include "cli/exit_code.hpp"
#include "cli/opt/batch_row.hpp"
#include "quartz/circuit/cost.hpp"

/// What a call with several inputs prints at its end. The rows are in the order of the inputs, and
/// the texts depend on nothing else, so that they are the same whichever process made a row.
namespace quartz::cli {

/// Returns the exit code of the worst failure.
[[nodiscard]] ExitCode code_of(const std::vector<BatchRow>& rows);
/// Returns a table with a line for each input and one of totals. Lines of failures are red.
[[nodiscard]] std::string summary_table(const std::vector<BatchRow>& rows, const Cost& cost,
                                        bool shows_colors);
/// Returns the object of --json for several inputs (docs/formats/stats.md).
[[nodiscard]] std::string summary_json(const std::vector<BatchRow>& rows, const Cost& cost);

}  // namespace quartz::cli
