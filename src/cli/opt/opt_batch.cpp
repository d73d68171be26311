#include "cli/opt/opt_batch.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>
#include <system_error>

#include "cli/color.hpp"
#include "cli/opt/batch_plan.hpp"
#include "cli/opt/opt_run.hpp"
#include "cli/output/report.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::cli {
namespace {

using Json = nlohmann::ordered_json;

/// What became of one input.
struct BatchRow {
  OptFiles files;
  RunOutcome outcome;
  double seconds = 0;  ///< with reading, checking and writing
  ExitCode code = ExitCode::done;
  std::string error;  ///< why there is no result, or empty

  [[nodiscard]] bool failed() const { return code != ExitCode::done; }
};

/// Creates the folders of the files that a run writes.
void create_folders(const OptFiles& files) {
  const auto create_folder_of = [](const std::string& file) {
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    if (folder.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
      throw InputError({folder.string()}, "cannot create the folder: " + error.message());
    }
  };
  for (const OutputOption& option : kOutputOptions) create_folder_of(files.*option.file);
  create_folder_of(files.checkpoint);
}

BatchRow run_one(const OptOptions& options, const BatchFile& file, const RunTarget& target,
                 const RunDisplay& display, const CommandContext& context) {
  BatchRow row;
  row.files = file.files;
  const auto start = std::chrono::steady_clock::now();
  try {
    if (!file.problem.empty()) throw InputError(file.problem);
    create_folders(file.files);
    row.outcome = run_file(options, file.files, target, display, context);
    if (row.outcome.check.verified == false) row.code = ExitCode::unverified;
  } catch (...) {
    const Failure failure = current_failure(context);
    row.code = failure.code;
    row.error = failure.message;
    display.line.clear();
    write_error("quartz-opt", context, failure.message);
  }
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return row;
}

/// Returns the rows of the inputs, of which those after a request to stop are not run.
std::vector<BatchRow> run_all(const OptOptions& options, const std::vector<BatchFile>& files,
                              const RunTarget& target, const CommandContext& context) {
  std::vector<BatchRow> rows;
  ProgressLine line(context.err, context.terminal);
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (context.stop.stop_requested()) {
      rows.push_back({files[i].files, {}, 0, ExitCode::stopped, "stopped before it was read"});
      continue;
    }
    const std::string label =
        fmt::format("[{}/{}] {}: ", i + 1, files.size(), files[i].files.input);
    if (context.terminal) line.show(label + "reading");
    rows.push_back(run_one(options, files[i], target, {line, label, true}, context));
  }
  return rows;
}

// --- totals
// ---------------------------------------------------------------------------------------

/// Sums over the inputs that have a result.
struct Totals {
  std::vector<CostChange> costs;
  double seconds = 0;
  std::size_t failed = 0;
  std::size_t verified = 0;
};

std::optional<double> sum_of(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return std::nullopt;
  return *a + *b;
}

Totals totals_of(const std::vector<BatchRow>& rows, const Cost& cost) {
  Totals totals;
  for (const Objective& objective : cost.objectives()) {
    totals.costs.push_back({std::string(objective.name()), 0, 0});
  }
  for (const BatchRow& row : rows) {
    totals.seconds += row.seconds;
    totals.failed += row.failed() ? 1 : 0;
    totals.verified += row.outcome.check.verified.value_or(false) ? 1 : 0;
    for (std::size_t i = 0; i < row.outcome.costs.size(); ++i) {
      CostChange& total = totals.costs[i];
      total.before = sum_of(total.before, row.outcome.costs[i].before);
      total.after = sum_of(total.after, row.outcome.costs[i].after);
    }
  }
  return totals;
}

/// Returns the exit code of the worst failure.
ExitCode code_of(const std::vector<BatchRow>& rows) {
  ExitCode worst = ExitCode::done;
  for (const BatchRow& row : rows) worst = worse(worst, row.code);
  return worst;
}

// --- the table
// ------------------------------------------------------------------------------------

