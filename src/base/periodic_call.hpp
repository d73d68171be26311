#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <thread>

namespace quartz {

/// Calls a function again and again, from a thread of its own, until it is destroyed.
class PeriodicCall {
 public:
  /// Waits for the period before each call, and for `first` before the first one if that is given.
  /// The function must not throw.
  PeriodicCall(std::chrono::milliseconds period, std::function<void()> call,
               std::optional<std::chrono::milliseconds> first = {});

 private:
  std::jthread thread_;
};

}  // namespace quartz
