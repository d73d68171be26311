#include "workflow/certificate/replay_thread.hpp"

#include <utility>

#include "base/processor_time.hpp"

namespace quartz::workflow {

ReplayThread::ReplayThread(RunningReplay& replay) : replay_(replay), thread_([this] { run(); }) {}

ReplayThread::~ReplayThread() {
  {
    const std::lock_guard lock(mutex_);
    waiting_.clear();
  }
  end();
}

void ReplayThread::end() {
  {
    const std::lock_guard lock(mutex_);
    has_all_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void ReplayThread::add(std::string block) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return takes_none_ || waiting_.size() < kMostWaiting; });
    if (takes_none_) return;
    waiting_.push_back(std::move(block));
  }
  changed_.notify_all();
}

ReplayThread::Outcome ReplayThread::finish() {
  end();
  if (error_) std::rethrow_exception(error_);
  return outcome_;
}

bool ReplayThread::take_next(std::string& block) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return has_all_ || !waiting_.empty(); });
    if (waiting_.empty()) return false;
    block = std::move(waiting_.front());
    waiting_.pop_front();
  }
  changed_.notify_all();
  return true;
}

void ReplayThread::replay_all() {
  std::string block;
  while (outcome_.is_proved && take_next(block)) outcome_.is_proved = replay_.replay(block);
}

void ReplayThread::run() {
  const double start = thread_seconds();
  try {
    replay_all();
  } catch (...) {
    error_ = std::current_exception();
  }
  outcome_.seconds = thread_seconds() - start;
  {
    const std::lock_guard lock(mutex_);
    takes_none_ = true;
  }
  changed_.notify_all();
}

}  // namespace quartz::workflow
