#include "qasm/files/included_files.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "qasm/text/source.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"

namespace quartz::qasm {
namespace {

namespace fs = std::filesystem;

/// Limit for files that include files, because the parser recurses into each of them.
constexpr std::size_t kMaxDepth = 16;
/// Limit for the number of files, because each of them may be included several times.
constexpr std::size_t kMaxFiles = 1024;

/// Returns the path without symbolic links; empty if that fails.
fs::path resolved(const fs::path& path) {
  std::error_code error;
  fs::path result = fs::canonical(path, error);
  return error ? fs::path() : result;
}

/// Returns whether the file is in the folder or below it. Both are without symbolic links.
bool is_below(const fs::path& file, const fs::path& folder) {
  if (folder.empty()) return false;
  const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return end == folder.end();
}

fs::path folder_of(const fs::path& file) {
  const fs::path folder = file.parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

[[noreturn]] void fail(std::string_view name, const std::string& why) {
  throw InputError(fmt::format("cannot include {}: {}", in_quotes(name), why));
}

}  // namespace

IncludedFiles::IncludedFiles(const fs::path& program, IncludePath path, std::stop_token stop)
    : path_(std::move(path)), stop_(std::move(stop)) {
  current_.push_back(program.empty() ? Place{} : Place{resolved(program), folder_of(program)});
}

bool IncludedFiles::is_permitted(const fs::path& file) const {
  const fs::path& own = current_.back().folder;
  if (!own.empty() && is_below(file, resolved(own))) return true;
  return std::ranges::any_of(
      path_.folders, [&](const fs::path& folder) { return is_below(file, resolved(folder)); });
}

fs::path IncludedFiles::find(std::string_view name) const {
  std::vector<fs::path> folders;
  if (!current_.back().folder.empty()) folders.push_back(current_.back().folder);
  folders.insert(folders.end(), path_.folders.begin(), path_.folders.end());
  if (folders.empty()) {
    fail(name,
         "the program is not read from a file, so it has no folder; expected the file in a folder "
         "of the include path");
  }
  std::string searched;
  for (const fs::path& folder : folders) {
    const fs::path candidate = folder / name;
    std::error_code ignored;
    if (fs::exists(candidate, ignored)) return candidate.lexically_normal();
    searched += (searched.empty() ? "" : ", ") + in_quotes(folder.string());
  }
  fail(name, "there is no such file in " + searched);
}

IncludedFiles::File IncludedFiles::enter(std::string_view name) {
  if (name.empty() || name.find('\0') != std::string_view::npos) {
    fail(name, "expected the name of a file");
  }
  if (current_.size() > kMaxDepth) {
    fail(name, fmt::format("files are included more than {} deep", kMaxDepth));
  }
  if (++files_ > kMaxFiles) fail(name, fmt::format("more than {} files are included", kMaxFiles));
  const fs::path path = find(name);
  const fs::path file = resolved(path);
  if (file.empty() || !is_permitted(file)) {
    fail(name, "it is outside of the folder of the file that includes it, and of the include path");
  }
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) fail(name, "it is not a regular file");
  const auto is_open = [&](const Place& place) { return place.file == file; };
  if (std::ranges::any_of(current_, is_open)) fail(name, "the file includes itself");
  std::string text;
  try {
    text = read_text_file(file, {file_limit::circuit - bytes_, stop_, true});
  } catch (const InputError& error) {
    fail(name, error.what());
  }
  bytes_ += text.size();
  current_.push_back({file, folder_of(path)});
  return {path.string(), std::move(text)};
}

}  // namespace quartz::qasm
