#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace quartz::cli {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP requests a stop, so that a search can write
/// the best it has; the second one ends the process as usual. A SIGHUP that is ignored when this is
/// made, as under nohup, stays ignored. Make it before any other thread: signals are blocked in the
/// threads that follow and taken by one that does nothing else, so no code ever runs inside a
/// signal handler.
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
  std::jthread watcher_;  // last: it uses the others
};

}  // namespace quartz::cli
