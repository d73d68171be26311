#include "workflow/periodic_call.hpp"

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <utility>

namespace quartz::workflow {

PeriodicCall::PeriodicCall(std::chrono::milliseconds period, std::function<void()> call)
    : thread_([period, call = std::move(call)](const std::stop_token& stop) {
        std::mutex mutex;
        std::condition_variable_any stopped;
        std::unique_lock lock(mutex);
        for (;;) {
          // Returns early once a stop is requested.
          (void)stopped.wait_for(lock, stop, period, [&stop] { return stop.stop_requested(); });
          if (stop.stop_requested()) return;
          call();
        }
      }) {}

}  // namespace quartz::workflow
