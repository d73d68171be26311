#pragma once

#include <algorithm>
#include <chrono>
#include <utility>

namespace quartz {

/// Says when a thread should interrupt its work for something that is wanted now and then, such as
/// forming the best result so far: at intervals, and in a small part of the time.
class Pace {
 public:
  using Clock = std::chrono::steady_clock;
  /// Least time between two interruptions, in units of the time that one takes: for what is wanted
  /// soon, and for what is only wanted in case something else fails.
  static constexpr int kShortRest = 20;
  static constexpr int kLongRest = 100;

  /// The first time is one interval from now.
  explicit Pace(std::chrono::milliseconds interval)
      : interval_(interval), next_(Clock::now() + interval) {}

  [[nodiscard]] bool is_due() const { return Clock::now() >= next_; }
  /// Returns the longest time that the work has taken; zero before the first time.
  [[nodiscard]] std::chrono::duration<double> longest() const { return longest_; }
  /// Runs the work and sets the next time.
  template <typename Work>
  void run(Work&& work, int least_rest = kShortRest) {
    const Clock::time_point start = Clock::now();
    std::forward<Work>(work)();
    const Clock::time_point end = Clock::now();
    longest_ = std::max(longest_, end - start);
    next_ = end + std::max<Clock::duration>(interval_, least_rest * (end - start));
  }

 private:
  std::chrono::milliseconds interval_;
  Clock::time_point next_;
  Clock::duration longest_{};
};

}  // namespace quartz
