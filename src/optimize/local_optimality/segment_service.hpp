#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "classes/table/class_table.hpp"
#include "optimize/annealing/annealing_labels.hpp"
#include "optimize/local_optimality/segment_history.hpp"
#include "optimize/local_optimality/segment_job.hpp"
#include "optimize/local_optimality/segment_search.hpp"
#include "quartz/optimize/search_workers.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// Searches segments for a SegmentTeam in another process, by threads of its own.
class SegmentService {
 public:
  /// Returns the class table of exactly these options without building it; null if there is none.
  using FindTable = std::function<std::shared_ptr<const ClassTable>(const ClassTableOptions&)>;

  /// Begins a job in gates of the set, which must outlive the object. Returns at once. The table is
  /// found, or built in a number of bytes, by one of the threads.
  SegmentService(std::string job, const GateSet& set, unsigned threads, FindTable find_table,
                 std::uint64_t table_memory);
  /// Gives up all tasks, and waits until the threads have ended.
  ~SegmentService();
  SegmentService(const SegmentService&) = delete;
  SegmentService& operator=(const SegmentService&) = delete;

  void add(SearchTask task);
  /// Returns an answer that was not returned before. Throws Error if the job cannot be done.
  [[nodiscard]] std::optional<SearchTask> take_answer();

 private:
  void run(const std::string& job);
  /// Prepares what all threads share.
  void open(std::string_view job);
  [[nodiscard]] std::shared_ptr<const ClassTable> obtain_table() const;
  void do_tasks();
  [[nodiscard]] std::string answer_to(const SearchTask& task, SegmentSearch& search) const;
  /// Waits for a task; returns nothing once the object is destroyed.
  [[nodiscard]] std::optional<SearchTask> wait_for_task();
  void fail(std::string why);

  const GateSet& set_;
  const unsigned threads_;
  const FindTable find_table_;
  const std::uint64_t table_memory_;
  // Set by open() before other threads begin.
  SegmentJob job_;
  std::shared_ptr<const ClassTable> table_;
  std::unique_ptr<const AnnealingLabels> labels_;
  std::optional<LabelsOfGates> labels_of_gates_;

  std::mutex mutex_;  ///< protects the members below
  std::condition_variable changed_;
  std::deque<SearchTask> tasks_;
  std::deque<SearchTask> answers_;
  std::optional<std::string> failure_;

  std::stop_source stop_;
  std::jthread thread_;  // last: its destructor waits for it
};

}  // namespace quartz::optimizer
