#include "cli/memory_limit.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>

#include "cli/memory.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::cli {
namespace {

/// Fraction of the limit at which the search is asked to stop. The rest is for the check and for
/// what the search needs to end.
constexpr double kNearlyFull = 0.7;
constexpr std::chrono::milliseconds kBetweenLooks{20};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kHasSanitizer = true;
#else
constexpr bool kHasSanitizer = false;
#endif

/// Returns the private memory of the process that is in use, in bytes; 0 if it is not known.
std::uint64_t private_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  std::uint64_t shared = 0;
  if (!(file >> size >> resident >> shared)) return 0;
  return (resident - std::min(resident, shared)) * static_cast<std::uint64_t>(::getpagesize());
}

}  // namespace

MemoryLimit::MemoryLimit(double bytes, const std::stop_token& stop)
    : bytes_(static_cast<std::uint64_t>(bytes)), pass_stop_(stop, PassStop{source_}) {
  if (bytes_ == 0) return;
  if (bytes < kMinBytes) {
    throw UsageError(fmt::format("--memory is {}, expected at least {}", bytes_text(bytes),
                                 bytes_text(kMinBytes)));
  }
  watcher_ = std::jthread([this](const std::stop_token& ended) { watch(ended); });
  if (!kHasSanitizer) {
    rlimit limit{};
    ensure(::getrlimit(RLIMIT_DATA, &limit) == 0, "getrlimit reports on this process");
    limit_before_ = limit.rlim_cur;
    limit.rlim_cur = std::min<rlim_t>(bytes_, limit.rlim_max);
    ensure(::setrlimit(RLIMIT_DATA, &limit) == 0, "a process may lower its limits");
  }
}

MemoryLimit::~MemoryLimit() { lift(); }

void MemoryLimit::lift() {
  if (!limit_before_) return;
  rlimit limit{};
  if (::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = *limit_before_;
  (void)::setrlimit(RLIMIT_DATA, &limit);
}

void MemoryLimit::watch(const std::stop_token& ended) {
  std::mutex mutex;
  std::condition_variable_any never;
  while (!ended.stop_requested()) {
    if (static_cast<double>(private_bytes()) > kNearlyFull * static_cast<double>(bytes_)) {
      was_reached_ = true;
      source_.request_stop();
      return;
    }
    std::unique_lock lock(mutex);
    (void)never.wait_for(lock, ended, kBetweenLooks, [] { return false; });
  }
}

double MemoryLimit::at_most(double bytes, double part) const {
  return bytes_ == 0 ? bytes : std::min(bytes, part * static_cast<double>(bytes_));
}

}  // namespace quartz::cli
