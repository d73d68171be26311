#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "optimize/instantiation/gate_deletion.hpp"
#include "optimize/search/combinators.hpp"
#include "optimize/search/search_list.hpp"
#include "optimize/searches/deletion.hpp"
#include "optimize/searches/simplify.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

constexpr PassName kDeletionPass{"deletion",
                                 "two-qubit gates deleted, with other angles around them"};

GateDeletion::Options options_of(const Problem& problem) {
  // What is opaque may be the beginning of a loop, which repeats every error.
  const bool has_opaque = std::ranges::any_of(
      problem.circuit.operations,
      [](const Operation& operation) { return operation.kind == OperationKind::opaque; });
  return {problem.accuracy.exactness, has_opaque ? 0 : problem.accuracy.epsilon, problem.seed,
          problem.record.history};
}

class DeleteGates : public SegmentRewriter {
 public:
  explicit DeleteGates(const Problem& problem)
      : deletion_(problem.set, gate_cost_of(problem.cost, problem.set), options_of(problem)) {}

  [[nodiscard]] bool available() const { return deletion_.available(); }

  [[nodiscard]] circuit::PhasedGates rewrite(std::span<const Operation> gates,
                                             const Budget& budget) override {
    try {
      return deletion_.delete_gates(gates, budget);
    } catch (const OverflowError&) {
      // The exact sums of some angles do not fit into 64 bits.
      return {{gates.begin(), gates.end()}, {}, false};
    }
  }

 private:
  GateDeletion deletion_;
};

/// Deletes gates in the joined segments, and simplifies the one-qubit gates that this leaves.
class Deletion : public Search {
 public:
  Deletion(const Problem& problem, SearchPointer simplify)
      : rewriter_(std::make_shared<DeleteGates>(problem)),
        deletion_(std::make_shared<RewriteSegments>(rewriter_, true)),
        simplify_(std::move(simplify)) {}

  [[nodiscard]] bool applies(const Problem& problem) const override {
    return problem.cost.additive() && !problem.record.rules &&
           GateDeletion::may_change(problem.circuit.operations, options_of(problem)) &&
           rewriter_->available();
  }

  Outcome run(SearchState& state, const Budget& budget) override {
    (void)state.join_segments();
    const Outcome outcome = deletion_->run(state, budget);
    (void)simplify_->run(state, state.problem().budget);
    state.keep_best();
    return outcome;
  }

 private:
  std::shared_ptr<DeleteGates> rewriter_;
  SearchPointer deletion_;
  SearchPointer simplify_;
};

}  // namespace

SearchPointer make_deletion(const Problem& problem, SearchPointer simplify) {
  return std::make_shared<Pass>(kDeletionPass,
                                std::make_shared<Deletion>(problem, std::move(simplify)));
}

SearchPointer make_deletion_search(const Problem& problem) {
  return make_deletion(problem, std::make_shared<Simplify>(problem));
}

}  // namespace quartz::optimizer
