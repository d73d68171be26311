#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.hpp"

namespace quartz {

/// Decides which of many chains of a search go on from what others have found (the population of
/// Arai, Ichikawa, Hukushima, "Adaptive flip graph algorithm for matrix multiplication"). Each
/// chain has a set whose size the search makes smaller, round by round.
class ChainPopulation {
 public:
  /// All chains start with sets of a size. A chain that has fewer than others goes on by itself,
  /// and one that is behind, too, until it has not become smaller for some rounds.
  ChainPopulation(std::uint32_t chains, std::size_t size, std::uint64_t rounds_behind,
                  std::uint64_t seed);

  /// Returns the chain from which each chain goes on after a round with these sizes. A chain that
  /// has been behind for long goes on from a random one of those with smaller sets, not necessarily
  /// the smallest: chains stay different for longer.
  [[nodiscard]] std::vector<std::uint32_t> next_sources(const std::vector<std::uint32_t>& sizes,
                                                        std::uint64_t round);
  /// Notes that a chain starts once more from another set.
  void restart(std::uint32_t chain, std::uint64_t round) { last_better_[chain] = round; }

 private:
  FastRandom random_;
  std::uint64_t rounds_behind_;
  std::vector<std::uint32_t> sizes_;
  std::vector<std::uint64_t> last_better_;  ///< the round of the last decrease or copy, by chain
};

}  // namespace quartz
