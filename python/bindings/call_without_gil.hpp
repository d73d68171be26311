#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <stop_token>

namespace quartz::python {

/// Runs `work` on a thread of its own, so that Python's other threads go on, and waits for it. In
/// the meantime this thread handles signals and calls `while_waiting` with the GIL, about 50 times
/// per second. Ctrl-C (KeyboardInterrupt) and what `while_waiting` throws request a stop of the
/// work; its end is waited for in any case.
///
/// Returns whether Ctrl-C was pressed. Throws what `while_waiting` or another signal handler threw,
/// or else what the work threw; and KeyboardInterrupt if Ctrl-C ended the work without a result.
/// When the interpreter shuts down, the call does not return, except on the thread that shuts it
/// down, which gets Stopped.
///
/// The threads that OpenMP keeps for its next parallel region belong to the thread that started
/// them. They end with the work, so that a later fork() of the process does not lose them.
bool call_without_gil(const std::function<void(const std::stop_token&)>& work,
                      const std::function<void()>& while_waiting = {});

/// Does the same with work that has no result if it is stopped: Ctrl-C throws KeyboardInterrupt in
/// any case.
void call_without_gil_or_interrupt(const std::function<void(const std::stop_token&)>& work,
                                   const std::function<void()>& while_waiting = {});

/// Returns whether the interpreter shuts down, so that nobody waits for results any more. May be
/// called from any thread.
[[nodiscard]] bool is_shutting_down() noexcept;

/// Registers what stops the work of daemon threads when the interpreter shuts down, and waits for
/// its end: work must not outlive the variables of the process.
void bind_shutdown(nanobind::module_& module);

}  // namespace quartz::python
