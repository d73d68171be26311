#include "base/processor_time.hpp"

#include <ctime>

namespace quartz {
namespace {

double seconds_by(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

double thread_seconds() { return seconds_by(CLOCK_THREAD_CPUTIME_ID); }
double process_seconds() { return seconds_by(CLOCK_PROCESS_CPUTIME_ID); }

}  // namespace quartz
