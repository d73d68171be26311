#include "quartz/workflow/class_table_source.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "quartz/base/errors.hpp"
#include "quartz/base/file_lock.hpp"
#include "quartz/base/files.hpp"
#include "workflow/table_source.hpp"

namespace quartz {
namespace {

using Path = std::filesystem::path;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Returns the file of a table with these options. Creates the folder of the cache if the file
/// belongs there.
Path file_of(const GateSet& set, const ClassTableFileOptions& options,
             const ClassTableOptions& table) {
  if (!options.file.empty()) return options.file;
  const std::optional<Path> path = cached_table_path(set, table, options.cache);
  if (!path) {
    throw UsageError(
        "there is no cache folder for the class table: neither XDG_CACHE_HOME nor HOME is an "
        "absolute "
        "path, or the cache is not enabled");
  }
  std::error_code ignored;  // require_writable reports the reason
  std::filesystem::create_directories(path->parent_path(), ignored);
  return *path;
}

struct WaitedLock {
  FileLock lock;
  bool waited = false;  ///< whether another process held the lock
};

WaitedLock lock_for(const Path& file, const std::stop_token& stop) {
  if (std::optional<FileLock> lock = FileLock::try_lock(file)) return {std::move(*lock), false};
  if (std::optional<FileLock> lock = FileLock::wait(file, stop)) return {std::move(*lock), true};
  throw Stopped("stopped while another process built the class table");
}

/// Returns the table in the file if it is the one that these options build.
std::shared_ptr<const ClassTable> existing_table(const Path& file, const GateSet& set,
                                                 const ClassTableOptions& options) {
  try {
    std::shared_ptr<const ClassTable> table = open_class_table(file, set, options.threads);
    if (workflow::is_table_of(*table, options)) return table;
  } catch (const InputError&) {
    // the file is not usable and will be replaced
  }
  return nullptr;
}

}  // namespace

ClassTableFile make_class_table_file(const GateSet& set, const ClassTableFileOptions& options) {
  ClassTableFile made;
  made.file = file_of(set, options, options.table);
  require_writable(made.file);
  const WaitedLock lock = lock_for(made.file, options.table.stop);
  std::shared_ptr<const ClassTable> table;
  if (lock.waited) table = existing_table(made.file, set, options.table);
  if (!table) {
    const Clock::time_point start = Clock::now();
    table = build_class_table(set, options.table);
    made.build_seconds = seconds_since(start);
    const Clock::time_point built = Clock::now();
    ClassTableOptions reached = options.table;
    reached.cost = summary_of(*table).cost;  // part of the name in the cache
    made.file = file_of(set, options, reached);
    write_class_table(*table, made.file);
    made.write_seconds = seconds_since(built);
  }
  made.table = summary_of(*table);
  return made;
}

}  // namespace quartz
