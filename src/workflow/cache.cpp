#include "workflow/cache.hpp"

#include <cctype>
#include <cstdlib>
#include <string>

#include "quartz/rules/rule_set.hpp"

namespace quartz {
namespace {

using Path = std::filesystem::path;

/// Returns the absolute path in an environment variable; the XDG specification says to ignore other
/// paths.
std::optional<Path> absolute_path_from(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr || !Path(value).is_absolute()) return std::nullopt;
  return Path(value);
}

/// Replaces all characters except letters and digits by dashes, so that the name of a gate set
/// cannot lead to another folder.
std::string file_name_part(std::string_view text) {
  std::string part;
  for (const char c : text) {
    part += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  }
  return part;
}

/// Returns lock(), or nothing if the folder accepts no lock; writing the file will then report the
/// reason.
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

std::optional<Path> default_cache_folder() {
  if (const auto cache = absolute_path_from("XDG_CACHE_HOME")) return *cache / "quartz";
  if (const auto home = absolute_path_from("HOME")) return *home / ".cache" / "quartz";
  return std::nullopt;
}

std::optional<Path> workflow::cached_file_path(const GateSet& set, std::string_view rest,
                                               const CacheOptions& cache) {
  if (!cache.enabled) return std::nullopt;
  const std::optional<Path> folder =
      cache.folder.empty() ? default_cache_folder() : std::optional(cache.folder);
  if (!folder) return std::nullopt;
  return *folder /
         fmt::format("{}-{}-{}", file_name_part(set.name), file_name_part(set.digest), rest);
}

std::optional<Path> cached_rule_set_path(const GateSet& set, unsigned gates, unsigned qubits,
                                         const CacheOptions& cache) {
  return workflow::cached_file_path(
      set, fmt::format("n{}-q{}-v{}.json", gates, qubits, rule_set_version), cache);
}

std::optional<Path> cached_table_path(const GateSet& set, const ClassTableOptions& options,
                                      const CacheOptions& cache) {
  return workflow::cached_file_path(
      set,
      fmt::format("table-q{}-c{}-w{}{}-v{}.bin", options.qubits, options.cost,
                  options.two_qubit_weight, options.symbolic ? "-symbolic" : "",
                  class_table_version),
      cache);
}

std::optional<FileLock> workflow::try_cache_lock(const Path& path) {
  return lock_of(path, [&] { return FileLock::try_lock(path); });
}

std::optional<FileLock> workflow::wait_for_cache_lock(const Path& path,
                                                      const std::stop_token& stop) {
  return lock_of(path, [&] { return FileLock::wait(path, stop); });
}

void workflow::write_cached(const Path& path, std::string_view what,
                            const std::function<void(const Path&)>& write,
                            const WarningCallback& on_warning) {
  try {
    std::filesystem::create_directories(path.parent_path());
    // A new file does not inherit the permissions of the old one, which may be why the old one
    // could not be read.
    std::filesystem::remove(path);
    write(path);
  } catch (const std::exception& error) {
    if (on_warning) on_warning(fmt::format("{} is not cached: {}", what, error.what()));
  }
}

}  // namespace quartz
