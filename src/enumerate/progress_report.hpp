#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <utility>

#include "quartz/enumerate/generate.hpp"

namespace quartz::enumerate {

/// Passes progress to a callback, from one thread at a time and at most ten times a second.
class ProgressReport {
 public:
  using Clock = std::chrono::steady_clock;

  explicit ProgressReport(std::function<void(const GenerateProgress&)> on_progress)
      : on_progress_(std::move(on_progress)) {}

  /// Calls `change` to update the numbers while the lock is held, then reports them.
  template <typename Change>
  void update(Change change) {
    const std::lock_guard lock(mutex_);
    change(progress_);
    const Clock::time_point now = Clock::now();
    if (!on_progress_ || now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    progress_.seconds = std::chrono::duration<double>(now - start_).count();
    on_progress_(progress_);
  }

 private:
  std::function<void(const GenerateProgress&)> on_progress_;
  std::mutex mutex_;
  GenerateProgress progress_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_;
};

}  // namespace quartz::enumerate
