#include "parity_chains/chain/chain_start.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::parity_chains {

namespace {

/// Points that a chain may add to a table: four spaces.
constexpr std::uint32_t kMorePoints = 64;

std::size_t most_points(const ParityWalkStart& start) {
  std::size_t most = 0;
  for (const Points& table : start.tables) most = std::max(most, table.size());
  return most;
}

}  // namespace

bool fits_chains(const ParityWalkStart& start) {
  return !start.tables.empty() && start.dimension >= 1 && start.dimension <= kMaxDimension &&
         std::ranges::none_of(start.tables, &Points::empty) &&
         most_points(start) + 16 <= kMaxPoints;
}

ChainShape shape_of(const ParityWalkStart& start) {
  ensure(fits_chains(start), "tables of parities are too large for chains");
  const auto most = static_cast<std::uint32_t>(most_points(start));
  return {start.dimension, std::min(most + kMorePoints, kMaxPoints), start.is_pure};
}

ChainTable chain_table(const Points& points, const ChainShape& shape) {
  ensure(points.size() <= shape.capacity, "a table of parities is too large for a chain");
  ChainTable table{};
  table.size = static_cast<std::uint32_t>(points.size());
  std::ranges::copy(points, table.points);
  return table;
}

Points points_of(const ChainTable& table) { return {table.points, table.points + table.size}; }

std::vector<ChainTable> chain_tables(const ParityWalkStart& start, std::uint32_t chains) {
  const ChainShape shape = shape_of(start);
  std::vector<ChainTable> tables;
  for (std::uint32_t i = 0; i < chains; ++i) {
    tables.push_back(chain_table(start.tables[i % start.tables.size()], shape));
  }
  return tables;
}

std::vector<ChainState> chain_states(std::uint64_t seed, std::uint32_t chains) {
  FastRandom random(seed);
  std::vector<ChainState> states(chains);
  for (ChainState& state : states) state.random = random();
  return states;
}

std::uint64_t candidates_of(std::span<const ChainState> states) {
  std::uint64_t sum = 0;
  for (const ChainState& state : states) sum += state.candidates;
  return sum;
}

}  // namespace quartz::parity_chains
