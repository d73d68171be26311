#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "optimize/instantiation/gate_deletion.hpp"
#include "optimize/search/combinators.hpp"
#include "optimize/search/search_for_cost.hpp"
#include "optimize/search/search_list.hpp"
#include "optimize/searches/deletion.hpp"
#include "optimize/searches/simplify.hpp"

namespace quartz::optimizer {
namespace {

constexpr PassName kDeletionPass{"deletion",
                                 "two-qubit gates deleted, with other angles around them"};

GateDeletion::Options options_of(const Problem& problem) {
  // What is opaque may be the beginning of a loop, which repeats every error.
  const bool has_opaque = std::ranges::any_of(
      problem.circuit.operations,
      [](const Operation& operation) { return operation.kind == OperationKind::opaque; });
  return {problem.accuracy.exactness, has_opaque ? 0 : problem.accuracy.epsilon, problem.seed};
}

/// Fraction of the time that is left for the simplification of the one-qubit gates after a
/// deletion.
constexpr double kSimplificationShare = 0.1;

class DeleteGates : public SegmentRewriter {
 public:
  explicit DeleteGates(const Problem& problem)
      : deletion_(problem.set, scalar_gate_cost_in_blocks(problem.cost, problem.set),
                  options_of(problem)) {}

  [[nodiscard]] bool available() const { return deletion_.available(); }

 private:
  [[nodiscard]] circuit::DerivedGates try_rewrite(std::span<const Operation> gates,
                                                  const Budget& budget) override {
    return deletion_.delete_gates(gates, budget);
  }

  GateDeletion deletion_;
};

/// Deletes gates in the joined segments, and simplifies the one-qubit gates that this leaves.
class Deletion : public Search {
 public:
  Deletion(const Problem& problem, SearchPointer simplify)
      : rewriter_(std::make_shared<DeleteGates>(problem)),
        deletion_(std::make_shared<RewriteSegments>(rewriter_, true)),
        simplify_(std::move(simplify)) {}

  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override {
    if (!problem.cost.additive()) return "the cost is not a sum over the gates";
    if (problem.record.rules) return "it records no rules";
    if (!rewriter_->available()) {
      return "it needs a gate set that has all one-qubit gates, and a cost that counts gates on "
             "two qubits above all";
    }
    if (may_delete_gates(problem)) return {};
    return "all angles are exact, and it would replace them by others: permit that by the "
           "exactness 'numeric', or by an epsilon";
  }

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    (void)state.join_segments();
    const Outcome outcome = deletion_->run(
        state, budget.counts_ticks() ? budget : budget.share(1 - kSimplificationShare));
    (void)simplify_->run(state, state.problem().budget);
    state.keep_best();
    return outcome;
  }

  std::shared_ptr<DeleteGates> rewriter_;
  SearchPointer deletion_;
  SearchPointer simplify_;
};

}  // namespace

bool may_delete_gates(const Problem& problem) {
  return GateDeletion::may_change(problem.circuit.operations, options_of(problem));
}

SearchPointer make_deletion(const Problem& problem, SearchPointer simplify) {
  return std::make_shared<Pass>(kDeletionPass,
                                std::make_shared<Deletion>(problem, std::move(simplify)));
}

SearchPointer make_deletion_search(const Problem& problem) {
  return make_for_leading_sums(problem, [](const Problem& sums) {
    return make_deletion(sums, std::make_shared<Simplify>(sums));
  });
}

}  // namespace quartz::optimizer
