#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "optimize/backtracking/backtracking.hpp"
#include "optimize/backtracking/slices.hpp"
#include "optimize/search/search.hpp"

namespace quartz::optimizer {

/// Applies the rules of the rule set by backtracking (backtracking/backtracking.hpp), on all
/// threads: to small segments as a whole, and in rounds to random slices of larger ones.
class Backtrack : public Search {
 public:
  /// `simplify` is run after every round that finds a better circuit.
  Backtrack(const Problem& problem, SearchPointer simplify);

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override;

  /// A slice in one round.
  struct Task {
    std::size_t segment = 0;
    Slice slice;
    std::uint64_t pops = 0;
    std::uint64_t slack = 0;
    std::vector<Operation> result;
    Angle phase;
    circuit::Derivation derivation = circuit::Derivation::unchanged();
    std::vector<RuleUse> uses;
    std::uint64_t popped = 0;
    bool whole_segment = false;
    bool is_exhaustive = false;  ///< whether the search goes on until nothing is left to search
    bool exhausted = false;
    bool better = false;
  };

  /// Searches slices that together contain every gate once. Returns false if nothing is left to
  /// find.
  bool run_round(SearchState& state, const Budget& budget, std::uint64_t round);
  [[nodiscard]] std::vector<Task> make_tasks(const SearchState& state, const Budget& budget,
                                             std::uint64_t round);
  /// Limits the circuits that tasks take from their queues to those that the ticks of the budget
  /// allow.
  void limit_pops(std::vector<Task>& tasks, const Budget& budget) const;
  void run_tasks(SearchState& state, const Budget& budget, std::vector<Task>& tasks,
                 std::uint64_t round);
  void run_task(const SearchState& state, const Budget& budget, Task& task,
                BacktrackingSearch& search, std::uint64_t seed) const;
  /// Passes the version with the result so far of a task that searches a whole segment to
  /// Problem::on_version.
  void offer(const SearchState& state, const Task& task, BacktrackingResult found,
             const BacktrackingSearch& search) const;
  void add_gains(SearchState& state, const Task& task) const;

  const Problem& problem_;
  SearchPointer simplify_;
  std::unique_ptr<rewrite::RuleIndex> rules_;                  ///< null before the first run
  std::vector<std::unique_ptr<BacktrackingSearch>> searches_;  ///< one for each thread
  std::mt19937_64 random_;
  std::uint64_t slack_ = 0;  ///< slack for segments that are searched as a whole
};

}  // namespace quartz::optimizer
