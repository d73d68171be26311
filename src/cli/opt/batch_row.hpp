#pragma once

#include <string>
#include <string_view>

#include "cli/command.hpp"
#include "cli/opt/batch_plan.hpp"
#include "cli/opt/opt_options.hpp"
#include "cli/opt/opt_run.hpp"
#include "cli/opt/run_target.hpp"

/// The run of one of several inputs.
namespace quartz::cli {

/// What became of one input.
struct BatchRow {
  OptFiles files;
  RunOutcome outcome;  ///< without the report of the check, which no summary needs
  double seconds = 0;  ///< with reading, checking and writing
  ExitCode code = ExitCode::done;
  std::string error;  ///< why there is no result, or empty

  [[nodiscard]] bool failed() const { return code != ExitCode::done; }
};

/// Optimizes one of several inputs. An error becomes part of the row, and is printed on
/// context.err. An input that an earlier call has finished with the same options (--finished) is
/// not optimized again.
[[nodiscard]] BatchRow run_input(const OptOptions& options, const BatchFile& file,
                                 const RunTarget& target, const RunDisplay& display,
                                 const CommandContext& context);

/// Returns the row of an input that was not read because of a request to stop.
[[nodiscard]] BatchRow stopped_row(const OptFiles& files);

/// Returns a row as a text of one line, without the names of its files.
[[nodiscard]] std::string text_of(const BatchRow& row);
/// Returns the row of which text_of() made the text, for an input with these files. Throws
/// InputError for another text.
[[nodiscard]] BatchRow row_from_text(std::string_view text, const OptFiles& files);

}  // namespace quartz::cli
