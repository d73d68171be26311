#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "circuit/derivation.hpp"
#include "optimize/annealing/annealing_chain.hpp"
#include "optimize/annealing/device/device_sweeps.hpp"
#include "optimize/window_device/chain_devices.hpp"

namespace quartz::optimizer {

struct AnnealingLimits {
  /// The ticks are the moves of each thread. With a budget in ticks the result depends only on the
  /// seed and the number of threads. The ticks are not charged to the budget.
  Budget budget;
  /// Ends the search earlier: once a thread has made this many moves since it found its best
  /// circuit, and twice as many as it needed to find that circuit.
  std::uint64_t patience = ~std::uint64_t{0};
  unsigned threads = 1;
  /// Where one more thread makes its sweeps, if there is a device that can make them; null: all
  /// sweeps are on the host.
  ChainDevices* devices = nullptr;
  std::uint64_t seed = 0;
  ScalarCost value;                       ///< to minimize
  const CouplingMap* coupling = nullptr;  ///< pairs of qubits on which gates may act; null: any
  bool record_pairs = false;              ///< whether to fill AnnealingResult::used_pairs
  bool record_history = false;            ///< whether to fill the histories of the circuits
  std::size_t alternatives = 0;           ///< maximum size of AnnealingResult::alternatives
  /// Returns whether the circuits of one thread are wanted, as BetterCircuits describes; may be
  /// empty, and is used only with on_better.
  std::function<bool()> follows_one_thread;
  /// Called now and then, once better circuits were found, with the best of each circuit so far,
  /// from one thread at a time.
  std::function<void(std::vector<circuit::DerivedGates>)> on_better;
  /// Called on one thread with the least value found so far, summed over all circuits.
  std::function<void(std::uint64_t moves, std::uint64_t value)> on_progress;
};

struct AnnealingResult {
  /// For each input circuit, the best circuit found: the input equals e^{i phase} times its gates.
  /// Its value is never above that of the input.
  std::vector<circuit::DerivedGates> circuits;
  /// Other circuits equal to the inputs that the chains visited, with nearly the same value; sorted
  /// by value, ascending.
  std::vector<std::vector<circuit::DerivedGates>> alternatives;
  AnnealingCounts counts;                 ///< those of the host
  std::optional<DeviceAnnealing> device;  ///< nothing if no device was used
  std::uint64_t moves_of_thread = 0;      ///< the largest number of moves that a thread made
  bool converged = false;                 ///< every thread ended because its patience was exhausted
  UsedPairs used_pairs;                   ///< windows and replacements in letters of the table
  /// Rewrites that led to the best circuits, in letters of the table.
  std::map<ChainGains::Rewrite, Gain> gains;
};

/// Anneals independent circuits (the segments between optimization boundaries). Each gets its share
/// of the moves, in a chain of its own on every thread; the best chain for each circuit wins, or
/// the one that is followed if it is about as good.
[[nodiscard]] AnnealingResult anneal(const ClassTable& table,
                                     std::span<const std::span<const Operation>> circuits,
                                     std::uint32_t qubits, const AnnealingLimits& limits);

}  // namespace quartz::optimizer
