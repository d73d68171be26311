#include "workflow/certifiable_circuits.hpp"

#include <utility>

namespace quartz::workflow {

double replay_seconds(const Circuit& input, const Circuit& circuit,
                      const circuit::History* history) {
  constexpr double of_rewrite = 1.3e-6;
  constexpr double of_operation = 4e-6;
  const std::size_t operations = input.operations.size() + circuit.operations.size();
  return of_rewrite * static_cast<double>(circuit::steps_of(history)) +
         of_operation * static_cast<double>(operations);
}

void CertifiableCircuits::add(FoundCircuit found) {
  const std::uint64_t steps = circuit::steps_of(found.history.get());
  const std::lock_guard lock(mutex_);
  entries_.push_back({std::move(found), steps});
  // The last circuit but one is superfluous if its neighbours are close; with too many operations,
  // the first circuits are the least useful ones.
  if (const std::size_t size = entries_.size(); size >= 3) {
    const double most = kSpacing * static_cast<double>(entries_[size - 3].steps);
    if (static_cast<double>(entries_[size - 1].steps) < most) entries_.erase(entries_.end() - 2);
  }
  std::size_t operations = 0;
  for (const Entry& entry : entries_) operations += entry.found.circuit.operations.size();
  while (operations > kMaxOperations && entries_.size() > 2) {
    operations -= entries_[1].found.circuit.operations.size();
    entries_.erase(entries_.begin() + 1);
  }
}

std::optional<FoundCircuit> CertifiableCircuits::best_within(double seconds, const Circuit& input,
                                                             std::uint64_t most_steps) const {
  const std::lock_guard lock(mutex_);
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    const FoundCircuit& found = entry->found;
    if (entry->steps > most_steps) continue;
    if (replay_seconds(input, found.circuit, found.history.get()) <= seconds) return found;
  }
  if (entries_.empty() || entries_.front().steps > most_steps) return std::nullopt;
  return entries_.front().found;
}

}  // namespace quartz::workflow
