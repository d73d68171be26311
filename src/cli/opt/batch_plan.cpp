#include "cli/opt/batch_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz::cli {
namespace {

namespace fs = std::filesystem;

/// An input and the name of its result below the folder of the results.
struct Source {
  fs::path path;
  fs::path name;
  std::string problem;
};

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// Returns a path that is the same for all names of a file, whether it exists or not.
fs::path identity_of(const fs::path& path) {
  std::error_code error;
  fs::path result = fs::weakly_canonical(fs::absolute(path), error);
  return error ? path : result;
}

/// Returns the circuits in a folder and below it, sorted. A folder of results within it is left
/// out, so that a repeated call has the same inputs.
std::vector<Source> circuits_in(const fs::path& folder, const fs::path& results) {
  std::vector<Source> found;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, error);
  const fs::path left_out = identity_of(results);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const fs::path& path = entry->path();
    if (is_folder(path)) {
      if (identity_of(path) == left_out) entry.disable_recursion_pending();
    } else if (path.extension() == ".qasm") {
      found.push_back({path, path.lexically_relative(folder), ""});
    }
  }
  std::ranges::sort(found, {}, &Source::path);
  if (error) {
    found.push_back(
        {folder, "", fmt::format("{}: cannot read: {}", folder.string(), error.message())});
  } else if (found.empty()) {
    found.push_back(
        {folder, "", fmt::format("{}: the folder has no file *.qasm", folder.string())});
  }
  return found;
}

std::vector<Source> sources_of(const OptOptions& options) {
  std::vector<Source> all;
  std::set<fs::path> seen;
  for (const std::string& input : options.inputs) {
    if (input == "-") {
      throw UsageError("standard input has no name for its result, expected files and folders");
    }
    const fs::path path(input);
    const std::vector<Source> sources = is_folder(path)
                                            ? circuits_in(path, options.files.output)
                                            : std::vector<Source>{{path, path.filename(), ""}};
    for (const Source& source : sources) {
      if (seen.insert(identity_of(source.path)).second) all.push_back(source);
    }
  }
  return all;
}

/// Returns the name of a file below a folder; an empty one if the folder is not given.
std::string file_below(const std::string& folder, const fs::path& name, const char* suffix) {
  if (folder.empty()) return "";
  return ((fs::path(folder) / name).string() += suffix);
}

OptFiles files_of(const Source& source, const OptFiles& folders) {
  return {
      .input = source.path.string(),
      .output = file_below(folders.output, source.name, ""),
      .stats = file_below(folders.stats, source.name, ".stats.json"),
      .html = file_below(folders.html, source.name, ".html"),
      .emit_rules = file_below(folders.emit_rules, source.name, ".rules.json"),
      .journal = file_below(folders.journal, source.name, ".qj"),
      .checkpoint = file_below(folders.checkpoint, source.name, ""),
  };
}

void require_folder(const std::string& option, const std::string& path) {
  std::error_code ignored;
  if (path.empty() || (path != "-" && (is_folder(path) || !fs::exists(path, ignored)))) return;
  throw UsageError(
      fmt::format("{}: '{}' is not a folder, which several inputs need", option, path));
}

void require_different_files(const std::vector<BatchFile>& files) {
  std::map<fs::path, std::string> inputs;
  for (const BatchFile& file : files)
    inputs.emplace(identity_of(file.files.input), file.files.input);
  std::map<fs::path, std::string> outputs;
  for (const BatchFile& file : files) {
    if (!file.problem.empty()) continue;
    const fs::path output = identity_of(file.files.output);
    if (inputs.contains(output)) {
      throw UsageError(fmt::format("the result of {} would replace the input {}", file.files.input,
                                   inputs.at(output)));
    }
    const auto [first, is_new] = outputs.emplace(output, file.files.input);
    if (is_new) continue;
    throw UsageError(fmt::format("the results of {} and {} would both be {}", first->second,
                                 file.files.input, file.files.output));
  }
}

}  // namespace

bool is_batch(const OptOptions& options) {
  const std::string& output = options.files.output;
  return options.inputs.size() > 1 || is_folder(options.inputs.front()) || is_folder(output) ||
         output.ends_with('/');
}

std::vector<BatchFile> batch_files(const OptOptions& options) {
  require_folder("--output", options.files.output);
  require_folder("--stats", options.files.stats);
  require_folder("--report", options.files.html);
  require_folder("--emit-rules", options.files.emit_rules);
  require_folder("--journal", options.files.journal);
  require_folder("--checkpoint", options.files.checkpoint);
  std::vector<BatchFile> files;
  for (const Source& source : sources_of(options)) {
    files.push_back({files_of(source, options.files), source.problem});
  }
  require_different_files(files);
  return files;
}

}  // namespace quartz::cli
