#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

#include "optimize/annealing/annealing_chain.hpp"

namespace quartz::optimizer {

/// Lets the thread of annealing that has a device go on from the best circuits of other threads.
/// These do not go on from each other's circuits, so that they stay different. Thread-safe.
class BestExchange {
 public:
  explicit BestExchange(std::size_t circuits) : best_(circuits) {}

  /// Takes the best circuit of a chain if it is the best so far. To be called between sweeps.
  void offer(std::size_t circuit, const AnnealingChain& chain);
  /// Has a chain continue from the best circuit so far if that is clearly better than its own. To
  /// be called between sweeps.
  void improve(std::size_t circuit, AnnealingChain& chain);

 private:
  std::mutex mutex_;
  std::vector<std::optional<AnnealingChain::Best>> best_;  ///< by circuit
};

}  // namespace quartz::optimizer
