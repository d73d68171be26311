#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "optimize/folding/clifford_commutation.hpp"
#include "optimize/search/combinators.hpp"
#include "optimize/search/portfolio.hpp"
#include "optimize/search/search_for_cost.hpp"
#include "optimize/search/search_list.hpp"
#include "optimize/search/starts.hpp"
#include "optimize/searches/anneal.hpp"
#include "optimize/searches/backtrack.hpp"
#include "optimize/searches/cancellation.hpp"
#include "optimize/searches/controlled_paulis.hpp"
#include "optimize/searches/deletion.hpp"
#include "optimize/searches/intermediate_set.hpp"
#include "optimize/searches/repetitions.hpp"
#include "optimize/searches/simplify.hpp"
#include "optimize/searches/states.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// Fraction of the budget given to annealing; backtracking gets the rest.
constexpr double kAnnealingShare = 0.9;

/// Fraction of the budget for the sums of a cost with a critical path, if that is the first
/// objective, and if it breaks ties.
constexpr double kSumsShareOfFirstPath = 0.3;
constexpr double kSumsShareOfLaterPath = 0.8;
/// The same for a first path if Pauli networks pay, which are made for the sums.
constexpr double kSumsShareWithNetworks = 0.7;

/// Fraction of the budget for the simplification of the given circuit under all of such a cost.
constexpr double kShareOfSimplified = 0.05;

/// Fractions of the budget for the layers of the given circuit and of one with fewer rotations, if
/// the critical path has rotations alone: annealing finds little behind these.
constexpr double kShareOfGivenLayers = 0.05;
constexpr double kSumsShareInLayers = 0.6;

/// Fractions of the budget for both if gates may be deleted afterwards, and for the deletion, which
/// mostly ends before. Annealing and deletion take turns in the time that is left.
constexpr double kBeforeDeletionShare = 0.25;
constexpr double kDeletionShare = 0.3;

/// Fraction of each turn for annealing, its moves for each gate, and the most turns. What deletion
/// finds depends on the circuit that it gets: amplitude and phase estimations on 5 and 6 qubits end
/// with a tenth fewer CNOTs after 8 s, and a sixth fewer gates, than after one deletion.
constexpr double kAnnealingShareOfRound = 0.5;
constexpr double kMovesOfTurn = 2000;
constexpr double kMostRounds = 4;

/// Fraction of the budget for two-qubit gates as the first objective, if the cost charges as much
/// for one-qubit gates, and two-qubit gates may be deleted.
constexpr double kTwoQubitShare = 0.3;

/// Fraction of the budget that the preparation of known states may take, before everything else.
constexpr double kStatesShare = 0.5;

/// Fraction of the budget that the folding of equal functions may take. It takes milliseconds for a
/// thousand gates.
constexpr double kFunctionsShare = 0.05;

/// Fraction of the budget that the merging of controlled Pauli operators may take. It takes
/// milliseconds for a thousand gates.
constexpr double kControlledShare = 0.1;

/// Networks are repeated, as random ones, in circuits of at most this many gates: annealing does
/// not find its way from one network to another, even in the smallest circuits.
constexpr std::uint64_t kMostGatesOfRepeatedNetworks = 100;

/// Fraction of the budget that the search for better fragments may take, in circuits so long that
/// annealing all of their gates finds little, if they consist of nothing else.
constexpr double kRepetitionsShare = 0.8;

/// Fraction of what is left for making a start in which gates far apart with equal operators may be
/// merged. That takes hundredths of a second for a thousand gates, and all of its time for a
/// million.
constexpr double kCancellationShare = 0.25;

/// One-qubit Clifford gates are moved along their wires in circuits of this many operations: in
/// smaller ones, annealing finds the way of each by itself.
constexpr std::size_t kMinOperationsOfCommutation = 20'000;
/// Fraction of what is left for making a start that these moves may take. In a short time they do
/// not get to all gates, and folding is not to be left out for them.
constexpr double kCommutationShare = 0.5;

/// Folding comes before these moves if this fraction of what is left is less than the time of this
/// number of copies of the circuit. It is part of the simplification afterwards, too.
constexpr double kFoldShare = 0.4;
constexpr double kCopiesOfFirstFolding = 20;

/// Fraction of the budget for each of two networks, and for the first one of a large circuit if
/// they pay. It mostly takes less.
constexpr double kNetworkShare = 0.1;
constexpr double kNetworkShareIfTheyPay = 0.6;
/// Larger circuits have none unless they pay.
constexpr std::size_t kMostOperationsUnlessTheyPay = 200'000;
/// Circuits of this many operations are large, and those of fewer if gates are deleted
/// afterwards: the first network does not end in its fraction of the little time before that.
constexpr std::size_t kMinOperationsIfTheyPay = 50'000;
constexpr std::size_t kMinOperationsBeforeDeletion = 10'000;

