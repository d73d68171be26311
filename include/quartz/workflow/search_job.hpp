#pragma once

#include <memory>
#include <optional>
#include <string>

#include "quartz/optimize/search_workers.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/superoptimize.hpp"

namespace quartz {

/// What a process does for a search in another one (SearchWorkers): tasks of a job, on threads of
/// its own. The class table comes from the cache or the file that the options name; a process that
/// finds none builds it.
class SearchJob {
 public:
  /// Begins a job in gates of the set. Returns at once.
  SearchJob(std::string job, const GateSet& set, const SuperoptimizeOptions& options);
  /// Gives up all tasks, and waits until the threads have ended.
  ~SearchJob();
  SearchJob(const SearchJob&) = delete;
  SearchJob& operator=(const SearchJob&) = delete;

  /// Adds a task. Does not wait for anything.
  void add(SearchTask task);
  /// Returns an answer that was not returned before, if there is one. Throws Error if the process
  /// cannot do the job, for example because it has no memory for the class table.
  [[nodiscard]] std::optional<SearchTask> take_answer();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace quartz
