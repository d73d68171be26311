#include "workflow/table_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "quartz/base/errors.hpp"
#include "workflow/cache.hpp"

namespace quartz::workflow {
namespace {

constexpr std::string_view kWhat = "class table";

/// A tenth of the time may be spent on opening a table, which checks and copies about a GB per
/// second on one core.
constexpr double kBytesPerSecond = 1e8;
/// Words of a table have 8 bytes, and an eighth more of them than there are classes.
constexpr double kBytesPerClass = 9;

}  // namespace

bool is_table_of(const ClassTable& table, const ClassTableOptions& options) {
  const ClassTableSummary found = summary_of(table);
  return found.qubits == options.qubits && found.cost == options.cost &&
         found.two_qubit_weight == options.two_qubit_weight && found.symbolic == options.symbolic;
}

TableSource::TableSource(const GateSet& set, Options options)
    : set_(set), options_(std::move(options)) {
  if (!options_.file.empty()) given_ = open_class_table(options_.file, set, options_.threads);
}

std::shared_ptr<const ClassTable> TableSource::find(const GateSet& set,
                                                    const ClassTableOptions& wanted) const {
  if (given_ && set.digest == set_.digest) return given_;
  ClassTableOptions each = wanted;
  const auto end_by = [&](const ClassTable& table) {
    return end_of_class_table(summary_of(table).classes, wanted);
  };
  if (options_.reproducible) {
    for (each.cost = 1; each.cost <= wanted.cost; ++each.cost) {
      std::shared_ptr<const ClassTable> table = cached(set, each);
      const unsigned end = table ? end_by(*table) : wanted.cost;
      if (table && end <= each.cost) return end == each.cost ? table : nullptr;
    }
    return nullptr;
  }
  for (each.cost = wanted.cost; each.cost != 0; --each.cost) {
    std::shared_ptr<const ClassTable> table = cached(set, each);
    // The remaining time suffices to build a deeper table.
    if (table) return end_by(*table) > each.cost ? nullptr : table;
  }
  return nullptr;
}

std::shared_ptr<const ClassTable> TableSource::cached(const GateSet& set,
                                                      const ClassTableOptions& exactly) const {
  const std::optional<std::filesystem::path> path = cached_table_path(set, exactly, options_.cache);
  if (!path) return nullptr;
  std::error_code ignored;
  const auto bytes = static_cast<double>(std::filesystem::file_size(*path, ignored));
  if (!options_.reproducible && bytes > kBytesPerSecond * options_.seconds) return nullptr;
  // A table that is opened has all of its pages in memory.
  if (bytes > kBytesPerClass * static_cast<double>(exactly.cached_classes)) return nullptr;
  const auto read = [&](const std::filesystem::path& file) {
    std::shared_ptr<const ClassTable> table = open_class_table(file, set, options_.threads);
    if (!is_table_of(*table, exactly)) {
      throw InputError({file.string()},
                       "a class table, but not the one described by its file name");
    }
    return table;
  };
  return read_cached(*path, kWhat, read, options_.on_warning).value_or(nullptr);
}

void TableSource::note(const GateSet& set, const ClassTableOptions& wanted,
                       std::shared_ptr<const ClassTable> built) {
  const ClassTableSummary summary = summary_of(*built);
  // A table cut short by memory would later be mistaken for the deepest one that the time permits.
  if (summary.cost != end_of_class_table(summary.classes, wanted)) return;
  ClassTableOptions named = wanted;
  named.cost = summary.cost;
  if (std::optional<std::filesystem::path> path = cached_table_path(set, named, options_.cache)) {
    built_.push_back({*std::move(path), std::move(built)});
  }
}

std::shared_ptr<const ClassTable> TableSource::find_exactly(
    const ClassTableOptions& exactly) const {
  if (given_ && is_table_of(*given_, exactly)) return given_;
  return cached(set_, exactly);
}

void TableSource::keep() {
  for (const Built& built : std::exchange(built_, {})) {
    const std::optional<FileLock> lock = try_cache_lock(built.path);
    if (!lock) continue;
    const auto write = [&](const std::filesystem::path& file) {
      write_class_table(*built.table, file);
    };
    write_cached(built.path, kWhat, write, options_.on_warning);
  }
}

}  // namespace quartz::workflow
