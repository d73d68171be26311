#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "circuit/phased_gates.hpp"
#include "optimize/annealing/annealing_chain.hpp"

namespace quartz {

struct AnnealingLimits {
  /// Ticks are moves of each thread. With a budget in ticks the result depends on the seed and the
  /// number of threads only. Does not spend the ticks.
  Budget budget;
  /// An earlier end: once a thread has made this many moves since it found its best,
  /// and twice as many as it took to find it.
  std::uint64_t patience = ~std::uint64_t{0};
  unsigned threads = 1;
  std::uint64_t seed = 0;
  /// What the search makes small; without it the number of gates.
  GateValue value;
  const CouplingMap* coupling = nullptr;  ///< between whose pairs gates may stand; null: anywhere
  bool record_pairs = false;              ///< AnnealingResult::used_pairs is wanted
  std::size_t alternatives = 0;           ///< the most that AnnealingResult::alternatives has
  /// Called on one thread with the least value (of all circuits together) so far.
  std::function<void(std::uint64_t moves, std::uint64_t value)> on_progress;
};

struct AnnealingResult {
  /// For each circuit given, the best found: e^{i phase} times its gates. Never of a higher value.
  std::vector<PhasedGates> circuits;
  /// Other circuits in the place of those given that the walks came by, of values about as low; the
  /// lowest first.
  std::vector<std::vector<PhasedGates>> alternatives;
  AnnealingCounts counts;
  std::uint64_t moves_of_thread = 0;  ///< the largest number of moves that a thread made
  bool converged = false;             ///< every thread ended for want of patience
  /// What took the place of what in the chains, in letters of the table; some more than once.
  std::vector<UsedPair> used_pairs;
  /// What led to the circuits, in letters of the table.
  std::map<ChainGains::Rewrite, Gain> gains;
};

/// Anneals circuits that have nothing to do with each other (the blocks between walls), each with
/// its share of the moves, in chains of their own on every thread; the best chain of each wins.
[[nodiscard]] AnnealingResult anneal(const ClassTable& table,
                                     std::span<const std::span<const Operation>> circuits,
                                     std::uint32_t qubits, const AnnealingLimits& limits);

}  // namespace quartz
