#pragma once

#include <functional>
#include <stop_token>

namespace quartz::python {

/// Runs `work` on a thread of its own, so that Python's other threads go on, and waits for it. In
/// the meantime this thread handles signals and calls `while_waiting` with the GIL, about 50 times
/// per second. Ctrl-C (KeyboardInterrupt) and what `while_waiting` throws request a stop of the
/// work; its end is waited for in any case.
///
/// Returns whether Ctrl-C was pressed. Throws what `while_waiting` or another signal handler threw,
/// or else what the work threw; KeyboardInterrupt if Ctrl-C ended the work without a result.
///
/// The threads that OpenMP keeps for its next parallel region belong to the thread that started
/// them. They end with the work, so that a later fork() of the process does not lose them.
bool call_without_gil(const std::function<void(const std::stop_token&)>& work,
                      const std::function<void()>& while_waiting = {});

/// Does the same with work that has no result if it is stopped: Ctrl-C throws KeyboardInterrupt in
/// any case.
void call_without_gil_or_interrupt(const std::function<void(const std::stop_token&)>& work,
                                   const std::function<void()>& while_waiting = {});

}  // namespace quartz::python
