#pragma once

#include <cstddef>
#include <functional>

/// Parallel loops, with OpenMP. Inside a parallel region of the caller they use one thread, as is
/// usual with OpenMP. They use fewer threads than asked for if the system cannot create as many,
/// for lack of memory, and one in a child of fork() whose calling thread had run such loops before.
namespace quartz {

/// The greatest number of threads. More are a typing error: each needs memory for its own search.
inline constexpr unsigned kMaxThreads = 1024;

/// Returns the number of threads for an option: 0 means all cores, or OMP_NUM_THREADS if that is
/// set, up to kMaxThreads. Throws UsageError for a greater option.
[[nodiscard]] unsigned thread_count(unsigned option);

/// Calls body(worker, begin, end) for consecutive chunks of at most `grain` elements that cover [0,
/// count), on up to `threads` threads; worker < threads identifies the thread. Chunks are assigned
/// in order as threads become free. If a body throws, chunks that have not begun are skipped, and
/// the exception of the earliest chunk that threw is rethrown here.
void parallel_for(unsigned threads, std::size_t count, std::size_t grain,
                  const std::function<void(unsigned, std::size_t, std::size_t)>& body);

/// Calls body(i) for all i < count, each on its own thread if there are as many, and body(0) on the
/// calling thread. Rethrows the exception of the least i whose body threw.
void on_threads(std::size_t count, const std::function<void(std::size_t)>& body);

}  // namespace quartz
