#include "cli/cache.hpp"

#include <cctype>
#include <cstdlib>
#include <string>

namespace quartz::cli {
namespace {

using Path = std::filesystem::path;

/// An absolute path from the environment; the XDG specification says to ignore others.
std::optional<Path> absolute_path_from(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr || !Path(value).is_absolute()) return std::nullopt;
  return Path(value);
}

std::optional<Path> cache_folder() {
  if (const auto cache = absolute_path_from("XDG_CACHE_HOME")) return *cache / "quartz";
  if (const auto home = absolute_path_from("HOME")) return *home / ".cache" / "quartz";
  return std::nullopt;
}

/// Letters, digits and dashes, so that a gate set's name cannot lead out of the folder.
std::string file_name_part(std::string_view text) {
  std::string part;
  for (const char c : text) {
    part += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  }
  return part;
}

/// What `lock` returns; nothing where the folder takes no lock: writing will tell the reason.
std::optional<FileLock> lock_of(const Path& path,
                                const std::function<std::optional<FileLock>()>& lock) {
  try {
    std::filesystem::create_directories(path.parent_path());
    return lock();
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<Path> cached_file_path(const GateSet& set, std::string_view rest) {
  const std::optional<Path> folder = cache_folder();
  if (!folder) return std::nullopt;
  return *folder /
         fmt::format("{}-{}-{}", file_name_part(set.name), file_name_part(set.digest), rest);
}

std::optional<FileLock> try_cache_lock(const Path& path) {
  return lock_of(path, [&] { return FileLock::try_lock(path); });
}

std::optional<FileLock> wait_for_cache_lock(const Path& path, const std::stop_token& stop) {
  return lock_of(path, [&] { return FileLock::wait(path, stop); });
}

void write_cached(const Path& path, std::string_view what,
                  const std::function<void(const Path&)>& write, std::ostream& warnings) {
  try {
    std::filesystem::create_directories(path.parent_path());
    // A file that is replaced hands its permissions on, which may be why it was no good.
    std::filesystem::remove(path);
    write(path);
  } catch (const std::exception& error) {
    warnings << fmt::format("warning: {} is not cached: {}\n", what, error.what());
  }
}

}  // namespace quartz::cli
