#include "optimize/searches/simplify.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "optimize/cost/scalar_gate_cost.hpp"
#include "optimize/folding/clifford_commutation.hpp"
#include "optimize/folding/function_folding.hpp"
#include "optimize/folding/pauli_propagation.hpp"
#include "optimize/folding/rotation_folding.hpp"
#include "optimize/linear/linear_blocks.hpp"
#include "optimize/search/search_list.hpp"
#include "optimize/searches/cancellation.hpp"
#include "optimize/state/group_rewriting.hpp"
#include "optimize/state/qubit_groups.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// Both orders are tried on segments up to this size, for which that takes a second.
constexpr std::size_t kMaxGatesForBothOrders = 20'000;

/// The check of the result proves each merge with the gates between the rotations. In segments up
/// to this size, that takes a fraction of a second for all merges.
constexpr std::size_t kMaxGatesForAllMerges = 2'000;
/// Fraction of the whole time that the proofs of merges in a larger segment may take.
constexpr double kProofShare = 0.2;
/// Proofs of a second (fold_equal_functions), measured on hrs_cumulative_multiplier.
constexpr double kProofWorkOfSecond = 6e7;
/// The same if the time is not limited: all merges of 5,500 gates.
constexpr double kProofWorkWithoutTime = 3e8;

/// Returns how much work the proofs of the merges in a segment may be.
double proof_work_for(std::size_t gates, const Budget::Amount& amount) {
  if (gates <= kMaxGatesForAllMerges) return kUnlimitedProofs;
  if (amount.ticks != 0 || amount.seconds == 0) return kProofWorkWithoutTime;
  return kProofShare * amount.seconds * kProofWorkOfSecond;
}

constexpr PassName kPropagationPass{"propagation", "Pauli operators moved to the end"};
constexpr PassName kCommutationPass{"commutation", "one-qubit Clifford gates moved along wires"};
constexpr PassName kFunctionsPass{"functions", "rotations of equal values folded"};

/// Estimated time for what the simplification does after its deadline, in copies of the circuit:
/// copying the gates that it has not reached, and comparing costs.
constexpr double kCopiesAfterDeadline = 1;

/// Estimated time for what moving gates does after its deadline, in copies of the circuit: copying
/// the stretches that it has not reached, and comparing costs.
constexpr double kCopiesAfterMoves = 4;

/// Pauli operators and other one-qubit Clifford gates are moved in stretches of this many gates,
/// and for each qubit: at the end of a stretch, each qubit may have a few gates more.
constexpr std::size_t kGatesOfMoves = std::size_t{1} << 17U;
constexpr std::size_t kGatesOfMovesPerQubit = 256;

/// Applies to gate sets with Pauli gates, if there is time to stop in.
class IfPaulisAreExpressible : public SearchDecorator {
 public:
  using SearchDecorator::SearchDecorator;
  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override {
    if (problem.record.rules) return "it records no rules";
    if (!has_pauli_gates(problem.set)) {
      return "the gates of '" + problem.set.name + "' cannot express X and Z";
    }
    return {};
  }

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    if (!state.has_time_for(budget, kCopiesAfterMoves)) return Outcome::budget_spent;
    return run_inner(state, budget);
  }
};

/// Moves gates in stretches if that costs less.
class MoveGates : public SegmentRewriter {
 public:
  using Move = circuit::DerivedGates (*)(std::span<const Operation> gates, std::uint32_t qubits,
                                         const GateSet& set);

  MoveGates(const Problem& problem, Move move)
      : problem_(problem), wires_(problem.wires), move_(move) {}

 private:
  [[nodiscard]] circuit::DerivedGates try_rewrite(std::span<const Operation> gates,
                                                  const Budget& budget) override {
    const std::size_t size = std::max(kGatesOfMoves, kGatesOfMovesPerQubit * wires_);
    circuit::DerivedGates moved = rewrite_stretches(
        gates, size, budget,
        [&](std::span<const Operation> stretch) { return move_(stretch, wires_, problem_.set); });
    const bool is_cheaper = cost_of_gates(problem_, moved.gates) < cost_of_gates(problem_, gates);
    return is_cheaper ? std::move(moved) : circuit::DerivedGates::unchanged(gates);
  }

  const Problem& problem_;
  std::uint32_t wires_;
  Move move_;
};

