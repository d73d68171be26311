#include "optimize/rank_reduction/rank_reduction.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "optimize/products/coordinates.hpp"
#include "optimize/rank_reduction/packed_parity.hpp"
#include "optimize/rank_reduction/table_shift.hpp"

namespace quartz::optimizer {
namespace {

/// Shifts that gain nothing, one after the other, after which a walk ends.
constexpr std::size_t kIdleShifts = 12;
/// A start from which walks end with at most this many parities more than the best is tried again.
constexpr std::size_t kMaxLag = 2;

/// Searches on tables of the same cubic form, in coordinates.
template <std::size_t Words>
class RankReduction {
 public:
  using Table = std::vector<PackedParity<Words>>;

  RankReduction(std::vector<Table> starts, std::size_t dimension, FastRandom& random)
      : dimension_(dimension), random_(random) {
    for (Table& table : starts) {
      std::sort(table.begin(), table.end());
      if (best_.empty() || table.size() < best_.size()) best_ = table;
      const std::size_t size = table.size();
      starts_.push_back({std::move(table), size});
    }
  }

  [[nodiscard]] Table run(std::size_t patience, const Budget& budget) {
    // A table that no shift changes is the end of its walk.
    for (Start& start : starts_) walk_from(start, budget);
    for (std::size_t idle = 0; idle < patience && !budget.spent() && !starts_.empty(); ++idle) {
      std::erase_if(starts_, [&](const Start& start) {
        return !start.has_shifts || start.least > best_.size() + kMaxLag;
      });
      if (starts_.empty()) break;
      Start& start = starts_[random_.below(static_cast<std::uint32_t>(starts_.size()))];
      if (walk_from(start, budget)) idle = 0;
    }
    return std::move(best_);
  }

 private:
  struct Start {
    Table table;
    std::size_t least = 0;  ///< parities at the end of the best walk
    bool has_shifts = true;
  };

  /// Returns whether the walk ended at a table that is smaller than all before.
  bool walk_from(Start& start, const Budget& budget) {
    Table table = start.table;
    std::size_t shifts = 0;
    for (std::size_t idle = 0; idle < kIdleShifts && !budget.spent(); ++shifts) {
      const auto shift = ShiftFinder<Words>(table, dimension_, random_, budget).find(budget);
      if (!shift) break;
      idle = shift->gain > 0 ? 0 : idle + 1;
      shift_table(*shift, table);
    }
    start.has_shifts = shifts > 0;
    start.least = std::min(start.least, table.size());
    if (table.size() >= best_.size()) return false;
    best_ = std::move(table);
    return true;
  }

  std::vector<Start> starts_;
  Table best_;
  std::size_t dimension_;
  FastRandom& random_;
};

template <std::size_t Words>
std::vector<PackedParity<Words>> packed_table(const ParityTable& table,
                                              const Coordinates& coordinates) {
  std::vector<PackedParity<Words>> result(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::optional<LinearForm> elements = coordinates.of(table[i]);
    for (std::size_t bit = elements->find_first(); bit != LinearForm::npos;
         bit = elements->find_next(bit)) {
      result[i].set(bit);
    }
  }
  return result;
}

template <std::size_t Words>
ParityTable reduced_table(std::span<const ParityTable> starts, const Coordinates& coordinates,
                          std::size_t patience, const Budget& budget, FastRandom& random) {
  std::vector<std::vector<PackedParity<Words>>> tables;
  for (const ParityTable& table : starts) tables.push_back(packed_table<Words>(table, coordinates));
  RankReduction<Words> reduction(std::move(tables), coordinates.dimension(), random);
  ParityTable result;
  for (const PackedParity<Words>& elements : reduction.run(patience, budget)) {
    LinearForm& parity = result.emplace_back(coordinates.basis()[0].size());
    for_each_bit(elements, [&](std::size_t i) { parity ^= coordinates.basis()[i]; });
  }
  return result;
}

}  // namespace

ParityTable with_fewer_parities(std::span<const ParityTable> starts, std::size_t patience,
                                const Budget& budget, FastRandom& random) {
  const ParityTable& smallest = *std::ranges::min_element(starts, {}, &ParityTable::size);
  Coordinates coordinates;
  for (const ParityTable& table : starts) {
    for (const LinearForm& parity : table) (void)coordinates.extend(parity);
  }
  const std::size_t dimension = coordinates.dimension();
  if (smallest.empty() || dimension > kMaxDimensionOfTable) return smallest;
  // Hashes of unit vectors are independent with a few bits more than there are of them.
  constexpr std::size_t kMoreBits = 256 - kMaxDimensionOfTable;
  if (dimension + kMoreBits <= 64)
    return reduced_table<1>(starts, coordinates, patience, budget, random);
  if (dimension + kMoreBits <= 128)
    return reduced_table<2>(starts, coordinates, patience, budget, random);
  return reduced_table<4>(starts, coordinates, patience, budget, random);
}

}  // namespace quartz::optimizer
