// A library to be loaded before all others (LD_PRELOAD) that makes the system misbehave:
//
//   QUARTZ_FAULT_ALLOCATION=N  the Nth allocation of at least 1 KiB fails, and the next two do
//   QUARTZ_FAULT_CLOCK=SEED    every clock jumps now and then, by up to an hour, also backwards
//
// Allocations below 1 KiB are those that the C++ runtime itself makes, for exceptions for example.

#include <dlfcn.h>
#include <time.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

constexpr std::size_t kSmall = 1024;
constexpr std::int64_t kFailures = 3;

std::int64_t number_from(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? -1 : std::atoll(text);
}

bool fails(std::size_t size) {
  static const std::int64_t first = number_from("QUARTZ_FAULT_ALLOCATION");
  static std::atomic<std::int64_t> count{0};
  if (first < 0 || size < kSmall) return false;
  const std::int64_t now = ++count;
  return now >= first && now < first + kFailures;
}

/// Returns the seconds by which the clock is wrong now.
std::int64_t shift_of_clock() {
  static const std::int64_t seed = number_from("QUARTZ_FAULT_CLOCK");
  static std::atomic<std::int64_t> shift{0};
  static std::atomic<std::uint64_t> state{static_cast<std::uint64_t>(seed) * 2 + 1};
  if (seed < 0) return 0;
  const std::uint64_t random = state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  constexpr std::uint64_t every = 1000;
  if ((random >> 33U) % every == 0) {
    shift = static_cast<std::int64_t>((random >> 40U) % 7200) - 3600;
  }
  return shift;
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) {
  if (fails(size)) {
    errno = ENOMEM;
    return nullptr;
  }
  return __libc_malloc(size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  if (fails(size)) {
    errno = ENOMEM;
    return nullptr;
  }
  return __libc_memalign(alignment, size);
}

int clock_gettime(clockid_t clock, struct timespec* time) {
  using Function = int (*)(clockid_t, struct timespec*);
  static const auto real = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "clock_gettime"));
  const int result = real(clock, time);
  time->tv_sec += shift_of_clock();
  return result;
}

}  // extern "C"
