#include "optimize/rank_reduction/rank_reduction.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <optional>
#include <unordered_set>
#include <utility>

#include "optimize/products/coordinates.hpp"
#include "optimize/rank_reduction/device_walk.hpp"
#include "optimize/rank_reduction/flat_move.hpp"
#include "optimize/rank_reduction/packed_parity.hpp"
#include "optimize/rank_reduction/point_table.hpp"
#include "optimize/rank_reduction/table_part.hpp"
#include "optimize/rank_reduction/table_shift.hpp"
#include "quartz/base/parallel_for.hpp"

namespace quartz::optimizer {
namespace {

/// Shifts that gain nothing, one after the other, after which a walk ends.
constexpr std::size_t kIdleShifts = 6;
/// The search begins with a table if it has at most as many times the points of the smallest one.
constexpr double kMaxRatioOfStart = 1.25;
/// Tables that are kept.
constexpr std::size_t kKeptTables = 4;
/// Spaces that are added to a table at once, at most, and directions that are tried for each.
constexpr std::uint32_t kMostFlats = 6;
constexpr std::array<std::size_t, 2> kTriesOfFlats{60, 150};
/// Directions of spaces that are tried in a tick.
constexpr std::size_t kTriesOfTick = 8;
/// Points and directions of parts that are looked at in a tick.
constexpr std::size_t kPointsOfTick = 20;
/// Walks from kept tables in a round, and one of how many rounds walks from a new start instead.
constexpr std::size_t kWalksOfRound = 10;
constexpr std::uint32_t kRoundsOfStart = 5;
/// Walks that leave a table as large as it is, after which it makes room for one that has at most
/// kMaxLag parities more than the smallest.
constexpr std::size_t kPatienceOfTable = 400;
constexpr std::size_t kMaxLag = 4;
/// Points of a table of which parts are searched as well: three of four rounds then search parts,
/// with some walks in each, and a part has between a third and two thirds of the dimensions.
constexpr std::size_t kPointsOfParts = 110;
constexpr std::size_t kWalksOfPart = 20;
constexpr std::size_t kMinPointsOfPart = 12;
/// Hashes of tables that are remembered.
constexpr std::size_t kMaxRemembered = std::size_t{1} << 18U;

/// Searches on tables of the same cubic form, in coordinates.
template <std::size_t Words>
class RankReduction {
 public:
  using Table = PointTable<Words>;
  /// Draws a table, and learns its size after the walk.
  using Draw = std::function<std::optional<Table>(const Budget&)>;
  using Learn = std::function<void(std::size_t)>;

  RankReduction(const PointSpace<Words>& space, FastRandom& random)
      : space_(space), random_(random), finder_(space, random), flats_(random) {}

  [[nodiscard]] Table run(std::span<const Table> starts, const Draw& draw, const Learn& learn,
                          std::size_t patience, const Budget& budget) {
    for (const Table& start : starts) note(start);
    const double most = kMaxRatioOfStart * static_cast<double>(best_.size());
    for (const Table& start : starts) {
      if (static_cast<double>(start.size()) <= most) keep(walked(start, budget));
    }
    while (idle_ < patience && !budget.spent()) {
      if (draw && random_.below(kRoundsOfStart) == 0) {
        std::optional<Table> start = draw(budget);
        ++idle_;
        if (!start) continue;
        Table table = walked(*std::move(start), budget);
        learn(space_.size_of(table));
        keep(std::move(table));
        continue;
      }
      const bool in_parts = best_.size() > kPointsOfParts && random_.below(4) != 0;
      for (std::size_t i = 0; i < kWalksOfRound && idle_ < patience && !budget.spent(); ++i) {
        ++idle_;
        Kept& kept = kept_[random_.below(static_cast<std::uint32_t>(kept_.size()))];
        if (in_parts) {
          search_part(kept, budget);
        } else {
          walk_from(kept, budget);
        }
      }
    }
    return std::move(best_);
  }

  /// Returns a table of at most as many points after some walks.
  [[nodiscard]] Table moved(Table table, std::size_t walks, const Budget& budget) {
    Kept kept{walked(std::move(table), budget)};
    for (std::size_t i = 0; i < walks && !budget.spent(); ++i) walk_from(kept, budget);
    return std::move(kept.table);
  }

 private:
  struct Kept {
    Table table;
    std::size_t idle = 0;  ///< walks since it became smaller
  };

  [[nodiscard]] std::size_t size_of(const Table& table) const { return space_.size_of(table); }

  void note(const Table& table) {
    if (has_best_ && size_of(table) >= size_of(best_)) return;
    best_ = table;
    has_best_ = true;
    idle_ = 0;
  }

  /// Keeps a table unless the tables that are kept are better.
  void keep(Table table) {
    note(table);
    if (kept_.size() < kKeptTables) {
      kept_.push_back({std::move(table)});
      return;
    }
    Kept& worst = *std::ranges::max_element(kept_, [&](const Kept& left, const Kept& right) {
      return std::pair(size_of(left.table), left.idle) <
             std::pair(size_of(right.table), right.idle);
    });
    const std::size_t size = size_of(table);
    if (size < size_of(worst.table) ||
        (worst.idle > kPatienceOfTable && size <= size_of(best_) + kMaxLag)) {
      worst = {std::move(table)};
    }
  }