/// Returns a pass that moves gates.
SearchPointer make_moves(const Problem& problem, const PassName& name, MoveGates::Move move) {
  return std::make_shared<Pass>(
      name, std::make_shared<IfPaulisAreExpressible>(std::make_shared<DividedThenJoined>(
                std::make_shared<RewriteSegments>(std::make_shared<MoveGates>(problem, move)))));
}

std::vector<std::uint32_t> indices_from(std::uint32_t first, std::size_t count) {
  std::vector<std::uint32_t> indices(count);
  std::iota(indices.begin(), indices.end(), first);
  return indices;
}

}  // namespace

circuit::DerivedGates FoldRotations::try_rewrite(std::span<const Operation> gates,
                                                 const Budget& budget) {
  return fold_rotations(gates, qubits_, problem_.set, budget, problem_.record.history);
}

circuit::DerivedGates FoldEqualFunctions::try_rewrite(std::span<const Operation> gates,
                                                      const Budget& budget) {
  const double proof_work = proof_work_for(gates.size(), problem_.amount);
  const auto cost_when_folded = [&](std::span<const Operation> list) {
    const std::vector<Operation> folded =
        fold_rotations(list, wires_, problem_.set, budget, false).gates;
    return std::pair(cost_of_gates(problem_, folded), folded.size());
  };
  circuit::DerivedGates best = circuit::DerivedGates::unchanged(gates);
  auto least = cost_when_folded(gates);
  for (const MergedPlace place : {MergedPlace::first, MergedPlace::last}) {
    circuit::DerivedGates merged =
        fold_equal_functions(gates, wires_, problem_.set, place, budget, proof_work);
    if (merged.gates.size() == gates.size()) break;
    const auto cost = cost_when_folded(merged.gates);
    if (!(cost < least)) continue;
    best = std::move(merged);
    least = cost;
  }
  return best;
}

ResynthesizeBlocks::ResynthesizeBlocks(const Problem& problem)
    : qubits_(problem.wires),
      blocks_(problem.set, scalar_gate_cost_in_blocks(problem.cost, problem.set),
              problem.accuracy.exactness) {}

circuit::DerivedGates ResynthesizeBlocks::try_rewrite(std::span<const Operation> gates,
                                                      const Budget& budget) {
  const std::size_t size = std::max(kGatesOfStretch, kGatesOfStretchPerQubit * qubits_);
  if (gates.size() <= size) return rewrite_at_once(gates, budget);
  std::vector<Operation> all;
  all.reserve(gates.size());
  Angle phase;
  circuit::DerivedParts parts;
  std::uint32_t first = 0;
  while (!gates.empty() && !budget.spent()) {
    const std::span<const Operation> stretch = gates.first(std::min(size, gates.size()));
    circuit::DerivedGates result = circuit::DerivedGates::unchanged(stretch);
    try {
      result = blocks_.resynthesize_once(stretch, qubits_, budget);
      phase.add_phase(result.phase);
    } catch (const OverflowError&) {
      // The exact sum of some angles does not fit into 64 bits.
      result = circuit::DerivedGates::unchanged(stretch);
    }
    std::ranges::move(result.gates, std::back_inserter(all));
    parts.add(indices_from(first, stretch.size()), {}, result.derivation);
    first += static_cast<std::uint32_t>(stretch.size());
    gates = gates.subspan(stretch.size());
    budget.spend(stretch.size());
  }
  all.insert(all.end(), gates.begin(), gates.end());
  parts.add(indices_from(first, gates.size()), {}, circuit::Derivation::unchanged());
  return {std::move(all), phase, std::move(parts).finish()};
}

circuit::DerivedGates ResynthesizeBlocks::rewrite_at_once(std::span<const Operation> gates,
                                                          const Budget& budget) {
  if (gates.size() >= qubits_ / 4) return blocks_.resynthesize(gates, qubits_, budget);
  // A few gates act on few qubits; the other qubits need no memory.
  std::vector<Operation> all;
  Angle phase;
  circuit::DerivedParts parts;
  for (const QubitGroup& group : split_by_qubits(gates, qubits_)) {
    circuit::DerivedGates result =
        blocks_.resynthesize(group.gates, static_cast<std::uint32_t>(group.qubits.size()), budget);
    append_group(group, std::move(result.gates), all);
    phase.add_phase(result.phase);
    parts.add(group.places, group.qubits, result.derivation);
  }
  return {std::move(all), phase, std::move(parts).finish()};
}

