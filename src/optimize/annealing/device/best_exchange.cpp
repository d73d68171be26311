#include "optimize/annealing/device/best_exchange.hpp"

namespace quartz::optimizer {

void BestExchange::exchange(std::size_t circuit, AnnealingChain& chain) {
  const std::lock_guard lock(mutex_);
  std::optional<AnnealingChain::Best>& best = best_[circuit];
  if (!best || chain.best_value() < best->totals.value) {
    best = chain.best();
  } else if (best->totals.value < chain.best_value()) {
    chain.continue_from(*best);
  }
}

}  // namespace quartz::optimizer
