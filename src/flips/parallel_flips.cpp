#include "flips/parallel_flips.hpp"

#include <algorithm>
#include <utility>

#include "base/chains/chain_population.hpp"

namespace quartz::flips {

namespace {

/// Draws of each chain between two exchanges: a few hundredths of a second on an H100.
constexpr std::uint32_t kDrawsPerRound = 1U << 15U;
/// Draws of all chains that count as a tick.
constexpr std::uint64_t kDrawsPerTick = 4000;
/// A chain that is behind goes on from another one's best set after as many rounds without fewer
/// products. After 12, all chains soon descend from a few, and none finds fewer than 49 products
/// for two 4 x 4 matrices.
constexpr std::uint64_t kRoundsBehind = 60;
/// The walk ends after as many rounds without fewer products, plus kPatienceFactor times the round
/// of the last decrease.
constexpr std::uint64_t kPatience = 200;
constexpr std::uint64_t kPatienceFactor = 4;

}  // namespace

ParallelFlips flipped_in_parallel(const FlipBackend& backend, const FlipWalkStart& start,
                                  std::size_t sufficient, const Budget& budget,
                                  std::uint32_t most_chains) {
  ParallelFlips result{start.products, 0, 0};
  if (start.products.size() <= sufficient || start.products.size() < 2 || budget.spent()) {
    return result;
  }
  const auto walks = backend.make(start, most_chains);
  result.chains = walks->chains();
  const std::uint64_t draws_per_round = std::uint64_t{kDrawsPerRound} * result.chains;
  ChainPopulation population(result.chains, start.products.size(), kRoundsBehind, start.seed);
  std::uint64_t last_better = 0;
  for (std::uint64_t round = 1; !budget.spent(); ++round) {
    walks->begin(kDrawsPerRound, static_cast<std::uint32_t>(sufficient));
    const std::vector<std::uint32_t> sizes = walks->finish();
    budget.spend(draws_per_round / kDrawsPerTick);
    const auto least = std::ranges::min_element(sizes);
    if (*least < result.products.size()) {
      result.products = walks->best_of(static_cast<std::uint32_t>(least - sizes.begin()));
      last_better = round;
    }
    if (result.products.size() <= sufficient) break;
    if (round - last_better >= kPatience + kPatienceFactor * last_better) break;
    walks->continue_from(population.next_sources(sizes, round));
  }
  result.flips = walks->flips();
  return result;
}

}  // namespace quartz::flips
