#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

#include "optimize/annealing/annealing_chain.hpp"

namespace quartz::optimizer {

/// Lets threads of annealing, of which one has a device, go on from each other's best circuits.
/// Thread-safe.
class BestExchange {
 public:
  explicit BestExchange(std::size_t circuits) : best_(circuits) {}

  /// Takes the best circuit of a chain if it is the best so far; otherwise, has the chain continue
  /// from the best one if that is better. To be called between sweeps.
  void exchange(std::size_t circuit, AnnealingChain& chain);

 private:
  std::mutex mutex_;
  std::vector<std::optional<AnnealingChain::Best>> best_;  ///< by circuit
};

}  // namespace quartz::optimizer
