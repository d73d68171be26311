#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace quartz::cli {

/// While an object exists, the first SIGINT, SIGTERM or SIGHUP requests a stop, so that a search
/// can write its best result; the second one ends the process as usual. A SIGHUP that is ignored at
/// construction, as under nohup, stays ignored. Create the object before any other thread: signals
/// are blocked in the threads that follow and received by a thread that does nothing else, so no
/// code runs inside a signal handler.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  void watch(const std::stop_token& ended);

  std::stop_source source_;
  sigset_t previous_mask_{};
  std::jthread watcher_;  // last, because it uses the other members
};

}  // namespace quartz::cli
