#include "optimize/annealing/better_circuits.hpp"

#include <algorithm>

namespace quartz::optimizer {
namespace {

/// Returns whether a value is better than another one by more than a fraction of it.
bool is_better_by(double fraction, std::uint64_t value, std::uint64_t than) {
  return static_cast<double>(value) < (1 - fraction) * static_cast<double>(than);
}

}  // namespace

bool BetterCircuits::leads(std::uint64_t value, std::uint64_t thread,
                           const std::optional<Leading>& leading) const {
  if (!leading) return true;
  const std::uint64_t best = leading->circuit.totals.value;
  if (leading->thread == thread || !follows_one_thread()) return value < best;
  return is_better_by(kLead, value, best);
}

std::size_t BetterCircuits::thread_at_end(std::size_t circuit,
                                          std::span<const std::uint64_t> values) const {
  const auto best = static_cast<std::size_t>(std::ranges::min_element(values) - values.begin());
  const std::optional<Leading>& leading = best_[circuit];
  if (!leading || !follows_one_thread()) return best;
  return is_better_by(kLeadAtEnd, values[best], values[leading->thread]) ? best : leading->thread;
}

void BetterCircuits::collect(std::uint64_t thread,
                             std::span<const std::unique_ptr<AnnealingChain>> chains) {
  const std::lock_guard lock(mutex_);
  bool is_better = false;
  for (std::size_t i = 0; i < best_.size(); ++i) {
    if (chains[i] == nullptr) continue;
    if (!leads(chains[i]->best_value(), thread, best_[i])) continue;
    // A certificate that follows the history continues it.
    best_[i] = {follows_one_thread_ ? chains[i]->share_best() : chains[i]->best(), thread};
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
