#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string_view>

#include "quartz/errors.hpp"
#include "quartz/file_lock.hpp"
#include "quartz/gateset/gate_set.hpp"
#include "quartz/workflow/cache.hpp"

/// Reading, locking and writing the files of the cache, whatever they contain.
namespace quartz {

/// The cache file of something that depends on a gate set; `rest` ends the file's name. Nothing if
/// there is no cache folder.
[[nodiscard]] std::optional<std::filesystem::path> cached_file_path(const GateSet& set,
                                                                    std::string_view rest,
                                                                    const CacheOptions& cache);

/// Creates the folder of the file and takes the file's lock. Nothing if the lock cannot be taken,
/// or is held by someone else.
[[nodiscard]] std::optional<FileLock> try_cache_lock(const std::filesystem::path& path);
/// The same, but waits until the lock is free. Nothing as well if stopped.
[[nodiscard]] std::optional<FileLock> wait_for_cache_lock(const std::filesystem::path& path,
                                                          const std::stop_token& stop);

/// Returns read(path). Returns nothing if there is no such file, and after a warning if `read`
/// throws Error. `what` is the kind of file, such as "rule set".
template <typename Read>
[[nodiscard]] auto read_cached(const std::filesystem::path& path, std::string_view what,
                               const Read& read, const WarningCallback& on_warning)
    -> std::optional<decltype(read(path))> {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  try {
    return read(path);
  } catch (const Error& error) {
    if (on_warning) on_warning(fmt::format("cached {} is made anew: {}", what, error.what()));
    return std::nullopt;
  }
}

/// Replaces the file by what write(path) writes; warns if that fails.
void write_cached(const std::filesystem::path& path, std::string_view what,
                  const std::function<void(const std::filesystem::path&)>& write,
                  const WarningCallback& on_warning);

}  // namespace quartz
