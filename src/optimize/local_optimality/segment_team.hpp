#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "classes/table/class_table.hpp"
#include "optimize/annealing/annealing_labels.hpp"
#include "optimize/annealing/moves/move.hpp"
#include "optimize/local_optimality/segment_search.hpp"
#include "optimize/state/used_rules.hpp"
#include "quartz/optimize/search_workers.hpp"
#include "rewrite/wire_lists.hpp"

namespace quartz::optimizer {

/// Searches segments of a circuit: threads of this process, and other processes if there are some.
/// What is found in a segment depends only on its gates and its seed, and not on who searches it.
class SegmentTeam final : SearchTasks {
 public:
  /// The table and the labels must outlive the object. `gates` are all gates of the circuit, by
  /// which other processes number those of segments; `workers` may be null.
  SegmentTeam(const ClassTable& table, const AnnealingLabels& labels,
              std::span<const rewrite::PlainGate> gates, std::uint32_t wires, unsigned threads,
              const SegmentSearchOptions& options, SearchWorkers* workers);
  ~SegmentTeam() override;
  SegmentTeam(const SegmentTeam&) = delete;
  SegmentTeam& operator=(const SegmentTeam&) = delete;

  /// Segments that share no gates. Several threads call the functions.
  struct Round {
    SegmentStep step{};
    std::size_t size = 0;
    std::function<std::vector<rewrite::PlainGate>(std::size_t index)> gates_of;
    std::function<std::uint64_t(std::size_t index)> seed_of;
    Budget to_begin;  ///< once it is spent, no segment is begun
    Budget budget;    ///< the limits on the search of each segment
  };
  using Found = std::vector<std::optional<SegmentSearch::Descent>>;
  /// Searches all segments; the result has nothing for those that nobody has searched in time.
  [[nodiscard]] Found search(const Round& round);

  /// Returns the number of threads of this process.
  [[nodiscard]] std::size_t threads() const { return searches_.size(); }
  /// Returns the number of threads of all processes.
  [[nodiscard]] std::size_t all_threads() const {
    return threads() + (workers_ == nullptr ? 0 : workers_->threads());
  }
  /// Returns what all processes have done so far. Not to be called during a search.
  [[nodiscard]] AnnealingCounts counts() const;
  /// Adds the pairs that all processes have proved, if they are recorded.
  void add_used_pairs(UsedPairs& pairs) const;

 private:
  /// A batch that another process searches: the indices of its segments.
  using Batch = std::vector<std::size_t>;

  [[nodiscard]] std::optional<SearchTask> begin_next() override;
  void finish(const SearchTask& answer) override;
  void take_back(std::uint64_t number) override;

  void search_on_thread(SegmentSearch& search);
  /// Waits a moment for answers to what was begun in time.
  void wait_for_answers(std::unique_lock<std::mutex>& lock);
  /// Returns the next segment that nobody searches. Requires the lock.
  [[nodiscard]] std::optional<std::size_t> next_segment();
  /// Returns how many segments the next batch should have. Requires the lock.
  [[nodiscard]] std::size_t size_of_batch() const;

  const AnnealingLabels& labels_;
  std::vector<std::unique_ptr<SegmentSearch>> searches_;  ///< one for each thread
  SearchWorkers* workers_;

  mutable std::mutex mutex_;  ///< protects the members below
  std::condition_variable changed_;
  const Round* round_ = nullptr;  ///< null between rounds
  Found found_;
  std::size_t next_ = 0;
  std::size_t done_ = 0;
  Batch returned_;                          ///< segments that are to be searched by somebody else
  std::map<std::uint64_t, Batch> batches_;  ///< by number, those that wait for an answer
  std::uint64_t last_batch_ = 0;
  AnnealingCounts counts_;  ///< those of the other processes
  UsedPairs pairs_;
};

}  // namespace quartz::optimizer
