#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/products/product_network.hpp"
#include "parity_chains/backend/parity_walks.hpp"

namespace quartz::optimizer {

/// A table of parities that are different and not zero. The rotations by pi/4 about all of them
/// have a cubic form: the sum of p (x) p (x) p over the integers modulo 2. Tables with equal cubic
/// forms are the same unitary up to diagonal Clifford gates.
using ParityTable = std::vector<LinearForm>;

/// The most dimensions that the span of a table may have.
inline constexpr std::size_t kMaxDimensionOfTable = 240;

/// Draws tables with the same cubic form, which are starts of a search.
class TableSource {
 public:
  TableSource() = default;
  TableSource(const TableSource&) = delete;
  TableSource& operator=(const TableSource&) = delete;
  virtual ~TableSource() = default;

  /// Returns a table, or nothing if none was found this time.
  [[nodiscard]] virtual std::optional<ParityTable> draw(const Budget& budget,
                                                        FastRandom& random) = 0;
  /// Learns how many parities the search has left of the last table that was drawn.
  virtual void learn(std::size_t parities) = 0;
};

/// How tables are searched.
struct RankSearchLimits {
  /// Walks without a better table, after which the search ends.
  std::size_t patience = 1;
  /// Searches that run side by side, each with a budget of its own and another sequence of random
  /// numbers.
  unsigned threads = 1;
  /// A device on which many chains walk beside the threads through tables that are large enough,
  /// and not too large; null for none.
  const parity_chains::ParityBackend* device = nullptr;
};

/// Makes a source for one thread.
using MakeTableSource = std::function<std::unique_ptr<TableSource>()>;

/// Returns as few parities as were found with the cubic form of the given tables, which all have
/// the same one: never more than the smallest of them has. Each table is a start of the search, and
/// so are those of a source if there is one. Ends with the budget, or with the patience. Returns
/// the smallest table itself if a table spans more than kMaxDimensionOfTable.
///
/// The search keeps several tables. It adds affine spaces of four dimensions to one of them, which
/// changes no cubic form, such that few points are added, and then makes it smaller by shifts
/// (table_shift.hpp).
///
/// A device that fails is not used; what the threads found remains.
///
/// The result depends on the tables, the limits and the random numbers only, if the budget counts
/// ticks: a tick is about a microsecond, and each thread spends the ticks that there are.
[[nodiscard]] ParityTable with_fewer_parities(std::span<const ParityTable> starts,
                                              const MakeTableSource& make_source,
                                              const RankSearchLimits& limits, const Budget& budget,
                                              FastRandom& random);

}  // namespace quartz::optimizer
