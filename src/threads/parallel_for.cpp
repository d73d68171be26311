#include "quartz/parallel_for.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace quartz {

unsigned thread_count(unsigned option) {
  return option != 0 ? option : std::max(1U, std::thread::hardware_concurrency());
}

void parallel_for(unsigned threads, std::size_t count, std::size_t grain,
                  const std::function<void(unsigned, std::size_t, std::size_t)>& body) {
  const std::size_t pieces = (count + grain - 1) / grain;
  std::atomic<std::size_t> next = 0;
  std::mutex failure_mutex;
  std::exception_ptr failure;
  std::size_t failed_piece = pieces;

  const auto work = [&](unsigned worker) {
    for (;;) {
      const std::size_t piece = next.fetch_add(1);
      if (piece >= pieces) return;
      try {
        body(worker, piece * grain, std::min(count, (piece + 1) * grain));
      } catch (...) {
        const std::lock_guard lock(failure_mutex);
        if (piece < failed_piece) {
          failed_piece = piece;
          failure = std::current_exception();
        }
        next = pieces;
        return;
      }
    }
  };
  {
    const auto workers = static_cast<unsigned>(std::min<std::size_t>(threads, pieces));
    std::vector<std::jthread> others;
    for (unsigned worker = 1; worker < workers; ++worker) others.emplace_back(work, worker);
    if (pieces != 0) work(0);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace quartz
