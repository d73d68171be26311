#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "quartz/workflow/superoptimize.hpp"

namespace quartz::workflow {

/// Announces the stages and measures their times.
class StageClock {
 public:
  explicit StageClock(const SuperoptimizeOptions& options) : options_(options) {}

  /// Begins a stage, and reports it with the limit of the check if it is the check.
  void begin(SuperoptimizeStage stage, std::optional<double> check_seconds = {}) {
    end();
    current_ = stage;
    if (!options_.on_progress) return;
    options_.on_progress({.stage = stage, .check_seconds = check_seconds});
  }
  void end() {
    const Clock::time_point now = Clock::now();
    if (current_) {
      times_.push_back(
          {std::string(to_string(*current_)), std::chrono::duration<double>(now - last_).count()});
    }
    last_ = now;
    current_.reset();
  }
  [[nodiscard]] double total_seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }
  [[nodiscard]] std::vector<StageTime> times() const { return times_; }

 private:
  using Clock = std::chrono::steady_clock;

  const SuperoptimizeOptions& options_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  std::optional<SuperoptimizeStage> current_;
  std::vector<StageTime> times_;
};

}  // namespace quartz::workflow