circuit::DerivedGates ResynthesizeLinearBlocks::try_rewrite(std::span<const Operation> gates,
                                                            const Budget& budget) {
  return resynthesize_linear_blocks(gates, wires_, problem_.coupling, budget);
}

SegmentRewriterPointer make_simplification(const Problem& problem) {
  using Rewriters = std::vector<SegmentRewriterPointer>;
  const auto fold = std::make_shared<FoldRotations>(problem);
  const auto blocks = std::make_shared<ResynthesizeBlocks>(problem);
  Rewriters fold_first{fold, blocks};
  Rewriters blocks_first{blocks, fold};
  if (problem.set.contains(make_operation(GateKind::cx, {0, 1}))) {
    const auto linear = std::make_shared<ResynthesizeLinearBlocks>(problem);
    // Two-qubit blocks would take parts of the blocks of CNOTs.
    fold_first.insert(fold_first.begin(), linear);
    blocks_first.insert(blocks_first.begin(), linear);
  }
  const bool is_large = problem.circuit.operations.size() >= kMinOperationsOfRuns;
  const SegmentRewriterPointer runs = is_large ? make_run_rewriter(problem) : nullptr;
  if (runs != nullptr) {
    // They take a fraction of the time that blocks take, and leave them less to do.
    fold_first.insert(fold_first.end() - 1, runs);
    blocks_first.insert(blocks_first.end() - 1, runs);
  }
  // Neither order is better for all circuits.
  return std::make_shared<CheapestOf>(
      problem, kMaxGatesForBothOrders,
      Rewriters{std::make_shared<FixedPoint>(problem, std::move(fold_first)),
                std::make_shared<FixedPoint>(problem, std::move(blocks_first))});
}

SearchPointer make_folding(const Problem& problem) {
  return std::make_shared<DividedThenJoined>(std::make_shared<RewriteSegments>(
      std::make_shared<IfNotWorse>(problem, std::make_shared<FoldRotations>(problem))));
}

SearchPointer make_function_folding(const Problem& problem) {
  return std::make_shared<Pass>(
      kFunctionsPass,
      std::make_shared<DividedThenJoined>(std::make_shared<RewriteSegments>(
          std::make_shared<IfNotWorse>(problem, std::make_shared<FoldEqualFunctions>(problem)))));
}

SearchPointer make_propagation(const Problem& problem) {
  return make_moves(problem, kPropagationPass, propagate_paulis);
}

SearchPointer make_commutation(const Problem& problem) {
  return make_moves(problem, kCommutationPass, commute_cliffords);
}

Simplify::Simplify(const Problem& problem)
    : simplification_(std::make_shared<DividedThenJoined>(
          std::make_shared<RewriteSegments>(make_simplification(problem)))),
      folding_(make_folding(problem)) {}

Outcome Simplify::run_applicable(SearchState& state, const Budget& budget) {
  const Outcome outcome = simplification_->run(
      state, budget.ended_earlier(kCopiesAfterDeadline * state.copy_seconds()));
  (void)state.has_time_for(budget, kCopiesAfterDeadline);
  if (outcome == Outcome::no_result && state.is_directed()) (void)folding_->run(state, budget);
  return Outcome::exhausted;
}

Outcome SimplifyForAnnealing::run_applicable(SearchState& state, const Budget& budget) {
  const bool only_folds =
      state.has_only_eighth_turns() && state.problem().accuracy.exactness != Exactness::numeric;
  (void)(only_folds ? folding_ : simplify_)->run(state, budget);
  return Outcome::exhausted;
}

SearchPointer make_fold_search(const Problem& problem) {
  return std::make_shared<Pass>(PassName{"fold", "rotations folded"}, make_folding(problem));
}

SearchPointer make_propagation_search(const Problem& problem) { return make_propagation(problem); }

SearchPointer make_commutation_search(const Problem& problem) { return make_commutation(problem); }

SearchPointer make_functions_search(const Problem& problem) {
  return make_function_folding(problem);
}

SearchPointer make_blocks_search(const Problem& problem) {
  return std::make_shared<Pass>(
      PassName{"blocks", "two-qubit blocks resynthesized"},
      std::make_shared<DividedThenJoined>(std::make_shared<RewriteSegments>(
          std::make_shared<IfNotWorse>(problem, std::make_shared<ResynthesizeBlocks>(problem)))));
}

SearchPointer make_simplify_search(const Problem& problem) {
  return std::make_shared<Pass>(kSimplifyPass, std::make_shared<Simplify>(problem));
}

}  // namespace quartz::optimizer
