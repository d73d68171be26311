#include "cli/opt/finished_run.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "cli/options/include_path_option.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/qasm/include_path.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/workflow/control_expansion.hpp"

namespace quartz::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "quartz finished run 1";

/// Returns what a run depends on besides its input: the options, and the files that they name, by
/// size and time, because class tables are large.
std::string settings_of(const OptOptions& options) {
  std::string text = options.command.settings;
  for (const auto& [option, file] : files_read_by_options(options)) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    if (error) continue;  // the name of a bundled one
    const auto time = fs::last_write_time(file, error).time_since_epoch().count();
    text += fmt::format("\n{} {} {} {}", option, file, size, time);
  }
  return digest_of(text);
}

/// Returns a digest of the circuit in a file, which may include others and call the custom gates of
/// the gate set.
std::string digest_of_input(const OptOptions& options, const std::string& file, const GateSet& set,
                            const std::stop_token& stop) {
  const Circuit input =
      read_qasm_file(file, include_path_of(options.include_path), stop, set.custom_gates(),
                     GateCalls::expanded, control_expansion_for(set));
  return circuit_digest(input, stop);
}

/// Returns the digests of the files that a run has written, by their options. Devices have none.
Json digests_of_results(const OptFiles& files) {
  Json digests = Json::object();
  for (const OutputOption& option : kOutputOptions) {
    const std::string& file = files.*option.file;
    std::error_code ignored;
    if (file.empty() || !fs::is_regular_file(file, ignored)) continue;
    digests[option.name] = digest_of(read_text_file(file, {.max_bytes = file_limit::rules}));
  }
  return digests;
}

std::optional<BatchRow> matching_row(const Json& record, const OptOptions& options,
                                     const BatchFile& file, const GateSet& set,
                                     const std::stop_token& stop) {
  const bool matches = record.at("format") == kFormat &&
                       record.at("settings") == settings_of(options) &&
                       record.at("results") == digests_of_results(file.files) &&
                       record.at("input") == digest_of_input(options, file.files.input, set, stop);
  if (!matches) return std::nullopt;
  return row_from_text(record.at("row").get<std::string>(), file.files);
}

}  // namespace

void keep_finished(const OptOptions& options, const BatchRow& row) {
  const Json record = {{"format", kFormat},
                       {"settings", settings_of(options)},
                       {"input", row.outcome.input_digest},
                       {"results", digests_of_results(row.files)},
                       {"row", text_of(row)}};
  write_text_file(row.files.finished, record.dump() + "\n");
}

std::optional<BatchRow> finished_before(const OptOptions& options, const BatchFile& file,
                                        const GateSet& set, const std::stop_token& stop) {
  std::error_code ignored;
  if (file.files.finished.empty() || !fs::is_regular_file(file.files.finished, ignored)) {
    return std::nullopt;
  }
  try {
    const Json record = Json::parse(
        read_text_file(file.files.finished, {.max_bytes = file_limit::circuit, .stop = stop}));
    return matching_row(record, options, file, set, stop);
  } catch (const Json::exception&) {
    return std::nullopt;  // damaged: the run is made again
  } catch (const Error&) {
    return std::nullopt;  // the run reports what is wrong with the input
  }
}

}  // namespace quartz::cli
