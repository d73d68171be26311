#include "cli/opt/batch_row.hpp"

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>

#include "cli/opt/finished_run.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::cli {
namespace {

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
  create_folder_of(files.finished);
}

/// Runs the input and keeps, with --finished, that it is finished. Throws as run_file().
void run_and_keep(BatchRow& row, const OptOptions& options, const RunTarget& target,
                  const RunDisplay& display, const CommandContext& context) {
  const auto start = std::chrono::steady_clock::now();
  create_folders(row.files);
  row.outcome = run_file(options, row.files, target, display, context);
  if (row.outcome.check.verified == false) row.code = ExitCode::unverified;
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!row.files.finished.empty() && row.outcome.is_complete) keep_finished(options, row);
}

template <typename Value>
nlohmann::json json_or_null(const std::optional<Value>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

template <typename Value>
std::optional<Value> value_or_nothing(const nlohmann::json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<Value>());
}

}  // namespace

BatchRow run_input(const OptOptions& options, const BatchFile& file, const RunTarget& target,
                   const RunDisplay& display, const CommandContext& context) {
  if (std::optional<BatchRow> row = finished_before(options, file, target.set, context.stop)) {
    return *row;
  }
  BatchRow row;
  row.files = file.files;
  const auto start = std::chrono::steady_clock::now();
  try {
    if (!file.problem.empty()) throw InputError(file.problem);
    run_and_keep(row, options, target, display, context);
  } catch (...) {
    const Failure failure = current_failure(context);
    row.code = failure.code;
    row.error = failure.message;
    row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    display.line.clear();
    write_error("quartz-opt", context, failure.message);
  }
  return row;
}

BatchRow stopped_row(const OptFiles& files) {
  return {files, {}, 0, ExitCode::stopped, "stopped before it was read"};
}

std::string text_of(const BatchRow& row) {
  nlohmann::json costs = nlohmann::json::array();
  for (const CostChange& cost : row.outcome.costs) {
    costs.push_back({cost.name, json_or_null(cost.before), json_or_null(cost.after)});
  }
  const nlohmann::json json = {{"costs", costs},
                               {"verified", json_or_null(row.outcome.check.verified)},
                               {"checked", row.outcome.check.text},
                               {"stats", row.outcome.stats},
                               {"seconds", row.seconds},
                               {"exit_code", static_cast<int>(row.code)},
                               {"error", row.error}};
  // Messages quote files, which may be damaged.
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

BatchRow row_from_text(std::string_view text, const OptFiles& files) {
  try {
    const nlohmann::json json = nlohmann::json::parse(text);
    BatchRow row;
    row.files = files;
    for (const nlohmann::json& cost : json.at("costs")) {
      row.outcome.costs.push_back({cost.at(0).get<std::string>(),
                                   value_or_nothing<double>(cost.at(1)),
                                   value_or_nothing<double>(cost.at(2))});
    }
    row.outcome.check.verified = value_or_nothing<bool>(json.at("verified"));
    row.outcome.check.text = json.at("checked").get<std::string>();
    row.outcome.stats = json.at("stats").get<std::string>();
    row.seconds = json.at("seconds").get<double>();
    row.code = ExitCode{json.at("exit_code").get<int>()};
    row.error = json.at("error").get<std::string>();
    return row;
  } catch (const nlohmann::json::exception& error) {
    throw InputError(std::string("not what became of an input: ") + error.what());
  }
}

}  // namespace quartz::cli