  /// Adds spaces to a kept table and makes it smaller again. The result takes its place unless it
  /// is larger.
  void walk_from(Kept& kept, const Budget& budget) {
    Table table = kept.table;
    const std::size_t tries = kTriesOfFlats.at(random_.below(kTriesOfFlats.size()));
    for (std::uint32_t i = 1 + random_.below(kMostFlats); i > 0; --i) {
      flats_.apply(table, tries);
      budget.spend(tries / kTriesOfTick);
    }
    replace(kept, walked(std::move(table), budget));
  }

  /// Searches a part of a kept table.
  void search_part(Kept& kept, const Budget& budget) {
    const auto dimension = static_cast<std::uint32_t>(space_.dimension());
    const TablePart<Words> part(kept.table, dimension / 3 + random_.below(dimension / 3 + 1),
                                random_);
    budget.spend(kept.table.size() * part.dimension() / kPointsOfTick);
    if (part.points().size() < kMinPointsOfPart || part.others().size() < kMinPointsOfPart) return;
    const auto space = PointSpace<Words>::of_parts(part.dimension());
    Table points = RankReduction(space, random_).moved(part.points(), kWalksOfPart, budget);
    replace(kept, walked(part.table_with(points), budget));
  }

  /// Replaces a kept table unless the other one is larger.
  void replace(Kept& kept, Table table) {
    ++kept.idle;
    if (size_of(table) > size_of(kept.table)) return;
    if (size_of(table) < size_of(kept.table)) kept.idle = 0;
    kept.table = std::move(table);
    note(kept.table);
  }

  /// Shifts a table until that makes it no smaller, or it is one where an earlier walk has ended.
  [[nodiscard]] Table walked(Table table, const Budget& budget) {
    for (std::size_t idle = 0; idle < kIdleShifts && !budget.spent();) {
      const std::uint64_t hash = hash_of_points(table);
      if (ends_.contains(hash)) break;
      const auto shift = finder_.find(table, budget);
      if (!shift) {
        if (budget.spent()) break;
        if (ends_.size() >= kMaxRemembered) ends_.clear();
        ends_.insert(hash);
        break;
      }
      idle = shift->gain > 0 ? 0 : idle + 1;
      shift_table(*shift, table);
    }
    return table;
  }

  [[nodiscard]] static std::uint64_t hash_of_points(const Table& table) {
    std::uint64_t hash = table.size();
    for (const PackedParity<Words>& point : table) hash = mixed_word(hash ^ hash_of(point)) + 1;
    return hash;
  }

  const PointSpace<Words>& space_;
  FastRandom& random_;
  ShiftFinder<Words> finder_;
  FlatMove<Words> flats_;
  std::vector<Kept> kept_;
  std::unordered_set<std::uint64_t> ends_;  ///< hashes of tables that no shift changes
  Table best_;
  bool has_best_ = false;
  std::size_t idle_ = 0;  ///< walks since the best table
};

/// Tables of parities in coordinates.
template <std::size_t Words>
class PackedTables {
 public:
  using Parity = PackedParity<Words>;

  PackedTables(std::span<const ParityTable> starts, const Coordinates& coordinates)
      : coordinates_(coordinates), space_(coordinates.dimension(), *parities_of(starts[0])) {
    for (const ParityTable& table : starts) starts_.push_back(*table_of(table));
  }

  [[nodiscard]] ParityTable smallest(const MakeTableSource& make_source,
                                     const RankSearchLimits& limits, const Budget& budget,
                                     FastRandom& random) const {
    struct Thread {
      Budget budget;
      FastRandom random{0};
      PointTable<Words> table;
    };
    /// Counts a thread as ended, also if it throws.
    struct Leaving {
      std::atomic<std::size_t>& running;
      ~Leaving() { --running; }
    };
    std::vector<Thread> threads(std::max(limits.threads, 1U));
    // Many short searches have no device, and need no copy of their tables for one.
    const parity_chains::ParityWalkStart walk =
        limits.device == nullptr ? parity_chains::ParityWalkStart() : walk_start();
    const bool on_device = suits_device(limits.device, walk, budget);
    if (on_device) threads.emplace_back();
    const std::uint64_t ticks = budget.ticks_left();
    for (Thread& thread : threads) {
      // Threads that share a counter of ticks would depend on each other.
      thread.budget = budget.counts_ticks()
                          ? Budget::of_ticks(std::max<std::uint64_t>(ticks, 1), budget.stop)
                          : budget;
      thread.random = FastRandom(random());
    }
    std::atomic<std::size_t> running = threads.size();
    on_threads(threads.size(), [&](std::size_t i) {
      Thread& thread = threads[i];
      const Leaving leaving{running};
      if (on_device && i + 1 == threads.size()) {
        // The device has no end of its own.
        thread.table = walked_on_device(
            make_source, limits, walk, [&running] { return running == 1; }, thread.budget,
            thread.random);
      } else {
        thread.table = reduced(make_source, limits.patience, thread.budget, thread.random);
      }
    });
    std::uint64_t most_left = ticks;
    for (const Thread& thread : threads) {
      most_left = std::min(most_left, thread.budget.ticks_left());
    }
    budget.spend(ticks - most_left);
    const Thread& best = *std::ranges::min_element(
        threads, {}, [&](const Thread& thread) { return space_.size_of(thread.table); });
    return as_parities(best.table);
  }

