#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/random.hpp"
#include "optimize/cost/scalar_gate_cost.hpp"
#include "optimize/runs/one_qubit_runs.hpp"
#include "optimize/scheduling/scheduled_gates.hpp"
#include "optimize/search/combinators.hpp"
#include "optimize/search/search_list.hpp"
#include "optimize/state/group_rewriting.hpp"
#include "optimize/state/segments.hpp"

namespace quartz::optimizer {
namespace {

constexpr PassName kSchedulePass{"schedule", "commuting gates reordered for a short critical path"};

/// Returns the first objective of a cost that is a critical path; null if there is none.
const Objective* critical_path_of(const Cost& cost) {
  const auto found = std::ranges::find_if(
      cost.objectives(), [](const Objective& objective) { return !objective.additive(); });
  return found == cost.objectives().end() ? nullptr : &*found;
}

/// Changes the places of commuting gates, so that the critical path becomes shorter.
class ScheduleGates : public SegmentRewriter {
 public:
  explicit ScheduleGates(const Problem& problem)
      : problem_(problem),
        words_(problem.set, scalar_gate_cost_in_blocks(problem.cost, problem.set)),
        random_(problem.seed) {}

 private:
  [[nodiscard]] circuit::DerivedGates try_rewrite(std::span<const Operation> gates,
                                                  const Budget& budget) override {
    return rewrite_stretches(
        gates, kMostScheduledGates, budget,
        [&](std::span<const Operation> stretch) { return scheduled(stretch, budget); });
  }

  [[nodiscard]] circuit::DerivedGates scheduled(std::span<const Operation> gates,
                                                const Budget& budget) {
    circuit::DerivedGates unchanged = circuit::DerivedGates::unchanged(gates);
    // Several stretches may be joined at the end of a list.
    if (gates.size() > 2 * kMostScheduledGates || std::ranges::any_of(gates, is_black_box)) {
      return unchanged;
    }
    const Objective* const path = critical_path_of(problem_.cost);
    std::optional<circuit::DerivedGates> result = scheduled_gates(
        gates, problem_.wires, words_,
        [&](const Operation& gate) { return path->gate_units(gate); }, random_, budget);
    if (!result) return unchanged;
    if (std::optional<circuit::DerivedGates> merged = merged_runs(result->gates)) {
      merged->phase.add_phase(result->phase);
      merged->derivation = result->derivation.then(std::move(merged->derivation));
      result = std::move(merged);
    }
    const bool is_cheaper = cost_of_gates(problem_, result->gates) < cost_of_gates(problem_, gates);
    return is_cheaper ? *std::move(result) : unchanged;
  }

  [[nodiscard]] std::optional<circuit::DerivedGates> merged_runs(std::span<const Operation> gates) {
    if (!words_.available()) return std::nullopt;
    return merge_one_qubit_runs(gates, problem_.wires, words_, RunHistory::recorded);
  }

  const Problem& problem_;
  RunWords words_;
  FastRandom random_;
};

/// Applies to costs with a critical path.
class ScheduleSegments : public SearchDecorator {
 public:
  explicit ScheduleSegments(const Problem& problem)
      : SearchDecorator(
            std::make_shared<RewriteSegments>(std::make_shared<ScheduleGates>(problem))) {}

  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override {
    if (problem.record.rules) return "it records no rules";
    if (problem.cost.additive()) return "the cost has no critical path";
    return {};
  }

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    return run_inner(state, budget);
  }
};

}  // namespace

SearchPointer make_schedule_search(const Problem& problem) {
  return std::make_shared<Pass>(kSchedulePass, std::make_shared<ScheduleSegments>(problem));
}

}  // namespace quartz::optimizer
