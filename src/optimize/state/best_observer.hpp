#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "optimize/state/search_state.hpp"

namespace quartz::optimizer {

/// Knows the best version that the threads of a search have found so far, and passes it to the
/// caller from a thread of its own while the search goes on.
class BestObserver {
 public:
  using OnBetter = std::function<void(const BestSoFar&)>;

  /// Begins with a version of this cost. With an empty function, there is only the cost. The state
  /// must outlive the object.
  BestObserver(const SearchState& state, const SearchCost& cost, OnBetter on_better);

  /// Keeps the version if it costs less than all before. Thread-safe.
  void offer(const Version& version, const SearchCost& cost);
  /// Returns the cost of the best version. Thread-safe.
  [[nodiscard]] SearchCost cost() const;
  /// Waits for a call that is in progress, and makes no further one. Throws what the caller's
  /// function has thrown.
  void finish();

 private:
  void run(const std::stop_token& stop);

  const SearchState& state_;
  OnBetter on_better_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  SearchCost cost_;
  std::optional<Version> waiting_;  ///< the best version, if it has not been passed on yet
  std::exception_ptr error_;
  std::jthread thread_;  ///< joined before the other members end
};

}  // namespace quartz::optimizer
