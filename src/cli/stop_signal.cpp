#include "cli/stop_signal.hpp"

#include <pthread.h>

#include <atomic>

namespace quartz::cli {
namespace {

/// Wakes the watcher at the end; never unblocked in it, so it can do no harm.
constexpr int wake_signal = SIGUSR1;

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// Without SIGHUP if the parent, such as nohup, has it ignored. SIGINT and SIGTERM are taken in any
/// case: shells start background commands with SIGINT ignored, and whoever sends it with kill means
/// it.
sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  if (!is_ignored(SIGHUP)) sigaddset(&set, SIGHUP);
  return set;
}

}  // namespace

StopSignal::StopSignal() {
  sigset_t blocked = stop_signals();
  // The watcher inherits this too: it may be woken before it has run at all.
  sigaddset(&blocked, wake_signal);
  pthread_sigmask(SIG_BLOCK, &blocked, &previous_mask_);
  watcher_ = std::jthread([this](const std::stop_token& ended) { watch(ended); });
}

StopSignal::~StopSignal() {
  watcher_.request_stop();
  pthread_kill(watcher_.native_handle(), wake_signal);
  watcher_.join();
  pthread_sigmask(SIG_SETMASK, &previous_mask_, nullptr);
}

void StopSignal::watch(const std::stop_token& ended) {
  sigset_t awaited = stop_signals();
  sigaddset(&awaited, wake_signal);
  int signal = 0;
  while (sigwait(&awaited, &signal) == 0 && signal == wake_signal) {
    if (ended.stop_requested()) return;
  }
  source_.request_stop();
  // Unblocked here, the next one finds this thread and does what the signal does by default.
  const sigset_t unblocked = stop_signals();
  pthread_sigmask(SIG_UNBLOCK, &unblocked, nullptr);
  std::atomic<bool> over = false;
  const std::stop_callback on_end(ended, [&over] {
    over = true;
    over.notify_one();
  });
  over.wait(false);
}

}  // namespace quartz::cli