/// Fraction of the budget for the start that is folded, in most circuits.
constexpr double kFoldedShare = 0.2;
/// The same in large circuits from which these moves remove more gates than annealing can.
constexpr double kFoldedShareWithMoves = 0.6;
/// Whether they do is tried on a sample from the middle of a circuit of this many operations or
/// more: the moves must remove more than this fraction of its gates.
constexpr std::size_t kMinOperationsOfSample = 200'000;
constexpr std::size_t kGatesOfSample = 16'384;
constexpr double kLeastRemovedOfSample = 0.02;

/// Fractions of the budget for large Clifford blocks: on a coupling map, annealing finds little
/// after the replacement of windows on coupled qubits (clifford_synthesis/window_reduction.hpp),
/// which goes on for longer.
constexpr double kCliffordShare = 0.2;
constexpr double kCoupledCliffordShare = 0.5;

/// Time that is kept for the last simplification, in seconds: this and some for each gate, but at
/// most a fraction of the budget. Without a time, the number of ticks for each gate.
constexpr double kSecondsAtEnd = 0.01;
constexpr double kSecondsOfGateAtEnd = 2e-5;
constexpr double kMostShareAtEnd = 0.1;
constexpr std::uint64_t kTicksOfGateAtEnd = 16;

/// Whether repeated fragments are searched by themselves. For the sums of a cost with a critical
/// path they are not: the path leads through all copies, and a fragment of fewer gates may be
/// deeper.
enum class Fragmentation : bool { none, searched };

/// Returns whether moving one-qubit Clifford gates removes many of the gates of a large circuit, as
/// it does in programs whose rotations are words of Clifford+T gates.
bool is_large_with_moves(const Problem& problem) {
  const std::span<const Operation> all = problem.circuit.operations;
  if (all.size() < kMinOperationsOfSample || !make_commutation(problem)->applies(problem)) {
    return false;
  }
  const std::span<const Operation> gates = gates_in_the_middle(all, kGatesOfSample);
  const auto most = (1 - kLeastRemovedOfSample) * static_cast<double>(gates.size());
  try {
    const std::size_t left = commute_cliffords(gates, problem.wires, problem.set).gates.size();
    return static_cast<double>(left) < most;
  } catch (const OverflowError&) {
    return false;  // the exact sum of some angles does not fit into 64 bits
  }
}

/// Runs a search if the time that is left is less than that of some copies of the circuit.
class IfTimeIsShort : public SearchDecorator {
 public:
  IfTimeIsShort(double copies, SearchPointer search)
      : SearchDecorator(std::move(search)), copies_(copies) {}

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    const bool is_short =
        budget.has_deadline() && budget.seconds_left() < copies_ * state.copy_seconds();
    return is_short ? run_inner(state, budget) : Outcome::exhausted;
  }

  double copies_;
};

/// Returns searches that run one after the other. In large circuits one-qubit Clifford gates are
/// moved first, which takes the least time for what it gains, and once more at last; gates around
/// one of them then stand beside each other. Where the time may suffice for nothing else, rotations
/// are folded before.
SearchPointer with_commutation(const Problem& problem, std::vector<Part> parts) {
  const SearchPointer commutation = make_commutation(problem);
  if (problem.circuit.operations.size() >= kMinOperationsOfCommutation &&
      commutation->applies(problem)) {
    const std::vector<Part> both{{commutation, kCommutationShare}, {make_adjacent_cancellation()}};
    parts.insert(parts.begin(), both.begin(), both.end());
    parts.insert(parts.end(), both.begin(), both.end());
    parts.insert(parts.begin(),
                 {std::make_shared<IfTimeIsShort>(kCopiesOfFirstFolding, make_fold_search(problem)),
                  kFoldShare});
  }
  return std::make_shared<Sequence>(std::move(parts));
}

/// Returns whether a circuit has this many operations and Pauli networks pay in it.
bool networks_pay_from(std::size_t operations, const Problem& problem) {
  return problem.circuit.operations.size() >= operations && networks_pay(problem);
}

