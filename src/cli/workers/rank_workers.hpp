#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "cli/ranks.hpp"
#include "quartz/optimize/search_workers.hpp"

namespace quartz::cli {

/// The other ranks as workers of a search on the first rank. The search runs on a thread of its
/// own, and the thread that exchanges messages calls communicate() until it has ended. The other
/// ranks call do_search_tasks() (workers/search_tasks.hpp).
///
/// Each rank gets one task more than it has threads, so that none waits for the next one. If a rank
/// is silent for long, and the launcher has not ended all of them, its tasks are done by others.
class RankWorkers final : public SearchWorkers {
 public:
  /// `warn` is called with one sentence, on the thread that exchanges messages.
  RankWorkers(Ranks& ranks, std::function<void(std::string_view)> warn);

  [[nodiscard]] unsigned threads() const override { return threads_; }
  [[nodiscard]] bool begin(std::string job, SearchTasks& tasks) override;
  void end() override;

  /// Hands out tasks and takes answers. Does not wait.
  void communicate();
  /// Ends the other ranks. The search must have ended.
  void dismiss();

 private:
  using Clock = std::chrono::steady_clock;
  /// What is known of another rank.
  struct Worker {
    unsigned threads = 0;              ///< 0: it does no tasks (yet, or any more)
    std::uint64_t job = 0;             ///< that it has; 0: none
    std::vector<std::uint64_t> tasks;  ///< that it has not answered
    Clock::time_point heard = Clock::now();
    bool is_lost = false;
    bool has_left = false;  ///< it has been dismissed
  };

  void receive();
  void take(unsigned rank, std::string_view letter);
  void take_answer(unsigned rank, std::string_view letter);
  /// Requires the lock.
  void hand_out();
  void send_signs();
  void find_lost();
  void lose(unsigned rank);
  /// Gives the tasks of a rank to others, and no more to it until it says how many threads it has.
  void take_back_from(Worker& worker);
  void count_threads();

  Ranks& ranks_;
  std::function<void(std::string_view)> warn_;
  std::vector<Worker> workers_;  ///< by rank; the first one is this rank
  std::atomic<unsigned> threads_ = 0;
  Clock::time_point next_sign_{};

  std::mutex mutex_;  ///< protects the members below
  SearchTasks* tasks_ = nullptr;
  std::string job_;
  std::uint64_t job_number_ = 0;  ///< the current job, or the last one
};

}  // namespace quartz::cli
