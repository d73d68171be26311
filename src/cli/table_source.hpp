#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "quartz/enumerate/class_table.hpp"

namespace quartz::cli {

/// Where the table of these options is cached (cli/cache.hpp). Nothing where the environment names
/// no folder.
[[nodiscard]] std::optional<std::filesystem::path> cached_table_path(
    const GateSet& set, const ClassTableOptions& options);

/// Whether it is the table of these options, the bound being reached.
[[nodiscard]] bool is_table_of(const ClassTable& table, const ClassTableOptions& options);

/// Where a search gets its class table from, so that it need not build one: a file that is given,
/// or else the cache; and what puts one into the cache once the search is over.
class TableSource {
 public:
  struct Options {
    std::string file;  ///< empty: the cache
    /// Of the search: no more than a tenth of it goes into opening a table from the cache.
    double seconds = 0;
    /// From the cache only the very table that would be built otherwise, so that the result does
    /// not depend on what there is.
    bool reproducible = false;
    unsigned threads = 0;
  };
  /// Opens the file that is given: throws InputError if it is no table of the gate set.
  TableSource(const GateSet& set, Options options, const CommandContext& context);

  /// For OptimizeOptions::find_class_table.
  [[nodiscard]] std::shared_ptr<const ClassTable> find(const GateSet& set,
                                                       const ClassTableOptions& wanted) const;
  /// For OptimizeOptions::on_class_table.
  void note(const GateSet& set, const ClassTableOptions& wanted,
            std::shared_ptr<const ClassTable> built);
  /// Caches the tables that were built, so that the next run need not. Leaves it to another process
  /// that is at it.
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
  const CommandContext& context_;
  std::shared_ptr<const ClassTable> given_;
  std::vector<Built> built_;
};

}  // namespace quartz::cli
