#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <utility>

namespace quartz {

/// Limits on what a search or a check may use: a deadline or a number of ticks, memory, and a
/// request to stop.
///
/// A tick is a unit of work that is counted instead of timed. A budget in ticks has no deadline, so
/// the work done within it does not depend on the speed of the machine. Copies and shares of a
/// budget in ticks share one counter: ticks spent by one of them are spent for all.
class Budget {
 public:
  using Clock = std::chrono::steady_clock;

  /// A quantity of time and ticks.
  struct Amount {
    double seconds = 0;
    std::uint64_t ticks = 0;

    [[nodiscard]] Amount times(double part) const {
      return {part * seconds, static_cast<std::uint64_t>(part * static_cast<double>(ticks))};
    }
  };

  /// Creates a budget without limits, except on memory.
  Budget() = default;
  /// Returns a budget in time, without a deadline if `seconds` is 10^9 (30 years) or more.
  [[nodiscard]] static Budget of_seconds(double seconds, std::stop_token stop = {}) {
    Budget budget;
    if (seconds < kMaxSeconds) budget.deadline = Clock::now() + duration_of(seconds);
    budget.stop = std::move(stop);
    return budget;
  }
  [[nodiscard]] static Budget of_ticks(std::uint64_t ticks, std::stop_token stop = {}) {
    Budget budget;
    budget.spent_ticks_ = std::make_shared<std::atomic<std::uint64_t>>(0);
    budget.last_tick_ = ticks;
    budget.stop = std::move(stop);
    return budget;
  }

  [[nodiscard]] bool counts_ticks() const { return spent_ticks_ != nullptr; }
  [[nodiscard]] bool has_deadline() const { return deadline != Clock::time_point::max(); }
  [[nodiscard]] bool spent() const { return stop.stop_requested() || is_over(); }
  /// Returns whether the time or the ticks are used up.
  [[nodiscard]] bool is_over() const {
    return counts_ticks() ? ticks_left() == 0 : has_deadline() && Clock::now() >= deadline;
  }
  /// Returns whether the time has been used up for at least some seconds.
  [[nodiscard]] bool is_over_for(double seconds) const {
    return !counts_ticks() && has_deadline() && Clock::now() - duration_of(seconds) >= deadline;
  }
  /// Returns the time left, which is never negative; 0 for a budget in ticks.
  [[nodiscard]] double seconds_left() const {
    if (counts_ticks()) return 0;
    return std::max(0.0, std::chrono::duration<double>(deadline - Clock::now()).count());
  }
  /// Returns the ticks left; 0 for a budget in time.
  [[nodiscard]] std::uint64_t ticks_left() const {
    if (!counts_ticks()) return 0;
    const std::uint64_t spent = spent_ticks_->load();
    return last_tick_ > spent ? last_tick_ - spent : 0;
  }
  [[nodiscard]] Amount left() const { return {seconds_left(), ticks_left()}; }

  /// Counts ticks as spent; does nothing for a budget in time.
  void spend(std::uint64_t ticks) const {
    if (counts_ticks()) spent_ticks_->fetch_add(ticks);
  }

  /// Returns this budget limited to an amount from now on, with at least one tick.
  [[nodiscard]] Budget limited_to(const Amount& amount) const {
    Budget result = *this;
    if (counts_ticks()) {
      const std::uint64_t ticks = std::min(std::max<std::uint64_t>(amount.ticks, 1), ticks_left());
      result.last_tick_ = spent_ticks_->load() + ticks;
    } else if (has_deadline()) {
      const double seconds = std::min(std::max(amount.seconds, 0.0), kMaxSeconds);
      result.deadline = std::min(deadline, Clock::now() + duration_of(seconds));
    }
    return result;
  }
  /// Returns this budget limited to a part of what is left.
  [[nodiscard]] Budget share(double part) const { return limited_to(left().times(part)); }
  /// Returns this budget with a deadline that is earlier by some seconds.
  [[nodiscard]] Budget ended_earlier(double seconds) const {
    Budget result = *this;
    if (has_deadline()) result.deadline -= duration_of(seconds);
    return result;
  }
  /// Returns this budget without limits on time and ticks: only a request to stop ends it.
  [[nodiscard]] Budget until_stopped() const {
    Budget result;
    result.memory_bytes = memory_bytes;
    result.stop = stop;
    return result;
  }

  Clock::time_point deadline = Clock::time_point::max();
  double memory_bytes = 4e9;
  std::stop_token stop;

 private:
  /// The clock does not overflow for durations up to this bound.
  static constexpr double kMaxSeconds = 1e9;

  [[nodiscard]] static Clock::duration duration_of(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  std::shared_ptr<std::atomic<std::uint64_t>> spent_ticks_;  ///< null for a budget in time
  std::uint64_t last_tick_ = 0;
};

}  // namespace quartz
