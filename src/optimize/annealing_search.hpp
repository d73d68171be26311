#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "optimize/annealing.hpp"
#include "optimize/rotation_folding.hpp"

namespace quartz {

struct AnnealingLimits {
  /// Moves of each thread; 0: as many as the time allows. With a number the result depends on the
  /// seed and the number of threads only.
  std::uint64_t steps = 0;
  /// An end before the deadline: once a thread has made this many moves since it found its best,
  /// and twice as many as it took to find it.
  std::uint64_t patience = ~std::uint64_t{0};
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::stop_token stop;
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
  bool converged = false;  ///< every thread ended for want of patience
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
