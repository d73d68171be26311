#include "optimize/annealing/better_circuits.hpp"

namespace quartz::optimizer {

void BetterCircuits::collect(std::span<const std::unique_ptr<AnnealingChain>> chains) {
  const std::lock_guard lock(mutex_);
  bool is_better = false;
  for (std::size_t i = 0; i < best_.size(); ++i) {
    if (chains[i] == nullptr) continue;
    if (best_[i] && chains[i]->best_value() >= best_[i]->totals.value) continue;
    best_[i] = chains[i]->best();
    is_better = true;
  }
  if (!is_better) return;
  std::vector<circuit::DerivedGates> circuits;
  for (std::size_t i = 0; i < best_.size(); ++i) {
    circuits.push_back(restore_(best_[i] ? &*best_[i] : nullptr, i));
  }
  on_better_(std::move(circuits));
}

}  // namespace quartz::optimizer
