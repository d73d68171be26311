#include "python/bindings/call_without_gil.hpp"

#include <nanobind/nanobind.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "quartz/base/errors.hpp"

namespace quartz::python {
namespace {

namespace nb = nanobind;

constexpr std::chrono::milliseconds kBetweenLooks{20};

/// A thread that runs the work, and whose end can be waited for. It and the threads that it starts
/// receive no signals: Python handles them on its main thread.
class WorkThread {
 public:
  explicit WorkThread(const std::function<void(const std::stop_token&)>& work) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this, &work] { run(work); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  WorkThread(const WorkThread&) = delete;
  WorkThread& operator=(const WorkThread&) = delete;
  ~WorkThread() {
    const nb::gil_scoped_release release;
    stop_.request_stop();
    thread_.join();
  }

  void request_stop() { stop_.request_stop(); }
  /// Waits without the GIL for a short time. Returns whether the work has ended.
  [[nodiscard]] bool wait() {
    const nb::gil_scoped_release release;
    std::unique_lock lock(mutex_);
    return has_changed_.wait_for(lock, kBetweenLooks, [this] { return has_ended_; });
  }
  /// Returns what the work threw. To be called after its end.
  [[nodiscard]] std::exception_ptr failure() const { return failure_; }

 private:
  void run(const std::function<void(const std::stop_token&)>& work) {
    try {
      work(stop_.get_token());
    } catch (...) {
      failure_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
    has_changed_.notify_one();
  }

  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable has_changed_;
  bool has_ended_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

/// What happened on the calling thread while the work went on.
struct Events {
  bool was_interrupted = false;
  std::optional<nb::python_error> error;  ///< the first one that is not KeyboardInterrupt
};

/// Handles pending signals and calls `while_waiting`. Returns whether the work is to be stopped.
bool handle_events(const std::function<void()>& while_waiting, Events& events) {
  try {
    if (PyErr_CheckSignals() != 0) nb::raise_python_error();
    if (while_waiting && !events.error) while_waiting();
    return false;
  } catch (nb::python_error& error) {
    if (error.matches(PyExc_KeyboardInterrupt)) {
      events.was_interrupted = true;
    } else if (!events.error) {
      events.error.emplace(error);
    }
    return true;
  }
}

[[noreturn]] void raise_keyboard_interrupt() {
  PyErr_SetNone(PyExc_KeyboardInterrupt);
  nb::raise_python_error();
}

}  // namespace

bool call_without_gil(const std::function<void(const std::stop_token&)>& work,
                      const std::function<void()>& while_waiting) {
  Events events;
  std::exception_ptr failure;
  {
    WorkThread thread(work);
    while (!thread.wait()) {
      if (handle_events(while_waiting, events)) thread.request_stop();
    }
    failure = thread.failure();
  }
  if (events.error) throw nb::python_error(*events.error);
  if (!failure) return events.was_interrupted;
  try {
    std::rethrow_exception(failure);
  } catch (const InternalError&) {
    throw;
  } catch (const Error&) {
    if (!events.was_interrupted) throw;
  }
  raise_keyboard_interrupt();
}

void call_without_gil_or_interrupt(const std::function<void(const std::stop_token&)>& work,
                                   const std::function<void()>& while_waiting) {
  if (call_without_gil(work, while_waiting)) raise_keyboard_interrupt();
}

}  // namespace quartz::python
