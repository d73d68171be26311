#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// A table of parities that are different and not zero. It stands for rotations by pi/4 about each
/// of them, and so for a cubic form: the sum of p (x) p (x) p over the integers modulo 2. Tables
/// with equal cubic forms are the same unitary up to diagonal Clifford gates.
using ParityTable = std::vector<LinearForm>;

/// The most dimensions that the span of a table may have.
inline constexpr std::size_t kMaxDimensionOfTable = 240;

/// Returns as few parities as were found with the cubic form of the given tables, which all have
/// the same one: never more than the smallest of them has. Each table is a start of the search, and
/// the first one should be the best. Ends with the budget, or after `patience` walks that find
/// nothing better. Returns the smallest table itself if a table spans more than
/// kMaxDimensionOfTable.
///
/// The result depends on the tables and the random numbers only, if the budget counts ticks: a tick
/// is about a microsecond.
[[nodiscard]] ParityTable with_fewer_parities(std::span<const ParityTable> starts,
                                              std::size_t patience, const Budget& budget,
                                              FastRandom& random);

}  // namespace quartz::optimizer
