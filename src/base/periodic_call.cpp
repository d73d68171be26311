#include "base/periodic_call.hpp"

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <utility>

namespace quartz {

PeriodicCall::PeriodicCall(std::chrono::milliseconds period, std::function<void()> call,
                           std::optional<std::chrono::milliseconds> first)
    : thread_([period, call = std::move(call),
               pause = first.value_or(period)](const std::stop_token& stop) mutable {
        std::mutex mutex;
        std::condition_variable_any stopped;
        std::unique_lock lock(mutex);
        for (;; pause = period) {
          // Returns early once a stop is requested.
          (void)stopped.wait_for(lock, stop, pause, [&stop] { return stop.stop_requested(); });
          if (stop.stop_requested()) return;
          call();
        }
      }) {}

}  // namespace quartz
