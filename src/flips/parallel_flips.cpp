#include "flips/parallel_flips.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

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

/// Which chains go on from others. A chain that has been behind for long goes on from a random one
/// of those with fewer products, not necessarily the fewest: chains stay different for longer.
class Population {
 public:
  Population(std::uint32_t chains, std::size_t size, std::uint64_t seed)
      : random_(seed), sizes_(chains, static_cast<std::uint32_t>(size)), last_better_(chains, 0) {}

  /// Returns the chain from which each chain goes on after a round with these sizes.
  std::vector<std::uint32_t> next_sources(const std::vector<std::uint32_t>& sizes,
                                          std::uint64_t round) {
    for (std::uint32_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i] < sizes_[i]) last_better_[i] = round;
    }
    sizes_ = sizes;
    std::vector<std::uint32_t> by_size(sizes.size());
    std::iota(by_size.begin(), by_size.end(), 0U);
    std::ranges::stable_sort(by_size, {}, [&](std::uint32_t chain) { return sizes[chain]; });
    std::vector<std::uint32_t> sources(sizes.size());
    std::iota(sources.begin(), sources.end(), 0U);
    std::uint32_t fewer = 0;  // how many chains have fewer products
    for (std::uint32_t rank = 0; rank < by_size.size(); ++rank) {
      const std::uint32_t chain = by_size[rank];
      if (rank > 0 && sizes[by_size[rank - 1]] < sizes[chain]) fewer = rank;
      if (fewer == 0 || round - last_better_[chain] < kRoundsBehind) continue;
      // A chain with fewer products may itself go on from another one, whose sources are known.
      sources[chain] = sources[by_size[random_.below(fewer)]];
      last_better_[chain] = round;
    }
    return sources;
  }

 private:
  FastRandom random_;
  std::vector<std::uint32_t> sizes_;
  std::vector<std::uint64_t> last_better_;  ///< the round of the last decrease or copy, by chain
};

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
  Population population(result.chains, start.products.size(), start.seed);
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
