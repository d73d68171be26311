#pragma once

#include <cstddef>
#include <functional>

namespace quartz {

/// The number of threads that an option means: 0 is all cores.
[[nodiscard]] unsigned thread_count(unsigned option);

/// Calls body(worker, begin, end) over pieces of at most `grain` that make up [0, count), on up to
/// `threads` threads; worker < threads says which one. Pieces are handed out in order, as threads
/// come free. If a body throws, the pieces not yet begun are left out and the exception of the
/// earliest piece that threw comes out here.
void parallel_for(unsigned threads, std::size_t count, std::size_t grain,
                  const std::function<void(unsigned, std::size_t, std::size_t)>& body);

}  // namespace quartz
