#include "workflow/table_source.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "quartz/classes/class_table.hpp"
#include "quartz/target/gate_set.hpp"
#include "temporary_folder.hpp"

using namespace quartz;
using namespace quartz::test;

namespace {

ClassTableOptions on_one_thread() {
  ClassTableOptions options;
  options.threads = 1;
  return options;
}

/// A cache that has the tables of Nam's gates up to a cost, and a source that reads it.
class CachedTables {
 public:
  explicit CachedTables(unsigned most) {
    for (options_.cost = 1; options_.cost <= most; ++options_.cost) {
      const std::optional<std::filesystem::path> path = cached_table_path(set_, options_, cache_);
      REQUIRE(path.has_value());
      std::filesystem::create_directories(path->parent_path());
      write_class_table(*build_class_table(set_, options_), *path);
    }
  }

  [[nodiscard]] std::uint64_t classes_up_to(unsigned cost) {
    options_.cost = cost;
    const std::vector<std::uint64_t> classes =
        summary_of(*build_class_table(set_, options_)).classes;
    return std::accumulate(classes.begin(), classes.end(), std::uint64_t{0});
  }
  /// Returns the cost of the table that is found; 0 if there is none.
  [[nodiscard]] unsigned cost_of_found(const ClassTableOptions& wanted) const {
    workflow::TableSource::Options options;
    options.cache = cache_;
    options.seconds = 100;
    options.threads = 1;
    const workflow::TableSource source(set_, options);
    const std::shared_ptr<const ClassTable> table = source.find(set_, wanted);
    return table == nullptr ? 0 : summary_of(*table).cost;
  }

 private:
  TemporaryFolder folder_;
  CacheOptions cache_{.enabled = true, .folder = folder_ / "cache"};
  GateSet set_ = load_gate_set("nam");
  ClassTableOptions options_ = on_one_thread();
};

}  // namespace

TEST_CASE("the deepest table in the cache is found, although fewer classes would be built",
          "[table source]") {
  CachedTables tables(4);
  ClassTableOptions wanted;
  wanted.cost = 12;
  wanted.classes = tables.classes_up_to(2);
  CHECK(tables.cost_of_found(wanted) == 4);
}

TEST_CASE("a table in the cache has no more classes than a search wants of it", "[table source]") {
  CachedTables tables(4);
  ClassTableOptions wanted;
  wanted.cost = 12;
  wanted.classes = tables.classes_up_to(2);
  wanted.cached_classes = tables.classes_up_to(4) * 3 / 4;
  CHECK(tables.cost_of_found(wanted) == 3);
  wanted.cached_classes = 1;
  CHECK(tables.cost_of_found(wanted) == 0);
}
