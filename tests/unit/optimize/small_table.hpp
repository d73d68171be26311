#pragma once

#include <memory>

#include "quartz/classes/class_table.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::test {

/// Builds the class table of a gate set up to a small cost, on one thread.
inline std::shared_ptr<const ClassTable> small_table(const GateSet& set, unsigned cost) {
  ClassTableOptions options;
  options.cost = cost;
  options.threads = 1;
  return build_class_table(set, options);
}

}  // namespace quartz::test
