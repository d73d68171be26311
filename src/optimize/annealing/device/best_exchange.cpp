#include "optimize/annealing/device/best_exchange.hpp"

namespace quartz::optimizer {

namespace {

/// Fraction of its value by which a chain must be worse than the best one to go on from there.
constexpr double kBehind = 0.005;

}  // namespace

void BestExchange::offer(std::size_t circuit, const AnnealingChain& chain) {
  const std::lock_guard lock(mutex_);
  std::optional<AnnealingChain::Best>& best = best_[circuit];
  if (!best || chain.best_value() < best->totals.value) best = chain.best();
}

void BestExchange::improve(std::size_t circuit, AnnealingChain& chain) {
  const std::lock_guard lock(mutex_);
  const std::optional<AnnealingChain::Best>& best = best_[circuit];
  if (!best) return;
  const double behind = (1 - kBehind) * static_cast<double>(chain.best_value());
  if (static_cast<double>(best->totals.value) < behind) chain.continue_from(*best);
}

}  // namespace quartz::optimizer
