#include "optimize/state/class_tables.hpp"

#include <algorithm>
#include <utility>

namespace quartz::optimizer {

std::shared_ptr<const ClassTable> ClassTables::get(const GateSet& set,
                                                   const ClassTableOptions& wanted) {
  const auto known = std::ranges::find_if(known_, [&](const Known& each) {
    return each.gate_set_digest == set.digest && each.symbolic == wanted.symbolic;
  });
  if (known != known_.end()) return known->table;
  std::shared_ptr<const ClassTable> table;
  if (options_.find_class_table) table = options_.find_class_table(set, wanted);
  if (table == nullptr) {
    table = build_class_table(set, wanted);
    if (options_.on_class_table) options_.on_class_table(set, wanted, table);
  }
  known_.push_back({set.digest, wanted.symbolic, table});
  return table;
}

std::vector<ClassTableSummary> ClassTables::summaries() const {
  std::vector<ClassTableSummary> summaries;
  for (const Known& known : known_) summaries.push_back(summary_of(*known.table));
  return summaries;
}

}  // namespace quartz::optimizer
