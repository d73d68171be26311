#include "quartz/base/parallel_for.hpp"

#include <omp.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <latch>
#include <limits>
#include <mutex>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "quartz/base/errors.hpp"

namespace quartz {
namespace {

/// The exception of the first iteration that threw one. No exception may leave a parallel region.
class FirstFailure {
 public:
  /// Runs an iteration, and keeps its exception if it throws. Does nothing after the failure of an
  /// earlier iteration.
  template <typename Iteration>
  void guard(std::int64_t index, const Iteration& iteration) {
    if (index > index_) return;
    try {
      iteration();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (index > index_) return;
      index_ = index;
      exception_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr exception_;
  std::atomic<std::int64_t> index_ = std::numeric_limits<std::int64_t>::max();
};

/// Returns the number of threads that can run at the same time besides the calling one, at most
/// `threads`.
std::int64_t creatable_threads(std::int64_t threads) {
  std::latch all_created(1);
  std::vector<std::jthread> created;
  try {
    created.reserve(static_cast<std::size_t>(threads));
    while (static_cast<std::int64_t>(created.size()) < threads) {
      created.emplace_back([&] { all_created.wait(); });
    }
  } catch (const std::system_error&) {
    // There is no memory for the stack of another thread.
  } catch (const std::bad_alloc&) {
  }
  all_created.count_down();
  return static_cast<std::int64_t>(created.size());
}

/// Returns whether the memory of the process has a limit, which the stacks of threads may exceed.
bool has_memory_limit() {
  rlimit data{};
  rlimit all{};
  return ::getrlimit(RLIMIT_DATA, &data) != 0 || ::getrlimit(RLIMIT_AS, &all) != 0 ||
         data.rlim_cur != RLIM_INFINITY || all.rlim_cur != RLIM_INFINITY;
}

/// Returns how many threads the next team can have: OpenMP ends the program if it cannot create
/// one. It keeps the last team of each calling thread.
std::int64_t available_threads(std::int64_t wanted) {
  thread_local std::int64_t last = 1;
  if (omp_in_parallel() != 0) return wanted;
  if (wanted > last && has_memory_limit()) wanted = last + creatable_threads(wanted - last);
  last = wanted;
  return wanted;
}

/// Returns whether the calling thread had a team before a fork. OpenMP keeps the team of each
/// calling thread; in a child, such as a process of Python's executors, the calling thread is the
/// only one, and would wait for the others forever.
bool has_lost_team() {
  thread_local pid_t process_of_team = 0;
  const pid_t process = ::getpid();
  if (process_of_team == 0) process_of_team = process;
  return process_of_team != process;
}

/// Returns the number of threads for some iterations; with one, OpenMP is not needed.
int team_size(std::int64_t threads, std::int64_t iterations) {
  const std::int64_t wanted =
      std::clamp<std::int64_t>(threads, 1, std::max<std::int64_t>(iterations, 1));
  return wanted == 1 || has_lost_team() ? 1 : static_cast<int>(available_threads(wanted));
}

}  // namespace

unsigned thread_count(unsigned option) {
  if (option > kMaxThreads) {
    throw UsageError("the number of threads is " + std::to_string(option) + ", expected at most " +
                     std::to_string(kMaxThreads));
  }
  if (option != 0) return option;
  return std::clamp(static_cast<unsigned>(std::max(1, omp_get_max_threads())), 1U, kMaxThreads);
}

void parallel_for(unsigned threads, std::size_t count, std::size_t grain,
                  const std::function<void(unsigned, std::size_t, std::size_t)>& body) {
  const auto chunks = static_cast<std::int64_t>((count + grain - 1) / grain);
  FirstFailure failure;
  const auto run = [&](std::int64_t i, unsigned worker) {
    failure.guard(i, [&] {
      const std::size_t begin = static_cast<std::size_t>(i) * grain;
      body(worker, begin, std::min(count, begin + grain));
    });
  };
  if (const int size = team_size(threads, chunks); size == 1) {
    for (std::int64_t i = 0; i < chunks; ++i) run(i, 0);
  } else {
#pragma omp parallel for num_threads(size) schedule(monotonic : dynamic, 1)
    for (std::int64_t i = 0; i < chunks; ++i) run(i, static_cast<unsigned>(omp_get_thread_num()));
  }
  failure.rethrow();
}

void on_threads(std::size_t count, const std::function<void(std::size_t)>& body) {
  const auto last = static_cast<std::int64_t>(count);
  FirstFailure failure;
  const auto run = [&](std::int64_t i) {
    failure.guard(i, [&] { body(static_cast<std::size_t>(i)); });
  };
  if (const int size = team_size(last, last); size == 1) {
    for (std::int64_t i = 0; i < last; ++i) run(i);
  } else {
#pragma omp parallel for num_threads(size) schedule(static, 1)
    for (std::int64_t i = 0; i < last; ++i) run(i);
  }
  failure.rethrow();
}

}  // namespace quartz
