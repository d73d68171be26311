#include "python/bindings/call_without_gil.hpp"

#include <cxxabi.h>
#include <nanobind/nanobind.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <exception>
#include <list>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "python/bindings/bindings.hpp"
#include "python/bindings/gil_release.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::python {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{20};

/// Work of this process that is not finished.
struct RunningWork {
  std::stop_source stop;
  pid_t process = 0;  ///< a forked process inherits the list, but not the threads
};

/// The GIL protects the list.
std::list<RunningWork>& running_work() {
  static std::list<RunningWork> list;
  return list;
}

/// The thread that shuts the interpreter down; none before that.
std::atomic<std::thread::id>& shutdown_thread() {
  static std::atomic<std::thread::id> thread;
  return thread;
}

/// Ends the part that a daemon thread has in the process, for which nobody waits any more. Does
/// nothing on the thread that shuts down.
void sleep_if_shutting_down() {
  if (!is_shutting_down() || shutdown_thread().load() == std::this_thread::get_id()) return;
  PyEval_SaveThread();
  while (true) pause();
}

/// The entry of some work in the list. To be created and destroyed with the GIL.
class Registration {
 public:
  explicit Registration(std::stop_source stop) {
    sleep_if_shutting_down();
    if (is_shutting_down()) throw Stopped("the interpreter shuts down");
    place_ = running_work().insert(running_work().end(), {std::move(stop), getpid()});
  }
  ~Registration() { running_work().erase(place_); }
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;

 private:
  std::list<RunningWork>::iterator place_;
};

bool is_work_running() {
  return std::ranges::any_of(running_work(),
                             [](const RunningWork& each) { return each.process == getpid(); });
}

/// Stops all work and waits for its end.
void shut_down() {
  shutdown_thread() = std::this_thread::get_id();
  // What daemon threads hold at the end is not a leak.
  if (nb::cast<int>(nb::module_::import_("threading").attr("active_count")()) > 1) {
    nb::set_leak_warnings(false);
  }
  for (RunningWork& each : running_work()) {
    if (each.process == getpid()) each.stop.request_stop();
  }
  while (is_work_running()) {
    const GilRelease release;
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

/// A thread that runs the work, and whose end can be waited for. It and the threads that it starts
/// receive no signals: Python handles them on its main thread.
class WorkThread {
 public:
  explicit WorkThread(const std::function<void(const std::stop_token&)>& work)
      : registration_(stop_) {
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
    const GilRelease release;
    stop_.request_stop();
    thread_.join();
  }

  void request_stop() { stop_.request_stop(); }
  /// Waits without the GIL for a short time. Returns whether the work has ended.
  [[nodiscard]] bool wait() {
    const GilRelease release;
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
  Registration registration_;
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

GilRelease::~GilRelease() {
  try {
    PyEval_RestoreThread(state_);
  } catch (const abi::__forced_unwind&) {
    while (true) pause();
  }
}

bool is_shutting_down() noexcept { return shutdown_thread().load() != std::thread::id(); }

void bind_shutdown(nb::module_& module) {
  module.def("_shut_down", &shut_down);
  nb::module_::import_("atexit").attr("register")(module.attr("_shut_down"));
}

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
  sleep_if_shutting_down();
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
