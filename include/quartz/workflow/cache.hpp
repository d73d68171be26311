#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>

#include "quartz/classes/class_table.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz {

/// Called with one sentence without a trailing newline, such as "rule set is not cached: ...". The
/// work continues afterwards. May be called from several threads, but by one at a time.
using WarningCallback = std::function<void(std::string_view)>;

/// Where rule sets and class tables are kept between runs. A cache that cannot be read or written
/// causes a warning and costs time, but never affects the result.
struct CacheOptions {
  bool enabled = true;           ///< false: no file of the cache is read or written
  std::filesystem::path folder;  ///< empty: default_cache_folder()
};

/// Returns $XDG_CACHE_HOME/quartz, or ~/.cache/quartz, or nothing if neither XDG_CACHE_HOME nor
/// HOME is an absolute path.
[[nodiscard]] std::optional<std::filesystem::path> default_cache_folder();

/// Returns the cache file of the rule set with these sizes, or nothing if there is no cache folder.
[[nodiscard]] std::optional<std::filesystem::path> cached_rule_set_path(
    const GateSet& set, unsigned gates, unsigned qubits, const CacheOptions& cache = {});

/// Returns the cache file of the class table with these options, or nothing if there is no cache
/// folder.
[[nodiscard]] std::optional<std::filesystem::path> cached_table_path(
    const GateSet& set, const ClassTableOptions& options, const CacheOptions& cache = {});

}  // namespace quartz
