#include "optimize/annealing/better_circuits.hpp"

namespace quartz::optimizer {

bool BetterCircuits::leads(std::uint64_t value, std::uint64_t thread,
                           const std::optional<Leading>& leading) const {
  if (!leading) return true;
  const std::uint64_t best = leading->circuit.totals.value;
  if (leading->thread == thread) return value < best;
  return static_cast<double>(value) < (1 - lead_) * static_cast<double>(best);
}

void BetterCircuits::collect(std::uint64_t thread,
                             std::span<const std::unique_ptr<AnnealingChain>> chains) {
  const std::lock_guard lock(mutex_);
  bool is_better = false;
  for (std::size_t i = 0; i < best_.size(); ++i) {
    if (chains[i] == nullptr) continue;
    if (!leads(chains[i]->best_value(), thread, best_[i])) continue;
    best_[i] = {chains[i]->best(), thread};
    is_better = true;
  }
  if (!is_better) return;
  std::vector<circuit::DerivedGates> circuits;
  for (std::size_t i = 0; i < best_.size(); ++i) {
    circuits.push_back(restore_(best_[i] ? &best_[i]->circuit : nullptr, i));
  }
  on_better_(std::move(circuits));
}

}  // namespace quartz::optimizer