/// Returns the ways to begin. Each makes its circuit of the given one: folding leaves nothing of
/// most products, for example.
std::vector<Start> starts_for(const Problem& problem, const SearchPointer& simplification,
                              const SearchPointer& simplify, Fragmentation fragments,
                              bool deletes_afterwards) {
  const auto sequence = [](std::vector<Part> parts) {
    return std::make_shared<Sequence>(std::move(parts));
  };
  const SearchPointer network = make_network_start(problem, simplify, NetworkChoice::cheapest);
  const auto simplified_network = [&](NetworkChoice choice) {
    const SearchPointer chosen = make_network_start(problem, simplify, choice);
    return std::make_shared<IfApplies>(chosen, sequence({{simplification}, {chosen}}));
  };
  const SearchPointer in_cones =
      std::make_shared<Share>(kCancellationShare, make_cancellation(problem, kInCones));
  const SearchPointer folded =
      with_commutation(problem, {{make_function_folding(problem), kFunctionsShare},
                                 {make_controlled_paulis(problem), kControlledShare},
                                 {simplification},
                                 {in_cones}});
  const SearchPointer ranks = make_rank_start(problem, simplify);
  const SearchPointer polish = with_commutation(problem, {{simplification}, {in_cones}});
  constexpr std::uint64_t kAlways = std::numeric_limits<std::uint64_t>::max();
  std::vector<Start> starts{
      {folded, is_large_with_moves(problem) ? kFoldedShareWithMoves : kFoldedShare, 1.25, kAlways},
      {make_clifford_start(problem, simplification, simplify),
       problem.coupling == nullptr ? kCliffordShare : kCoupledCliffordShare, 1.25, kAlways},
      {std::make_shared<IfApplies>(ranks, sequence({{folded}, {ranks}})), 0.2, 1.25, kAlways},
      {make_product_rank_start(problem, simplify), 0.4, 1.25, kAlways},
      {make_product_start(problem, simplify), 0.2, 1.5, kAlways}};
  if (networks_pay_from(deletes_afterwards ? kMinOperationsBeforeDeletion : kMinOperationsIfTheyPay,
                        problem)) {
    // A second one would take as long, and annealing finds more in that time.
    starts.push_back({network, kNetworkShareIfTheyPay, 1.0});
  } else if (problem.circuit.operations.size() <= kMostOperationsUnlessTheyPay) {
    starts.push_back({network, kNetworkShare, 1.0});
    starts.push_back({simplified_network(NetworkChoice::cheapest), kNetworkShare, 1.0,
                      kMostGatesOfRepeatedNetworks, simplified_network(NetworkChoice::random)});
  }
  if (fragments == Fragmentation::searched) {
    starts.insert(starts.begin() + 1,
                  {make_repetitions(&make_auto_search, RepetitionsIn::long_circuits, polish),
                   kRepetitionsShare, 1.25});
  }
  return starts;
}

/// Returns annealing for other costs, after which annealing for the cost of the problem may find
/// more.
std::vector<SearchPointer> detours_for(const Problem& problem) {
  std::vector<SearchPointer> detours;
  if (!problem.cost.additive()) {
    detours.push_back(std::make_shared<Pass>(
        kAnnealPass, std::make_shared<AnnealForCost>(sums_of(problem.cost))));
  }
  for (const CostKind kind : {CostKind::t, CostKind::two_qubit}) {
    if (std::optional<Cost> cost = with_first_objective(problem.cost, kind)) {
      detours.push_back(
          std::make_shared<Pass>(kAnnealPass, std::make_shared<AnnealForCost>(*std::move(cost))));
    }
  }
  return detours;
}

/// Returns the cost for which two-qubit gates are deleted.
Cost two_qubit_cost() { return Cost({Objective(CostKind::two_qubit), Objective(CostKind::total)}); }

/// Returns in how many turns annealing and deletion share an amount.
std::size_t rounds_of_deletion(const SearchState& state, const Budget::Amount& amount) {
  const double gates = static_cast<double>(state.best_cost().total) + 1;
  const double moves =
      amount.ticks == 0 ? amount.seconds / kSecondsOfMove : static_cast<double>(amount.ticks);
  return static_cast<std::size_t>(
      std::clamp(std::round(moves / (kMovesOfTurn * gates)), 1.0, kMostRounds));
}

/// Returns whether the first objective charges nothing for Clifford gates.
bool charges_nothing_for_cliffords(const Problem& problem) {
  return first_units_of(problem, make_circuit(2, {make_operation(GateKind::h, {0}),
                                                  make_operation(GateKind::s, {0}),
                                                  make_operation(GateKind::cx, {0, 1})})) == 0;
}

/// Returns whether two-qubit gates may be deleted for a cost.
bool may_delete_for(const Problem& problem, const Cost& cost) {
  return make_search_for_cost(problem, cost, &make_deletion_search)->applies(problem);
}

