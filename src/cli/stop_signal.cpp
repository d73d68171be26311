#include "cli/stop_signal.hpp"

#include <pthread.h>

#include <atomic>

namespace quartz::cli {
namespace {

/// Wakes the watcher at the end. The watcher keeps it blocked, so it has no other effect.
constexpr int kWakeSignal = SIGUSR1;

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// Returns the signals that request a stop. SIGHUP is omitted if the parent, such as nohup, ignores
/// it. SIGINT and SIGTERM are always included: shells start background commands with SIGINT
/// ignored, but a SIGINT sent by kill is intended.
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
  // The watcher inherits this mask too, because it may be woken before it has started.
  sigaddset(&blocked, kWakeSignal);
  pthread_sigmask(SIG_BLOCK, &blocked, &previous_mask_);
  watcher_ = std::jthread([this](const std::stop_token& ended) { watch(ended); });
}

StopSignal::~StopSignal() {
  watcher_.request_stop();
  pthread_kill(watcher_.native_handle(), kWakeSignal);
  watcher_.join();
  pthread_sigmask(SIG_SETMASK, &previous_mask_, nullptr);
}

void StopSignal::watch(const std::stop_token& ended) {
  sigset_t awaited = stop_signals();
  sigaddset(&awaited, kWakeSignal);
  int signal = 0;
  while (sigwait(&awaited, &signal) == 0 && signal == kWakeSignal) {
    if (ended.stop_requested()) return;
  }
  source_.request_stop();
  // Once unblocked here, the next signal reaches this thread and has its default effect.
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
