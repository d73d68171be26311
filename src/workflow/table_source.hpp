#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "quartz/classes/class_table.hpp"
#include "quartz/workflow/cache.hpp"

namespace quartz::workflow {

/// Returns whether this is the table that the options build if memory does not limit it.
[[nodiscard]] bool is_table_of(const ClassTable& table, const ClassTableOptions& options);

/// Provides a search with class tables so that it need not build them: from a given file, or from
/// the cache. Remembers the tables that the search builds, and writes them to the cache afterwards.
class TableSource {
 public:
  struct Options {
    std::filesystem::path file;  ///< empty: the cache
    CacheOptions cache;
    /// Time limit of the search; at most a tenth of it is spent on opening a table from the cache.
    double seconds = 0;
    /// Accepts only the table that the search would build otherwise, so that the result does not
    /// depend on the contents of the cache.
    bool reproducible = false;
    unsigned threads = 0;
    WarningCallback on_warning;
  };
  /// Opens the file if one is given. Throws InputError if it is not a table of the gate set.
  TableSource(const GateSet& set, Options options);

  /// Implements OptimizeOptions::find_class_table: returns the given table, or the deepest one in
  /// the cache that has no more than `wanted.cached_classes`.
  [[nodiscard]] std::shared_ptr<const ClassTable> find(const GateSet& set,
                                                       const ClassTableOptions& wanted) const;
  /// Returns the table of exactly these options; null if neither the file nor the cache has it.
  [[nodiscard]] std::shared_ptr<const ClassTable> find_exactly(
      const ClassTableOptions& exactly) const;
  /// Implements OptimizeOptions::on_class_table.
  void note(const GateSet& set, const ClassTableOptions& wanted,
            std::shared_ptr<const ClassTable> built);
  /// Writes the recorded tables to the cache, each once. Skips those that another process is
  /// writing.
  void keep();

 private:
  struct Built {
    std::filesystem::path path;  ///< path in the cache
    std::shared_ptr<const ClassTable> table;
  };
  [[nodiscard]] std::shared_ptr<const ClassTable> cached(const GateSet& set,
                                                         const ClassTableOptions& exactly) const;

  const GateSet& set_;
  const Options options_;
  std::shared_ptr<const ClassTable> given_;
  std::vector<Built> built_;
};

}  // namespace quartz::workflow
