#include "workflow/certifiable_circuits.hpp"

#include <algorithm>
#include <utility>

namespace quartz::workflow {
namespace {

/// A circuit is superfluous if the steps of its neighbours differ by a smaller factor.
constexpr double kMinSpacing = 1.4;
/// Circuits that are kept in any case: the first, the last, and one between them.
constexpr std::size_t kMinCircuits = 3;

}  // namespace

double replay_seconds(std::size_t operations, std::uint64_t steps) {
  constexpr double of_step = 1.3e-6;
  constexpr double of_operation = 1e-6;
  return of_step * static_cast<double>(steps) + of_operation * static_cast<double>(operations);
}

double CertifiableCircuits::spacing(std::size_t earlier, std::size_t later) const {
  const auto own_steps = [&](std::size_t entry) {
    return static_cast<double>(entries_[entry].steps - entries_[0].steps + 1);
  };
  return own_steps(later) / own_steps(earlier);
}

void CertifiableCircuits::remove_closest() {
  std::size_t closest = 1;
  for (std::size_t i = 2; i + 1 < entries_.size(); ++i) {
    if (spacing(i - 1, i + 1) < spacing(closest - 1, closest + 1)) closest = i;
  }
  operations_ -= entries_[closest].operations;
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(closest));
}

void CertifiableCircuits::add(CertifiableCircuit found) {
  const std::lock_guard lock(mutex_);
  // A worse circuit with a longer history is of no use.
  while (entries_.size() > 1 && entries_.back().steps >= found.steps) {
    operations_ -= entries_.back().operations;
    entries_.pop_back();
  }
  operations_ += found.operations;
  entries_.push_back(std::move(found));
  if (const std::size_t size = entries_.size();
      size > kMinCircuits && spacing(size - 3, size - 1) < kMinSpacing) {
    operations_ -= entries_[size - 2].operations;
    entries_.erase(entries_.end() - 2);
  }
  while (operations_ > kMaxOperations && entries_.size() > kMinCircuits) remove_closest();
}

std::optional<CertifiableCircuit> CertifiableCircuits::best_within(double seconds,
                                                                   std::size_t operations,
                                                                   std::uint64_t most_steps) const {
  const std::lock_guard lock(mutex_);
  const auto estimate = [&](const CertifiableCircuit& entry) {
    return replay_seconds(operations + entry.operations, entry.steps);
  };
  if (entries_.empty() || entries_.front().steps > most_steps) return std::nullopt;
  const double limit = std::max(seconds, kHardlyLonger * estimate(entries_.front()));
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    if (entry->steps <= most_steps && estimate(*entry) <= limit) return *entry;
  }
  return entries_.front();
}

}  // namespace quartz::workflow
