#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string_view>

#include "quartz/base/errors.hpp"
#include "quartz/base/file_lock.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/cache.hpp"

/// Functions that read, lock and write cache files of any content.
namespace quartz::workflow {

/// Returns the cache file for data that depends on a gate set, or nothing if there is no cache
/// folder; `rest` ends the file's name.
[[nodiscard]] std::optional<std::filesystem::path> cached_file_path(const GateSet& set,
                                                                    std::string_view rest,
                                                                    const CacheOptions& cache);

/// Creates the folder of the file and takes the file's lock. Returns nothing if the lock cannot be
/// taken or another process holds it.
[[nodiscard]] std::optional<FileLock> try_cache_lock(const std::filesystem::path& path);
/// Like try_cache_lock, but waits until the lock is free. Also returns nothing if stopped.
[[nodiscard]] std::optional<FileLock> wait_for_cache_lock(const std::filesystem::path& path,
                                                          const std::stop_token& stop);

/// Returns read(path), or nothing if there is no such file or if `read` throws an Error other than
/// Stopped, after a warning. `what` is the kind of file, such as "rule set".
template <typename Read>
[[nodiscard]] auto read_cached(const std::filesystem::path& path, std::string_view what,
                               const Read& read, const WarningCallback& on_warning)
    -> std::optional<decltype(read(path))> {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  try {
    return read(path);
  } catch (const Stopped&) {
    throw;
  } catch (const Error& error) {
    if (on_warning)
      on_warning(fmt::format("cached {} is not used and will be replaced: {}", what, error.what()));
    return std::nullopt;
  }
}

/// Replaces the file by the output of write(path); warns if that fails.
void write_cached(const std::filesystem::path& path, std::string_view what,
                  const std::function<void(const std::filesystem::path&)>& write,
                  const WarningCallback& on_warning);

}  // namespace quartz::workflow
