#pragma once

#include <cstddef>
#include <functional>

namespace quartz {

/// Returns the number of threads for a command-line option: 0 means all cores.
[[nodiscard]] unsigned thread_count(unsigned option);

/// Calls body(worker, begin, end) for consecutive chunks of at most `grain` elements that cover [0,
/// count), on up to `threads` threads; worker < threads identifies the thread. Chunks are assigned
/// in order as threads become free. If a body throws, chunks that have not begun are skipped, and
/// the exception of the earliest chunk that threw is rethrown here.
void parallel_for(unsigned threads, std::size_t count, std::size_t grain,
                  const std::function<void(unsigned, std::size_t, std::size_t)>& body);

}  // namespace quartz
