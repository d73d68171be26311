#pragma once

#include <algorithm>
#include <chrono>
#include <utility>

namespace quartz {

/// Says when a thread should interrupt its work for something that is wanted now and then, such as
/// forming the best result so far: at intervals, and in a twentieth of the time at most.
class Pace {
 public:
  using Clock = std::chrono::steady_clock;

  /// The first time is one interval from now.
  explicit Pace(std::chrono::milliseconds interval)
      : interval_(interval), next_(Clock::now() + interval) {}

  [[nodiscard]] bool is_due() const { return Clock::now() >= next_; }
  /// Returns the longest time that the work has taken; zero before the first time.
  [[nodiscard]] std::chrono::duration<double> longest() const { return longest_; }
  /// Runs the work and sets the next time.
  template <typename Work>
  void run(Work&& work) {
    constexpr int kLeastRest = 20;  // in units of the time of the work
    const Clock::time_point start = Clock::now();
    std::forward<Work>(work)();
    const Clock::time_point end = Clock::now();
    longest_ = std::max(longest_, end - start);
    next_ = end + std::max<Clock::duration>(interval_, kLeastRest * (end - start));
  }

 private:
  std::chrono::milliseconds interval_;
  Clock::time_point next_;
  Clock::duration longest_{};
};

}  // namespace quartz
