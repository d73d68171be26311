#include "cli/output/timed_progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <mutex>
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
  thread_ = std::jthread([&line, first, text = std::move(text)](const std::stop_token& stop) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds between{200};
    const Clock::time_point start = Clock::now();
    std::mutex mutex;
    std::condition_variable_any never;
    for (auto pause = first; !stop.stop_requested(); pause = between) {
      std::unique_lock lock(mutex);
      (void)never.wait_for(lock, stop, pause, [] { return false; });
      if (stop.stop_requested()) return;
      line.show(text(std::chrono::duration<double>(Clock::now() - start).count()));
    }
  });
}

TimedProgress::~TimedProgress() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
  line_.clear();
}

}  // namespace quartz::cli