/// Returns whether two-qubit gates may be deleted if they are the first objective, but not for the
/// cost of the problem, which charges for all gates.
bool needs_two_qubit_start(const Problem& problem) {
  // The first question is answered at once, and the others by searches that are made for them.
  return may_delete_gates(problem) && !charges_nothing_for_cliffords(problem) &&
         may_delete_for(problem, two_qubit_cost()) &&
         !may_delete_for(problem, sums_of(problem.cost));
}

SearchPointer make_sum_search(const Problem& problem, Fragmentation fragments);

/// Returns a start that minimizes two-qubit gates above all. Blocks with any angles take far fewer
/// gates of all kinds once most of their two-qubit gates have been deleted, but the first deletions
/// lead to more one-qubit gates than they remove.
Start two_qubit_start(const Problem& problem) {
  Start start{make_search_for_cost(
                  problem, two_qubit_cost(),
                  [](const Problem& other) { return make_sum_search(other, Fragmentation::none); }),
              kTwoQubitShare, 1.25};
  start.is_improved = true;
  return start;
}

/// Returns the search for a cost that is a sum over the gates.
SearchPointer make_sum_search(const Problem& problem, Fragmentation fragments) {
  const auto simplify = std::make_shared<Simplify>(problem);
  const auto simplify_pass = std::make_shared<Pass>(kSimplifyPass, simplify);
  const auto backtrack = std::make_shared<Backtrack>(problem, simplify_pass);
  // A gate set with too many letters for a class table can only be annealed in another set.
  const auto annealing = std::make_shared<FirstThatApplies>(std::vector<SearchPointer>{
      make_annealing(AnnealingEnd::when_converged, simplify), make_intermediate_rounds(simplify)});
  const auto anneal_and_simplify = std::make_shared<FollowedBy>(
      std::make_shared<Share>(kAnnealingShare, annealing), simplify_pass);
  const auto simplification = std::make_shared<Pass>(
      kSimplifyPass, std::make_shared<SimplifyForAnnealing>(problem, simplify));
  const SearchPointer deletion = make_deletion(problem, simplify);
  const bool deletes = deletion->applies(problem);
  std::vector<Start> starts = starts_for(problem, simplification, simplify, fragments, deletes);
  if (fragments == Fragmentation::searched && needs_two_qubit_start(problem)) {
    starts.push_back(two_qubit_start(problem));
  }
  const auto rewriting = std::make_shared<Sequence>(std::vector<Part>{
      {make_portfolio(problem, {std::move(starts), detours_for(problem),
                                std::make_shared<FollowedBy>(anneal_and_simplify,
                                                             make_cancellation(problem, {}))})},
      {std::make_shared<UntilNoGain>(kAnnealingShare,
                                     make_annealing_with_cancellation(problem, anneal_and_simplify),
                                     backtrack)}});
  if (!deletes) return rewriting;
  const auto rounds = std::make_shared<Rounds>(
      &rounds_of_deletion, std::make_shared<Sequence>(std::vector<Part>{
                               {anneal_and_simplify, kAnnealingShareOfRound}, {deletion}}));
  const auto rewriting_and_deletion = std::make_shared<Sequence>(
      std::vector<Part>{{rewriting, kBeforeDeletionShare}, {deletion, kDeletionShare}, {rounds}});
  return std::make_shared<Sequence>(
      std::vector<Part>{{make_states(problem, simplify), kStatesShare}, {rewriting_and_deletion}});
}

/// Returns whether runs of gates on one qubit are merged before everything else, with the adjacent
/// inverse gates.
bool merges_runs_first(const Problem& problem) {
  return problem.circuit.operations.size() >= kMinOperationsOfRuns;
}

/// Returns the search for the sums of a cost with a critical path.
SearchPointer make_search_of_sums(const Problem& problem) {
  const SearchPointer search = make_sum_search(problem, Fragmentation::none);
  if (merges_runs_first(problem)) return search;
  return std::make_shared<Sequence>(std::vector<Part>{{make_adjacent_cancellation()}, {search}});
}

/// Returns starts for the depth of rotations alone, with commuting ones beside each other. Those of
/// the given circuit come first, because the check proves them in no time; fewer rotations are in
/// fewer layers.
std::vector<Start> starts_in_layers(const Problem& problem, const SearchPointer& simplify) {
  const SearchPointer layers = make_layers_search(problem);
  const SearchPointer sums = make_search_for_sums(problem, &make_search_of_sums);
  const auto after = [&](const Part& first) {
    return std::make_shared<Sequence>(std::vector<Part>{first, {layers}});
  };
  return {{after({simplify}), kShareOfGivenLayers, 1.25},
          {after({sums, kAnnealingShare}), kSumsShareInLayers, 1.25}};
}

