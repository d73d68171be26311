#include "optimize/annealing/better_circuits.hpp"

namespace quartz::optimizer {

void BetterCircuits::pass_on_the_way(const AnnealingChain::Best& found, std::size_t circuit,
                                     bool is_best_of_thread) {
  std::vector<circuit::DerivedGates> circuits;
  for (std::size_t i = 0; i < best_.size(); ++i) {
    circuits.push_back(restore_(i == circuit ? &found : nullptr, i));
  }
  on_the_way_(std::move(circuits), is_best_of_thread);
}

void BetterCircuits::collect(std::span<const std::unique_ptr<AnnealingChain>> chains,
                             CircuitsOnTheWay* on_the_way) {
  const std::lock_guard lock(mutex_);
  bool is_better = false;
  for (std::size_t i = 0; i < best_.size(); ++i) {
    if (chains[i] == nullptr) continue;
    const bool is_best = !best_[i] || chains[i]->best_value() < best_[i]->totals.value;
    if (!is_best && on_the_way == nullptr) continue;
    AnnealingChain::Best found = chains[i]->best();
    if (on_the_way != nullptr) {
      for (const AnnealingChain::Best& each : on_the_way->take_up_to(found.history.get())) {
        pass_on_the_way(each, i, false);
      }
    }
    if (!is_best) {
      pass_on_the_way(found, i, true);
      continue;
    }
    best_[i] = std::move(found);
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
