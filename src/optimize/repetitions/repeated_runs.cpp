#include "optimize/repetitions/repeated_runs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>
#include <utility>

namespace quartz::optimizer {
namespace {

/// Lengths of windows. Shorter ones find runs in few gates, longer ones periods in which shorter
/// windows occur several times.
constexpr std::array<std::size_t, 3> kWindows{8, 32, 256};
/// Periods that are tried for each length: those between most windows and the last equal ones.
constexpr std::size_t kPeriodsOfWindow = 8;
constexpr std::size_t kMinCopies = 3;
/// Items that a period must save in all its runs.
constexpr std::size_t kMinSaved = 32;
/// Different periods in one list, at most.
constexpr std::size_t kMaxPeriods = 16;

/// Entries of the table of windows, at most: it forgets the windows of longer lists.
constexpr std::size_t kMaxRememberedWindows = std::size_t{1} << 20U;

constexpr std::uint64_t kWindowHashMultiplier = 0x9e3779b97f4a7c15U;

std::uint64_t mixed(std::uint64_t value) {
  value = (value + 1) * kWindowHashMultiplier;
  return value ^ (value >> 29U);
}

/// Where windows with the same hash were last.
class LastWindows {
 public:
  explicit LastWindows(std::size_t items)
      : entries_(std::bit_ceil(std::min(items, kMaxRememberedWindows) + 1)) {}

  /// Returns how far before this place the last window with this hash was; 0 if there was none.
  std::size_t distance_to_last(std::uint64_t hash, std::size_t place) {
    Entry& entry = entries_[mixed(hash) & (entries_.size() - 1)];
    const std::size_t distance = entry.hash == hash && entry.next != 0 ? place + 1 - entry.next : 0;
    entry = {hash, place + 1};
    return distance;
  }

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::size_t next = 0;  ///< place plus 1; 0 if there is none
  };
  std::vector<Entry> entries_;
};

/// Adds the periods that occur most between equal windows of a length.
void add_periods(std::span<const std::uint32_t> items, std::size_t window,
                 std::vector<std::size_t>& periods) {
  if (items.size() < kMinCopies * window) return;
  std::uint64_t highest_power = 1;  // the factor of the item that leaves the window
  for (std::size_t i = 0; i < window; ++i) highest_power *= kWindowHashMultiplier;
  LastWindows last(items.size());
  std::unordered_map<std::size_t, std::size_t> counts;
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    hash = hash * kWindowHashMultiplier + mixed(items[i]);
    if (i >= window) hash -= highest_power * mixed(items[i - window]);
    if (i + 1 < window) continue;
    if (const std::size_t distance = last.distance_to_last(hash, i); distance != 0) {
      ++counts[distance];
    }
  }
  std::vector<std::pair<std::size_t, std::size_t>> sorted(counts.begin(), counts.end());
  const auto more = [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  };
  const std::size_t taken = std::min(kPeriodsOfWindow, sorted.size());
  std::ranges::partial_sort(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(taken), more);
  for (std::size_t i = 0; i < taken; ++i) {
    if (std::ranges::find(periods, sorted[i].first) == periods.end()) {
      periods.push_back(sorted[i].first);
    }
  }
}

/// Returns the runs with a period outside of the parts that are taken.
std::vector<RepeatedRun> runs_with(std::size_t period, std::span<const std::uint32_t> items,
                                   const std::vector<bool>& is_taken) {
  std::vector<RepeatedRun> runs;
  std::size_t first = 0;
  const auto end_run = [&](std::size_t end) {
    if (end - first < kMinCopies * period) return false;
    runs.push_back({first, end - first, period});
    return true;
  };
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (is_taken[i]) {
      end_run(i);
      first = i + 1;
    } else if (i >= first + period && items[i] != items[i - period]) {
      // The items before this one may begin the next run, unless they are those of a run already.
      first = end_run(i) ? i : i + 1 - period;
    }
  }
  end_run(items.size());
  return runs;
}

std::size_t saved_by(std::span<const RepeatedRun> runs) {
  std::size_t saved = 0;
  for (const RepeatedRun& run : runs) saved += run.size - run.period;
  return saved;
}

}  // namespace

std::vector<RepeatedRun> find_repeated_runs(std::span<const std::uint32_t> items) {
  std::vector<std::size_t> periods;
  for (const std::size_t window : kWindows) add_periods(items, window, periods);
  std::vector<RepeatedRun> found;
  std::vector<bool> is_taken(items.size(), false);
  for (std::size_t i = 0; i < kMaxPeriods; ++i) {
    std::vector<RepeatedRun> best;
    for (const std::size_t period : periods) {
      std::vector<RepeatedRun> runs = runs_with(period, items, is_taken);
      if (saved_by(runs) > saved_by(best)) best = std::move(runs);
    }
    if (saved_by(best) < kMinSaved) break;
    for (const RepeatedRun& run : best) {
      std::fill_n(is_taken.begin() + static_cast<std::ptrdiff_t>(run.first), run.size, true);
      found.push_back(run);
    }
  }
  std::ranges::sort(found, {}, &RepeatedRun::first);
  return found;
}

}  // namespace quartz::optimizer
