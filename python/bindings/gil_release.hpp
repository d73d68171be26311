#pragma once

#include <nanobind/nanobind.h>

namespace quartz::python {

/// Releases the GIL and acquires it again at the end of its scope, like nb::gil_scoped_release.
///
/// When the interpreter shuts down, CPython before 3.14 ends a daemon thread that acquires the GIL
/// by pthread_exit. This unwinds the stack, which no destructor permits: the process would
/// terminate. The thread sleeps instead until the process ends, as in CPython 3.14 and later.
class GilRelease {
 public:
  GilRelease() : state_(PyEval_SaveThread()) {}
  ~GilRelease();
  GilRelease(const GilRelease&) = delete;
  GilRelease& operator=(const GilRelease&) = delete;

 private:
  PyThreadState* state_;
};

}  // namespace quartz::python