 private:
  /// Returns the starts for chains on a device; nothing if the points are more than a word.
  [[nodiscard]] parity_chains::ParityWalkStart walk_start() const {
    parity_chains::ParityWalkStart start;
    if (Words > 1) return start;
    for (const PointTable<Words>& table : starts_) start.tables.push_back(words_of(table));
    start.dimension = static_cast<std::uint32_t>(space_.dimension());
    start.is_pure = space_.is_pure();
    return start;
  }
  [[nodiscard]] static parity_chains::Points words_of(const PointTable<Words>& table) {
    parity_chains::Points points;
    for (const Parity& point : table) points.push_back(point.words[0]);
    return points;
  }

  /// Walks on the device of the limits, from the starts and from tables of the source.
  [[nodiscard]] PointTable<Words> walked_on_device(const MakeTableSource& make_source,
                                                   const RankSearchLimits& limits,
                                                   parity_chains::ParityWalkStart start,
                                                   const std::function<bool()>& is_over,
                                                   const Budget& budget, FastRandom& random) const {
    start.seed = random();
    const std::unique_ptr<TableSource> source = make_source ? make_source() : nullptr;
    parity_chains::WalkCallbacks callbacks{nullptr, is_over};
    if (source) {
      callbacks.draw = [&]() -> std::optional<parity_chains::Points> {
        const std::optional<ParityTable> parities = source->draw(budget, random);
        const auto table = parities ? table_of(*parities) : std::nullopt;
        if (!table) return std::nullopt;
        return words_of(*table);
      };
    }
    PointTable<Words> result;
    for (const std::uint64_t point :
         optimizer::walked_on_device(*limits.device, std::move(start), callbacks, budget)) {
      result.emplace_back().words[0] = point;
    }
    normalize(result);
    return result;
  }

  [[nodiscard]] PointTable<Words> reduced(const MakeTableSource& make_source, std::size_t patience,
                                          const Budget& budget, FastRandom& random) const {
    const std::unique_ptr<TableSource> source = make_source ? make_source() : nullptr;
    typename RankReduction<Words>::Draw draw;
    if (source) {
      draw = [&](const Budget& limit) -> std::optional<PointTable<Words>> {
        const std::optional<ParityTable> table = source->draw(limit, random);
        if (!table) return std::nullopt;
        return table_of(*table);
      };
    }
    return RankReduction<Words>(space_, random)
        .run(
            starts_, draw, [&](std::size_t size) { source->learn(size); }, patience, budget);
  }

  /// Returns nothing for parities outside of the coordinates.
  [[nodiscard]] std::optional<std::vector<Parity>> parities_of(const ParityTable& table) const {
    std::vector<Parity> result(table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
      const std::optional<LinearForm> elements = coordinates_.of(table[i]);
      if (!elements) return std::nullopt;
      for (std::size_t bit = elements->find_first(); bit != LinearForm::npos;
           bit = elements->find_next(bit)) {
        result[i].set(bit);
      }
    }
    return result;
  }
  [[nodiscard]] std::optional<PointTable<Words>> table_of(const ParityTable& table) const {
    const auto parities = parities_of(table);
    if (!parities) return std::nullopt;
    return space_.table_of(*parities);
  }
  [[nodiscard]] ParityTable as_parities(const PointTable<Words>& table) const {
    ParityTable result;
    for (const Parity& elements : space_.parities_of(table)) {
      LinearForm& parity = result.emplace_back(coordinates_.basis()[0].size());
      for_each_bit(elements, [&](std::size_t i) { parity ^= coordinates_.basis()[i]; });
    }
    return result;
  }

  const Coordinates& coordinates_;
  PointSpace<Words> space_;
  std::vector<PointTable<Words>> starts_;
};

}  // namespace

ParityTable with_fewer_parities(std::span<const ParityTable> starts,
                                const MakeTableSource& make_source, const RankSearchLimits& limits,
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
  const auto search = [&]<std::size_t Words>() {
    return PackedTables<Words>(starts, coordinates).smallest(make_source, limits, budget, random);
  };
  ParityTable result;
  if (dimension + kMoreBits <= 64) {
    result = search.template operator()<1>();
  } else if (dimension + kMoreBits <= 128) {
    result = search.template operator()<2>();
  } else {
    result = search.template operator()<4>();
  }
  return result.size() < smallest.size() ? result : smallest;
}

}  // namespace quartz::optimizer
