#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "quartz/classes/class_table.hpp"
#include "quartz/optimize/optimize.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// The class tables of one search, provided by its caller or built. Each is requested once.
class ClassTables {
 public:
  explicit ClassTables(const OptimizeOptions& options) : options_(options) {}

  /// Throws UsageError for a gate set with too many letters, and Stopped once a stop is requested.
  [[nodiscard]] std::shared_ptr<const ClassTable> get(const GateSet& set,
                                                      const ClassTableOptions& wanted);
  [[nodiscard]] std::vector<ClassTableSummary> summaries() const;

 private:
  struct Known {
    std::string gate_set_digest;
    bool symbolic = false;
    std::shared_ptr<const ClassTable> table;
  };

  const OptimizeOptions& options_;
  std::vector<Known> known_;
};

}  // namespace quartz::optimizer
