#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <ostream>
#include <string_view>

#include "cli/command.hpp"
#include "quartz/errors.hpp"
#include "quartz/file_lock.hpp"
#include "quartz/gateset/gate_set.hpp"

/// Files that are made where they are needed and kept for the next run: in $XDG_CACHE_HOME/quartz,
/// or ~/.cache/quartz. A cache that cannot be read or written costs a warning and time, never the
/// result.
namespace quartz::cli {

/// The path of what is kept for a gate set; `rest` ends the file's name. Nothing where the
/// environment names no folder.
[[nodiscard]] std::optional<std::filesystem::path> cached_file_path(const GateSet& set,
                                                                    std::string_view rest);

/// The file's lock, its folder being made where needed; nothing where it cannot be had, or someone
/// else has it when one does not wait.
[[nodiscard]] std::optional<FileLock> try_cache_lock(const std::filesystem::path& path);
[[nodiscard]] std::optional<FileLock> wait_for_cache_lock(const std::filesystem::path& path,
                                                          const std::stop_token& stop);

/// What `read` makes of the file; nothing where there is none, or where it is no good: then there
/// is a warning, if one is wanted. `what` is the kind of file, such as "rule set".
template <typename Read>
[[nodiscard]] auto read_cached(const std::filesystem::path& path, std::string_view what,
                               const Read& read, std::ostream* warnings)
    -> std::optional<decltype(read(path))> {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  try {
    return read(path);
  } catch (const Error& error) {
    if (warnings != nullptr) {
      *warnings << fmt::format("warning: cached {} is made anew: {}\n", what, error.what());
    }
    return std::nullopt;
  }
}

/// Has `write` write the file, in place of one that is no good; a warning where it cannot.
void write_cached(const std::filesystem::path& path, std::string_view what,
                  const std::function<void(const std::filesystem::path&)>& write,
                  std::ostream& warnings);

}  // namespace quartz::cli
