#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/periodic_call.hpp"
#include "cli/output/progress_line.hpp"

namespace quartz::cli {

/// Returns the whole seconds left until a limit or, without one, so far: "7 s left" or "12 s".
[[nodiscard]] std::string time_text(double seconds, std::optional<double> limit);

/// Returns what a progress line says about work that reports nothing itself, as in
/// "comparing the circuits, 48 s left".
[[nodiscard]] std::string timed_progress_text(std::string_view activity, double seconds,
                                              std::optional<double> limit);

/// Updates a progress line during work that reports nothing itself: from the end of the first
/// second on, and until the object is destroyed, which erases the line. Nothing else may use the
/// line meanwhile.
class TimedProgress {
 public:
  /// `text` returns what the line says after a number of seconds. It is called on another thread.
  TimedProgress(ProgressLine& line, std::function<std::string(double seconds)> text,
                std::chrono::milliseconds first = std::chrono::seconds(1));
  ~TimedProgress();
  TimedProgress(const TimedProgress&) = delete;
  TimedProgress& operator=(const TimedProgress&) = delete;

 private:
  ProgressLine& line_;
  std::optional<PeriodicCall> updates_;  ///< empty without a terminal
};

}  // namespace quartz::cli
