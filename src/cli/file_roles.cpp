#include "cli/file_roles.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz::cli {
namespace {

namespace fs = std::filesystem;

/// Returns whether the path is one of the names of an open file of the process. If standard output
/// is redirected to a file, that file is written from where it stands and never replaced.
bool is_open_file(const fs::path& path) {
  const std::string name = path.lexically_normal().string();
  return name == "/dev/stdin" || name == "/dev/stdout" || name == "/dev/stderr" ||
         name.starts_with("/dev/fd/") || name.starts_with("/proc/");
}

/// Returns a text that is the same for all names of a file, whether it exists or not; nothing for a
/// device, a pipe or a folder.
std::optional<std::string> identity_of(const std::string& path) {
  if (is_open_file(path)) return std::nullopt;
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode)) return std::nullopt;
    return fmt::format("{}:{}", status.st_dev, status.st_ino);
  }
  std::error_code error;
  const fs::path absolute = fs::weakly_canonical(fs::absolute(path), error);
  return error ? path : absolute.string();
}

}  // namespace

void FileRoles::add_input(std::string role, const std::string& path) {
  std::error_code ignored;
  if (path.empty() || path == "-" || !fs::exists(path, ignored)) return;
  const std::optional<std::string> identity = identity_of(path);
  if (identity) inputs_.emplace(*identity, std::move(role));
}

void FileRoles::add_output(std::string role, const std::string& path) {
  if (path.empty()) return;
  const std::optional<std::string> identity = path == "-" ? path : identity_of(path);
  if (!identity) return;
  if (const auto input = inputs_.find(*identity); input != inputs_.end()) {
    throw UsageError(
        fmt::format("{} would replace {}, expected another file", role, input->second));
  }
  const auto [first, is_new] = outputs_.emplace(*identity, role);
  if (is_new) return;
  throw UsageError(fmt::format("{} and {} would both be {}, expected two files", first->second,
                               role, path == "-" ? "standard output" : path));
}

}  // namespace quartz::cli
