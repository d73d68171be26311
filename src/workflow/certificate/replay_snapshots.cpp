#include "workflow/certificate/replay_snapshots.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <new>
#include <ranges>

namespace quartz::workflow {
namespace {

/// Most copies, and most operations in all of them: each takes some 200 bytes.
constexpr std::size_t kMostCopies = 16;
constexpr std::size_t kMostOperations = 800'000;
/// Steps between two copies, at least. A copy takes about as long as a step for every four
/// operations.
constexpr std::uint64_t kLeastSpacing = 50'000;
constexpr std::uint64_t kSpacingPerOperation = 8;

}  // namespace

void ReplaySnapshots::set_operations(std::size_t operations) {
  most_copies_ = std::min(kMostCopies, kMostOperations / std::max<std::size_t>(operations, 1));
  spacing_ = std::max(kLeastSpacing, kSpacingPerOperation * operations);
  if (most_copies_ == 0) clear();
  while (copies_.size() > std::max<std::size_t>(most_copies_, 1)) thin_out();
}

std::uint64_t ReplaySnapshots::steps_of_next() const {
  if (most_copies_ == 0) return std::numeric_limits<std::uint64_t>::max();
  return spacing_ + (copies_.empty() ? 0 : copies_.back().steps());
}

void ReplaySnapshots::add(const HistoryReplay& replay) {
  if (replay.has_failed() || replay.steps() < steps_of_next()) return;
  try {
    copies_.emplace_back(replay);
  } catch (const std::bad_alloc&) {
    return;  // a replay from an earlier step does as well
  }
  if (copies_.size() > most_copies_) thin_out();
}

void ReplaySnapshots::thin_out() {
  const std::uint64_t next = steps_of_next();
  auto thinnest = copies_.begin();
  double least = std::numeric_limits<double>::infinity();
  std::uint64_t before = 0;
  for (auto copy = copies_.begin(); std::next(copy) != copies_.end(); ++copy) {
    const auto gap = static_cast<double>(std::next(copy)->steps() - before);
    const double relative = gap / static_cast<double>(next - before);
    if (relative < least) {
      least = relative;
      thinnest = copy;
    }
    before = copy->steps();
  }
  copies_.erase(thinnest);
}

const HistoryReplay* ReplaySnapshots::find(const circuit::HistoryPointer& history) const {
  for (const HistoryReplay& copy : std::views::reverse(copies_)) {
    if (copy.can_continue_to(history)) return &copy;
  }
  return nullptr;
}

void ReplaySnapshots::keep_only(const circuit::HistoryPointer& history) {
  std::erase_if(copies_, [&](const HistoryReplay& copy) { return !copy.can_continue_to(history); });
}

}  // namespace quartz::workflow