void add_costs(std::vector<std::string>& cells, const std::vector<CostChange>& costs) {
  for (const CostChange& cost : costs) {
    cells.push_back(figure_text(cost.before));
    cells.push_back(figure_text(cost.after));
  }
}

std::string verdict_of(const BatchRow& row) {
  if (!row.error.empty()) return fmt::format("failed (exit code {})", static_cast<int>(row.code));
  return row.outcome.check.text;
}

/// Returns a line for each input and one of totals. Lines of failures are red.
std::string table_of(const std::vector<BatchRow>& rows, const Totals& totals, bool shows_colors) {
  Table table{{"file"}, {}};
  for (const CostChange& cost : totals.costs) {
    table.header.push_back(cost.name + " before");
    table.header.emplace_back("after");
  }
  table.header.emplace_back("seconds");
  std::vector<std::string> verdicts{"checked"};
  for (const BatchRow& row : rows) {
    std::vector<std::string>& cells = table.rows.emplace_back();
    cells.push_back(row.files.input);
    add_costs(cells, row.error.empty() ? row.outcome.costs : std::vector<CostChange>());
    cells.resize(table.header.size() - 1, "-");
    cells.push_back(fmt::format("{:.2f}", row.seconds));
    verdicts.push_back(verdict_of(row));
  }
  std::vector<std::string>& cells = table.rows.emplace_back();
  cells.push_back(fmt::format("{} of {} files", rows.size() - totals.failed, rows.size()));
  add_costs(cells, totals.costs);
  cells.push_back(fmt::format("{:.2f}", totals.seconds));
  verdicts.push_back(fmt::format("{} verified, {} failed", totals.verified, totals.failed));
  std::string text;
  for (std::size_t i = 0; const std::string& line : format_lines(table)) {
    const bool is_failure = i > 0 && i <= rows.size() && rows[i - 1].failed();
    text += colored(line + "  " + verdicts[i], Color::red, shows_colors && is_failure) + "\n";
    ++i;
  }
  return text;
}

// --- JSON
// -----------------------------------------------------------------------------------------

/// Returns whole numbers as integers, and null for a missing figure, as the statistics do.
Json figure_of(const std::optional<double>& value) {
  if (!value) return nullptr;
  if (*value == std::floor(*value)) return static_cast<std::uint64_t>(*value);
  return *value;
}

Json json_of(const std::vector<CostChange>& costs) {
  Json json = Json::object();
  for (const CostChange& cost : costs) {
    json[cost.name] = {{"before", figure_of(cost.before)}, {"after", figure_of(cost.after)}};
  }
  return json;
}

std::string json_of(const std::vector<BatchRow>& rows, const Totals& totals) {
  Json files = Json::array();
  for (const BatchRow& row : rows) {
    const bool has_result = row.error.empty();
    files.push_back({{"file", row.files.input},
                     {"output", has_result ? Json(row.files.output) : Json(nullptr)},
                     {"exit_code", static_cast<int>(row.code)},
                     {"error", has_result ? Json(nullptr) : Json(row.error)},
                     {"seconds", row.seconds},
                     {"stats", has_result ? Json::parse(row.outcome.stats) : Json(nullptr)}});
  }
  const Json json = {{"files", files},
                     {"totals",
                      {{"files", rows.size()},
                       {"failed", totals.failed},
                       {"verified", totals.verified},
                       {"cost", json_of(totals.costs)},
                       {"seconds", totals.seconds}}}};
  // Names of files and messages may have bytes that are not UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

ExitCode run_batch(const OptOptions& options, const CommandContext& context) {
  const std::vector<BatchFile> files = batch_files(options);
  const RunTarget target = target_of(options, context);
  const std::vector<BatchRow> rows = run_all(options, files, target, context);
  const Totals totals = totals_of(rows, target.cost);
  if (options.json) {
    context.out << json_of(rows, totals);
  } else if (!options.quiet) {
    context.err << table_of(rows, totals, context.colors_on_err);
  }
  return code_of(rows);
}

}  // namespace quartz::cli
