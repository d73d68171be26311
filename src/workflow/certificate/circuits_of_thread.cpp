#include "workflow/certificate/circuits_of_thread.hpp"

#include <algorithm>
#include <utility>

namespace quartz::workflow {

std::size_t CircuitsOfThread::operations() const {
  std::size_t sum = 0;
  for (const CertifiableCircuit& each : entries_) sum += each.operations;
  return sum;
}

void CircuitsOfThread::add(CertifiableCircuit found, std::size_t most_operations) {
  if (found.steps != 0) remove_beyond(found.steps - 1);
  const std::size_t size = entries_.size();
  // The last one is always kept; it was not far enough from the one before.
  if (size > 1 && entries_[size - 1].steps - entries_[size - 2].steps < spacing_) {
    entries_.pop_back();
  }
  entries_.push_back(std::move(found));
  while (entries_.size() > 2 && operations() > most_operations) remove_closest();
}

void CircuitsOfThread::remove_closest() {
  const auto distance = [&](std::size_t entry) {
    return entries_[entry + 1].steps - (entry == 0 ? first_steps_ : entries_[entry - 1].steps);
  };
  std::size_t closest = 0;
  for (std::size_t i = 1; i + 1 < entries_.size(); ++i) {
    if (distance(i) < distance(closest)) closest = i;
  }
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(closest));
}

std::optional<CertifiableCircuit> CircuitsOfThread::next(std::uint64_t steps,
                                                         std::uint64_t stretch) const {
  const auto behind = std::ranges::upper_bound(entries_, steps, {}, &CertifiableCircuit::steps);
  if (behind == entries_.end()) return std::nullopt;
  const auto end =
      std::ranges::upper_bound(entries_, steps + stretch, {}, &CertifiableCircuit::steps);
  return behind == end ? *behind : *(end - 1);
}

void CircuitsOfThread::remove_up_to(std::uint64_t steps) {
  first_steps_ = std::max(first_steps_, steps);
  std::erase_if(entries_, [&](const CertifiableCircuit& each) { return each.steps <= steps; });
}

void CircuitsOfThread::remove_beyond(std::uint64_t steps) {
  first_steps_ = std::min(first_steps_, steps);
  std::erase_if(entries_, [&](const CertifiableCircuit& each) { return each.steps > steps; });
}

}  // namespace quartz::workflow
