#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "optimize/state/search_state.hpp"

namespace quartz::optimizer {

/// Knows the best version that the threads of a search have found so far. Passes it to the caller
/// from a thread of its own while the search goes on, and each version once a better one is known.
class BestObserver {
 public:
  using OnBetter = std::function<void(const DerivedBest&)>;
  using OnBest = std::function<void(UnformedCircuit)>;

  /// Begins with a version of this cost. Either function may be empty, and `on_better` is not
  /// called if no thread can be created for it. The state must outlive the object.
  BestObserver(const SearchState& state, const SearchCost& cost, OnBetter on_better, OnBest on_best,
               OnBest on_the_way = {});

  /// Keeps the version if it costs less than all before. Thread-safe.
  void offer(const Version& version, const SearchCost& cost);
  /// Passes on a version on the way, as Problem::on_the_way: it is never taken as the best one.
  /// Thread-safe.
  void pass_on_the_way(const Version& version, const SearchCost* cost);
  /// Returns the cost of the best version. Thread-safe.
  [[nodiscard]] SearchCost cost() const;
  /// Returns the best version, if each best one is passed on, and forgets it.
  [[nodiscard]] std::optional<Version> take_best();
  /// Waits for a call that is in progress, makes no further one, and releases the best version.
  /// Throws what the caller's function has thrown.
  void finish();

 private:
  void run(const std::stop_token& stop);

  const SearchState& state_;
  OnBetter on_better_;
  OnBest on_best_;
  OnBest on_the_way_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  SearchCost cost_;
  std::vector<SearchCost> costs_;   ///< that at the start and of each best one, if wanted
  std::optional<Version> best_;     ///< if there is a function for each best one
  std::optional<Version> waiting_;  ///< the best version, if it has not been passed on yet
  std::exception_ptr error_;
  std::jthread thread_;  ///< joined before the other members end
};

}  // namespace quartz::optimizer
