#include "base/chains/chain_population.hpp"

#include <algorithm>
#include <numeric>

namespace quartz {

ChainPopulation::ChainPopulation(std::uint32_t chains, std::size_t size,
                                 std::uint64_t rounds_behind, std::uint64_t seed)
    : random_(seed),
      rounds_behind_(rounds_behind),
      sizes_(chains, static_cast<std::uint32_t>(size)),
      last_better_(chains, 0) {}

std::vector<std::uint32_t> ChainPopulation::next_sources(const std::vector<std::uint32_t>& sizes,
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
  std::uint32_t smaller = 0;  // how many chains have smaller sets
  for (std::uint32_t rank = 0; rank < by_size.size(); ++rank) {
    const std::uint32_t chain = by_size[rank];
    if (rank > 0 && sizes[by_size[rank - 1]] < sizes[chain]) smaller = rank;
    if (smaller == 0 || round - last_better_[chain] < rounds_behind_) continue;
    // A chain with a smaller set may itself go on from another one, whose sources are known.
    sources[chain] = sources[by_size[random_.below(smaller)]];
    last_better_[chain] = round;
  }
  return sources;
}

}  // namespace quartz
