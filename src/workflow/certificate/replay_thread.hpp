#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

#include "quartz/certify/journal.hpp"

namespace quartz::workflow {

/// Replays blocks of a journal in their order on a thread of its own, while those that follow are
/// written.
class ReplayThread {
 public:
  /// The replay must outlive the object, which alone uses it until finish(). Throws
  /// std::system_error if there is no memory for the stack of a thread.
  explicit ReplayThread(RunningReplay& replay);
  ReplayThread(const ReplayThread&) = delete;
  ReplayThread& operator=(const ReplayThread&) = delete;
  /// Waits for the block that is being replayed, and leaves out those that wait.
  ~ReplayThread();

  /// Adds a block, once few enough wait.
  void add(std::string block);
  struct Outcome {
    bool is_proved = true;  ///< whether all steps of all blocks are
    double seconds = 0;     ///< processor time of the thread
  };
  /// Waits until all blocks are replayed. Rethrows what a replay threw.
  [[nodiscard]] Outcome finish();

 private:
  /// Blocks that wait, at most: a few megabytes of records.
  static constexpr std::size_t kMostWaiting = 32;

  void run();
  /// Replays blocks until the last one, or until a step is not proved.
  void replay_all();
  /// Waits for the next block; false if there is none any more.
  [[nodiscard]] bool take_next(std::string& block);
  void end();

  RunningReplay& replay_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> waiting_;
  bool has_all_ = false;     ///< whether no more blocks are added
  bool takes_none_ = false;  ///< whether the thread replays no more of them
  Outcome outcome_;
  std::exception_ptr error_;
  std::thread thread_;  ///< the last member, because it uses the others
};

}  // namespace quartz::workflow
