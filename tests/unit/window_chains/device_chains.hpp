#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <string_view>

#include "classes/table/class_table.hpp"
#include "quartz/classes/class_table.hpp"
#include "quartz/target/gate_set.hpp"
#include "window_chains/chain_backends.hpp"

namespace quartz::test {

inline const window_chains::ChainBackend& chain_backend(std::string_view name) {
  const auto backends = window_chains::chain_backends();
  const auto found = std::ranges::find(backends, name, &window_chains::ChainBackend::name);
  REQUIRE(found != backends.end());
  return *found;
}

/// Builds a table of cost 3, with a free angle if the gate set has one.
inline std::shared_ptr<const ClassTable> table_for_chains(const GateSet& set) {
  ClassTableOptions options;
  options.cost = 3;
  options.threads = 1;
  options.symbolic = !set.alphabet.expressions.empty();
  return build_class_table(set, options);
}

}  // namespace quartz::test
