#include "cli/output/timed_progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace quartz::cli {

std::string time_text(double seconds, std::optional<double> limit) {
  if (!limit) return fmt::format("{:.0f} s", std::floor(seconds));
  return fmt::format("{:.0f} s left", std::ceil(std::max(*limit - seconds, 0.0)));
}

std::string timed_progress_text(std::string_view activity, double seconds,
                                std::optional<double> limit) {
  return fmt::format("{}, {}", activity, time_text(seconds, limit));
}

TimedProgress::TimedProgress(ProgressLine& line, std::function<std::string(double seconds)> text,
                             std::chrono::milliseconds first)
    : line_(line) {
  if (!line.is_shown_on_terminal()) return;
  constexpr std::chrono::milliseconds kBetween{200};
  using Clock = std::chrono::steady_clock;
  updates_.emplace(
      kBetween,
      [&line, start = Clock::now(), text = std::move(text)] {
        line.show(text(std::chrono::duration<double>(Clock::now() - start).count()));
      },
      first);
}

TimedProgress::~TimedProgress() {
  if (!updates_) return;
  updates_.reset();
  line_.clear();
}

}  // namespace quartz::cli
