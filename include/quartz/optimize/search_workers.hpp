#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace quartz {

/// A task that a search hands out, or the answer to it: bytes that only the search understands.
struct SearchTask {
  std::uint64_t number = 0;  ///< that of the task
  std::string content;
};

/// The tasks of a search that other processes may do for it. The functions are called from one
/// thread, which is not one of the search.
class SearchTasks {
 public:
  virtual ~SearchTasks() = default;
  /// Returns the next task, which is begun by that; nothing if there is none now.
  [[nodiscard]] virtual std::optional<SearchTask> begin_next() = 0;
  /// Takes the answer to a task. One that does not wait for an answer any more is ignored. Throws
  /// Error for bytes that are no answer, and the task still waits then.
  virtual void finish(const SearchTask& answer) = 0;
  /// Takes back a task that was begun and to which there will be no answer.
  virtual void take_back(std::uint64_t number) = 0;
};

/// Processes that do tasks of a search, each of them with a SearchJob (workflow/search_job.hpp).
/// The commands use those that mpirun started (src/cli/workers/rank_workers.hpp).
class SearchWorkers {
 public:
  virtual ~SearchWorkers() = default;
  /// Returns the number of threads of all processes that answer.
  [[nodiscard]] virtual unsigned threads() const = 0;
  /// Has the processes do tasks until end() is called. The job is what they have in common. Returns
  /// false, and does nothing, if there is a job already. Does not wait.
  [[nodiscard]] virtual bool begin(std::string job, SearchTasks& tasks) = 0;
  /// Ends the job. No function of its tasks is called afterwards.
  virtual void end() = 0;
};

/// Returns whether a search, or one of several comma-separated ones, has tasks for other processes.
[[nodiscard]] bool has_tasks_for_workers(std::string_view searches);

}  // namespace quartz
