#include "cli/opt/batch_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
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

/// Returns a path that is the same for all names of an input, except that a link to a file is an
/// input of its own: its result has the name of the link.
fs::path input_of(const fs::path& path) {
  const fs::path absolute = fs::absolute(path).lexically_normal();
  return identity_of(absolute.parent_path()) / absolute.filename();
}

/// Returns why a file in a folder is not read: reading a pipe could wait forever. A pipe that the
/// command line names is read. Returns an empty text if the file can be read.
std::string problem_of(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (!fs::exists(status) || fs::is_regular_file(status)) return "";
  return fmt::format("{}: it is not a regular file, and such files in a folder are not read",
                     path.string());
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
      found.push_back({path, path.lexically_relative(folder), problem_of(path)});
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
      if (seen.insert(input_of(source.path)).second) all.push_back(source);
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
  OptFiles files;
  files.input = source.path.string();
  for (const OutputOption& option : kOutputOptions) {
    files.*option.file = file_below(folders.*option.file, source.name, option.suffix);
  }
  files.checkpoint = file_below(folders.checkpoint, source.name, "");
  files.finished = file_below(folders.finished, source.name, ".finished.json");
  return files;
}

void require_folder(const std::string& option, const std::string& path) {
  std::error_code ignored;
  if (path == "-") {
    throw UsageError(fmt::format(
        "{}: the results of several inputs are written to a folder, not to standard output",
        option));
  }
  if (path.empty() || is_folder(path) || !fs::exists(path, ignored)) return;
  throw UsageError(
      fmt::format("{}: '{}' is not a folder, which several inputs need", option, path));
}

}  // namespace

bool is_batch(const OptOptions& options) {
  const std::string& output = options.files.output;
  return options.inputs.size() > 1 || is_folder(options.inputs.front()) || is_folder(output) ||
         output.ends_with('/');
}

std::vector<BatchFile> batch_files(const OptOptions& options) {
  for (const OutputOption& option : kOutputOptions) {
    require_folder(option.name, options.files.*option.file);
  }
  require_folder("--checkpoint", options.files.checkpoint);
  require_folder("--finished", options.files.finished);
  std::vector<BatchFile> files;
  for (const Source& source : sources_of(options)) {
    files.push_back({files_of(source, options.files), source.problem});
  }
  std::vector<OptFiles> runs;
  for (const BatchFile& file : files) {
    if (file.problem.empty()) runs.push_back(file.files);
  }
  require_different_files(options, runs);
  return files;
}

}  // namespace quartz::cli
