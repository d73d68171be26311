#pragma once

#include <filesystem>

#include "quartz/classes/class_table.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/cache.hpp"

namespace quartz {

struct ClassTableFileOptions {
  ClassTableOptions table;
  /// Output file. If empty, the table goes to the cache, under the name by which superoptimize()
  /// finds it.
  std::filesystem::path file;
  CacheOptions cache;
};

struct ClassTableFile {
  std::filesystem::path file;
  ClassTableSummary table;
  double build_seconds = 0;  ///< 0 if another process wrote the file in the meantime
  double write_seconds = 0;
};

/// Builds a class table and writes it to a file. If another process is writing the same file, waits
/// for it and uses its table if it is the requested one. Throws as build_class_table and
/// write_class_table do, InputError before the work if the file cannot be written, and UsageError
/// if the table goes to the cache and there is no cache folder.
[[nodiscard]] ClassTableFile make_class_table_file(const GateSet& set,
                                                   const ClassTableFileOptions& options);

}  // namespace quartz
