#include "workflow/certificate/certifiable_circuits.hpp"

#include <algorithm>
#include <utility>

namespace quartz::workflow {
namespace {

/// A circuit is superfluous if the steps of its neighbours differ by a smaller factor.
constexpr double kMinSpacing = 1.1;
/// Circuits that are kept in any case: the first, the last, and one between them.
constexpr std::size_t kMinCircuits = 3;
/// Most circuits: each keeps a part of its history.
constexpr std::size_t kMaxCircuits = 32;

}  // namespace

double CertifiableCircuits::spacing(std::size_t earlier, std::size_t later) const {
  const auto own_steps = [&](std::size_t entry) {
    return static_cast<double>(entries_[entry].steps - entries_[0].steps + 1);
  };
  return own_steps(later) / own_steps(earlier);
}

std::size_t CertifiableCircuits::operations() const {
  std::size_t sum = 0;
  for (const CertifiableCircuit& each : entries_) sum += each.operations;
  return sum;
}

void CertifiableCircuits::remove_closest() {
  std::size_t closest = 1;
  for (std::size_t i = 2; i + 1 < entries_.size(); ++i) {
    if (spacing(i - 1, i + 1) < spacing(closest - 1, closest + 1)) closest = i;
  }
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(closest));
}

void CertifiableCircuits::add(CertifiableCircuit found) {
  // A worse circuit with a longer history is of no use.
  while (entries_.size() > 1 && entries_.back().steps >= found.steps) entries_.pop_back();
  if (!entries_.empty() && entries_.front().steps >= found.steps) entries_.clear();
  if (found.number == 0) found.number = last_number_ + 1;
  last_number_ = found.number;
  entries_.push_back(std::move(found));
  if (const std::size_t size = entries_.size();
      size > kMinCircuits && spacing(size - 3, size - 1) < kMinSpacing) {
    entries_.erase(entries_.end() - 2);
  }
  while (entries_.size() > kMinCircuits &&
         (operations() > kMaxOperations || entries_.size() > kMaxCircuits)) {
    remove_closest();
  }
}

std::optional<CertifiableCircuit> CertifiableCircuits::best_within(const Limits& limits) const {
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    const std::uint64_t most = entry->is_set_aside ? limits.steps_if_set_aside : limits.steps;
    if (entry->steps <= most) return *entry;
  }
  return std::nullopt;
}

std::optional<CertifiableCircuit> CertifiableCircuits::first() const {
  const auto found = std::ranges::find(entries_, false, &CertifiableCircuit::is_set_aside);
  if (found == entries_.end()) return std::nullopt;
  return *found;
}

std::optional<CertifiableCircuit> CertifiableCircuits::first_beyond(std::uint64_t steps) const {
  const auto found = std::ranges::find_if(
      entries_, [&](const CertifiableCircuit& each) { return each.steps > steps; });
  if (found == entries_.end()) return std::nullopt;
  return *found;
}

void CertifiableCircuits::set_aside(std::uint64_t number) {
  for (CertifiableCircuit& each : entries_) {
    if (each.number == number) each.is_set_aside = true;
  }
}

void CertifiableCircuits::remove_up_to(std::uint64_t number) {
  std::erase_if(entries_, [&](const CertifiableCircuit& each) { return each.number <= number; });
}

void CertifiableCircuits::remove_beyond(std::uint64_t number, std::uint64_t steps) {
  std::erase_if(entries_, [&](const CertifiableCircuit& each) {
    return each.number == number || each.steps > steps;
  });
}

}  // namespace quartz::workflow
