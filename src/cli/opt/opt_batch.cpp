#include "cli/opt/opt_batch.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "cli/opt/batch_plan.hpp"
#include "cli/opt/batch_row.hpp"
#include "cli/opt/batch_summary.hpp"
#include "cli/opt/shared_batch.hpp"
#include "cli/workers/shared_call.hpp"

namespace quartz::cli {
namespace {

/// Returns the rows of the inputs, of which those after a request to stop are not run.
std::vector<BatchRow> run_all(const OptOptions& options, const std::vector<BatchFile>& files,
                              const RunTarget& target, const CommandContext& context) {
  std::vector<BatchRow> rows;
  ProgressLine line(context.err, context.terminal);
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (context.stop.stop_requested()) {
      rows.push_back(stopped_row(files[i].files));
      continue;
    }
    const std::string label =
        fmt::format("[{}/{}] {}: ", i + 1, files.size(), files[i].files.input);
    if (context.terminal) line.show(label + "reading");
    rows.push_back(run_input(options, files[i], target, {line, label, true}, context));
  }
  return rows;
}

void print_summary(const OptOptions& options, const std::vector<BatchRow>& rows, const Cost& cost,
                   const CommandContext& context) {
  if (options.json) {
    context.out << summary_json(rows, cost);
  } else if (!options.quiet) {
    context.err << summary_table(rows, cost, context.colors_on_err);
  }
}

}  // namespace

ExitCode run_batch(const OptOptions& options, const CommandContext& context) {
  if (context.ranks != nullptr) require_same_call(options.command.line, *context.ranks);
  if (own_rank(context.ranks) != 0) {
    work_for_first_rank(options, target_of(options, context), context);
    return ExitCode::done;
  }
  const std::vector<BatchFile> files = batch_files(options);
  const RunTarget target = target_of(options, context);
  const std::vector<BatchRow> rows = rank_count(context.ranks) > 1
                                         ? run_on_all_ranks(options, files, target, context)
                                         : run_all(options, files, target, context);
  print_summary(options, rows, target.cost, context);
  return code_of(rows);
}

}  // namespace quartz::cli
