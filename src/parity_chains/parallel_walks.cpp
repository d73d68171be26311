#include "parity_chains/parallel_walks.hpp"

#include <algorithm>
#include <vector>

#include "base/chains/chain_population.hpp"

namespace quartz::parity_chains {

namespace {

/// Batches of each chain between two exchanges: about a tenth of a second on an H200.
constexpr std::uint32_t kBatchesPerRound = 4000;
/// Batches of all chains that count as a tick, which a device tests in about a microsecond.
constexpr std::uint64_t kBatchesPerTick = 2;
/// A chain that is behind goes on from another one's table after as many rounds without a smaller
/// one.
constexpr std::uint64_t kRoundsBehind = 12;

}  // namespace

ParallelWalks walked_in_parallel(const ParityBackend& backend, const ParityWalkStart& start,
                                 const WalkCallbacks& callbacks, const Budget& budget,
                                 std::uint32_t most_chains) {
  ParallelWalks result{*std::ranges::min_element(start.tables, {}, &Points::size), 0, 0};
  if (budget.spent()) return result;
  const auto walks = backend.make(start, most_chains);
  result.chains = walks->chains();
  const std::size_t capacity = std::ranges::max(start.tables, {}, &Points::size).size();
  ChainPopulation population(result.chains, capacity, kRoundsBehind, start.seed);
  for (std::uint64_t round = 1; !budget.spent(); ++round) {
    if (!budget.counts_ticks() && callbacks.is_over && callbacks.is_over()) break;
    walks->begin(kBatchesPerRound);
    const std::optional<Points> drawn = callbacks.draw ? callbacks.draw() : std::nullopt;
    const std::vector<std::uint32_t> sizes = walks->finish();
    budget.spend(std::uint64_t{kBatchesPerRound} * result.chains / kBatchesPerTick);
    const auto least = std::ranges::min_element(sizes);
    if (*least < result.points.size()) {
      result.points = walks->table_of(static_cast<std::uint32_t>(least - sizes.begin()));
    }
    walks->continue_from(population.next_sources(sizes, round));
    if (drawn && !drawn->empty() && drawn->size() <= capacity) {
      const auto most = std::ranges::max_element(sizes);
      const auto chain = static_cast<std::uint32_t>(most - sizes.begin());
      walks->restart(chain, *drawn);
      population.restart(chain, round);
    }
  }
  result.candidates = walks->candidates();
  return result;
}

}  // namespace quartz::parity_chains
