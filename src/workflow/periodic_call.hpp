#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace quartz::workflow {

/// Calls a function again and again, from a thread of its own, until it is destroyed.
class PeriodicCall {
 public:
  /// Waits for the period before each call. The function must not throw.
  PeriodicCall(std::chrono::milliseconds period, std::function<void()> call);

 private:
  std::jthread thread_;
};

}  // namespace quartz::workflow
