#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "quartz/enumerate/class_table.hpp"
#include "quartz/workflow/cache.hpp"

namespace quartz {

/// Whether it is the table that these options build when memory does not cut it short.
[[nodiscard]] bool is_table_of(const ClassTable& table, const ClassTableOptions& options);

/// Where a search gets its class tables from, so that it need not build them: a given file, or else
/// the cache. Remembers the tables that the search builds, and caches them once it is over.
class TableSource {
 public:
  struct Options {
    std::filesystem::path file;  ///< empty: the cache
    CacheOptions cache;
    /// Time of the search: at most a tenth of it is spent on opening a table from the cache.
    double seconds = 0;
    /// Takes from the cache only the table that the search would build otherwise, so that the
    /// result does not depend on what is cached.
    bool reproducible = false;
    unsigned threads = 0;
    WarningCallback on_warning;
  };
  /// Opens the file if one is given. Throws InputError if it is no table of the gate set.
  TableSource(const GateSet& set, Options options);

  /// For OptimizeOptions::find_class_table.
  [[nodiscard]] std::shared_ptr<const ClassTable> find(const GateSet& set,
                                                       const ClassTableOptions& wanted) const;
  /// For OptimizeOptions::on_class_table.
  void note(const GateSet& set, const ClassTableOptions& wanted,
            std::shared_ptr<const ClassTable> built);
  /// Writes the noted tables to the cache. Skips those that another process is writing.
  void keep() const;

 private:
  struct Built {
    std::filesystem::path path;  ///< in the cache
    std::shared_ptr<const ClassTable> table;
  };
  [[nodiscard]] std::shared_ptr<const ClassTable> cached(const GateSet& set,
                                                         const ClassTableOptions& exactly) const;

  const GateSet& set_;
  const Options options_;
  std::shared_ptr<const ClassTable> given_;
  std::vector<Built> built_;
};

}  // namespace quartz
