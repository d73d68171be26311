#pragma once

#include <memory>
#include <optional>
#include <string>

#include "optimize/annealing/annealer.hpp"
#include "optimize/search/combinators.hpp"

namespace quartz::optimizer {

/// Name of the pass in progress lines and reports.
inline constexpr PassName kAnnealPass{"anneal", "windows replaced through the class table"};

/// Condition on which annealing ends before its budget is spent.
enum class AnnealingEnd : bool {
  with_budget,    ///< never
  when_converged  ///< after enough moves without a gain
};

/// Replaces windows of the circuit through the class table of the gate set, at falling temperatures
/// (annealing/annealer.hpp). Finds or builds the table first.
class Anneal : public Search {
 public:
  explicit Anneal(AnnealingEnd end) : end_(end) {}
  /// The gate set must have few enough letters for a class table.
  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override;

  /// Minimizes another cost, and continues with the result whatever it costs. The search must apply
  /// to the problem.
  Outcome run_for(const Cost& cost, SearchState& state, const Budget& budget);

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override;
  [[nodiscard]] AnnealingLimits limits_of(SearchState& state, const Cost& cost,
                                          const Budget& budget) const;

  AnnealingEnd end_;
};

/// Anneals for another cost than that of the problem, and continues with the result whatever it
/// costs.
class AnnealForCost : public Search {
 public:
  explicit AnnealForCost(Cost cost) : cost_(std::move(cost)), anneal_(AnnealingEnd::with_budget) {}
  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override {
    return anneal_.obstacle(problem);
  }

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    return anneal_.run_for(cost_, state, budget);
  }

  Cost cost_;
  Anneal anneal_;
};

/// Returns a cost with a named objective before all others; nothing if it has the objective
/// already, or too many.
[[nodiscard]] std::optional<Cost> with_first_objective(const Cost& cost, CostKind kind);

/// Finds or builds the class table of the gate set. Returns false if the search was stopped.
[[nodiscard]] bool require_class_table(SearchState& state, const Budget& budget);

/// Returns annealing that first uses the intermediate gate set if that helps the target and time
/// permits.
[[nodiscard]] SearchPointer make_annealing(AnnealingEnd end, const SearchPointer& simplify);

/// Returns simplification, annealing, simplification.
[[nodiscard]] SearchPointer make_annealing_schedule(const Problem& problem);

}  // namespace quartz::optimizer