/// Returns the search for a cost with a critical path: first for its sums, then for all of it.
SearchPointer make_path_search(const Problem& problem) {
  const auto simplify = std::make_shared<Simplify>(problem);
  const auto simplify_pass = std::make_shared<Pass>(kSimplifyPass, simplify);
  const auto anneal = std::make_shared<FirstThatApplies>(std::vector<SearchPointer>{
      std::make_shared<Pass>(kAnnealPass, std::make_shared<Anneal>(AnnealingEnd::when_converged)),
      make_intermediate_rounds(simplify)});
  const auto improvement = std::make_shared<FollowedBy>(anneal, simplify_pass);
  const bool is_first = !problem.cost.objectives().front().additive();
  const double share = !is_first ? kSumsShareOfLaterPath
                       : networks_pay_from(kMinOperationsIfTheyPay, problem)
                           ? kSumsShareWithNetworks
                           : kSumsShareOfFirstPath;
  std::vector<Start> starts;
  if (is_first && charges_nothing_for_cliffords(problem)) {
    starts = starts_in_layers(problem, simplify_pass);
  } else {
    starts.push_back({make_search_for_sums(problem, &make_search_of_sums), share, 1.25});
    // The circuit with the least sums may cost more than the given one, because its critical path
    // is longer.
    starts.push_back({std::make_shared<Sequence>(
                          std::vector<Part>{{simplify_pass}, {make_schedule_search(problem)}}),
                      kShareOfSimplified, 1.25});
  }
  if (is_first) starts.push_back({make_parallel_start(problem, simplify), 0.05, 1.25});
  if (is_first && needs_two_qubit_start(problem)) starts.push_back(two_qubit_start(problem));
  return std::make_shared<Sequence>(std::vector<Part>{
      {make_portfolio(problem, {std::move(starts), detours_for(problem), improvement})},
      {std::make_shared<UntilNoGain>(kAnnealingShare,
                                     std::make_shared<Share>(kAnnealingShare, improvement),
                                     std::make_shared<Backtrack>(problem, simplify_pass))}});
}

/// Runs a search, and simplifies the best circuit at last. In a short time annealing does not get
/// to all gates, and a circuit that has the best critical path may be one that nothing simplified.
class SimplifiedAtEnd : public SearchDecorator {
 public:
  SimplifiedAtEnd(const Problem& problem, SearchPointer search)
      : SearchDecorator(std::move(search)),
        last_{std::make_shared<Pass>(kSimplifyPass, std::make_shared<Simplify>(problem)),
              make_run_merging(problem), make_schedule_search(problem)} {}

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    const double seconds = std::min(kMostShareAtEnd * budget.seconds_left(),
                                    kSecondsAtEnd + kSecondsOfGateAtEnd * gates_of(state));
    const Outcome outcome = run_inner(
        state,
        budget.has_deadline() ? budget.limited_to({budget.seconds_left() - seconds, 0}) : budget);
    state.go_to(state.best());
    for (const SearchPointer& search : last_) {
      if (budget.stop.stop_requested() || is_overdue(state, budget)) break;
      (void)search->run(state, budget_at_end(state, budget, seconds));
      state.keep_best();
    }
    return outcome;
  }

  [[nodiscard]] static double gates_of(const SearchState& state) {
    return static_cast<double>(state.gate_count());
  }
  /// Returns a budget that does not depend on what the search has left.
  [[nodiscard]] static Budget budget_at_end(const SearchState& state, const Budget& budget,
                                            double seconds) {
    if (budget.counts_ticks()) {
      return Budget::of_ticks(kTicksOfGateAtEnd * state.gate_count(), budget.stop);
    }
    return Budget::of_seconds(seconds, budget.stop);
  }

  std::vector<SearchPointer> last_;
};

}  // namespace

SearchPointer make_auto_search(const Problem& problem) {
  const auto search = std::make_shared<Sequence>(std::vector<Part>{
      {merges_runs_first(problem) ? make_run_merging(problem) : make_adjacent_cancellation()},
      {problem.cost.additive() ? make_sum_search(problem, Fragmentation::searched)
                               : make_path_search(problem)}});
  if (merges_runs_first(problem)) return search;
  return std::make_shared<SimplifiedAtEnd>(problem, search);
}

}  // namespace quartz::optimizer
