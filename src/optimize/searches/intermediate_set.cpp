#include "optimize/searches/intermediate_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/pace.hpp"
#include "optimize/search/search_list.hpp"
#include "optimize/search/time_to_return.hpp"
#include "optimize/searches/anneal.hpp"
#include "optimize/searches/simplify.hpp"
#include "quartz/base/errors.hpp"
#include "target/translation.hpp"

namespace quartz::optimizer {
namespace {

constexpr PassName kIntermediatePass{"intermediate",
                                     "annealed in {h, x, rz, cx}, and translated back"};

/// A round has about this many moves per gate of the target, and more if there would otherwise be
/// too many rounds. Each round starts from the best circuit so far, because annealing in the
/// intermediate set does not see the two-qubit blocks of a target with rzz(theta) or iswap. Among
/// 500 to 16,000 moves per gate, rounds of 1,000 to 4,000 give equal results, and longer rounds
/// worse ones.
constexpr double kMovesOfRound = 2000;
constexpr double kMaxIntermediateRounds = 32;

/// Circuits of equal cost in the intermediate set become circuits of different costs in the target,
/// because the cost in the intermediate set does not count one-qubit gates. This many of the
/// circuits that annealing visits, fewer if they have many gates, are translated back and
/// simplified, in this share of the time.
constexpr std::size_t kMaxAlternatives = 256;
constexpr std::size_t kGatesOfAlternatives = 200'000;
constexpr double kAlternativesShare = 0.2;

/// Time between two circuits that are translated back on the way, unless this takes long.
constexpr std::chrono::milliseconds kBetweenCircuits{300};

/// Estimated time for one of them, in copies of the circuit, and how many times the estimate, or
/// the longest time so far, must be left.
constexpr double kCopiesToOffer = 50;
constexpr double kOfferReserve = 1.5;

/// Minimum time limit, in seconds.
constexpr double kShortestTime = 0.1;

bool has(const GateSet& set, GateKind gate) {
  return std::any_of(set.entries.begin(), set.entries.end(),
                     [&](const GateSetEntry& entry) { return entry.gate == gate; });
}

bool begins_with(const Cost& cost, CostKind kind) {
  return cost.objectives()[0].named() == &cost_name(kind);
}

/// Returns the cost to minimize in the intermediate set. It omits one-qubit gates, because their
/// number after the translation back is unknown; the two-qubit gates stay.
Cost intermediate_cost(const Cost& cost) {
  std::vector<Objective> objectives;
  if (begins_with(cost, CostKind::t)) objectives.emplace_back(CostKind::t);
  objectives.emplace_back(CostKind::two_qubit);
  objectives.emplace_back(CostKind::total);
  return Cost(std::move(objectives));
}

/// Returns a derived circuit in gates of the set, or nothing if the set cannot express it exactly.
std::optional<circuit::DerivedCircuit> in_set(circuit::DerivedCircuit derived, const GateSet& set) {
  try {
    derived.append(target::translated(derived.circuit, set));
    return derived;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// Returns whether all gates are on coupled qubits, in one direction or the other.
bool is_coupled(const Circuit& circuit, const Problem& problem) {
  return problem.coupling == nullptr ||
         !uncoupled_gate(circuit, problem.coupling->without_direction());
}

/// The search in the intermediate set. The problem and everything it refers to must outlive it.
class Detour {
 public:
  /// Called with a circuit that was found on the way, derived from the first one in this set.
  using OnCircuit = std::function<void(const circuit::DerivedCircuit&)>;

  Detour(const SearchState& state, GateSet set, Circuit circuit, OnCircuit on_circuit)
      : set_(std::move(set)), circuit_(std::move(circuit)), on_circuit_(std::move(on_circuit)) {
    const Problem& target = state.problem();
    if (target.coupling != nullptr) coupling_ = target.coupling->without_direction();
    problem_.emplace(
        Problem{.circuit = circuit_,
                .set = set_,
                .rules = no_rules_,
                .cost = intermediate_cost(target.cost),
                .coupling = coupling_ ? &*coupling_ : nullptr,
                .accuracy = {.exactness = target.accuracy.exactness},
                .threads = target.threads,
                .seed = target.seed ^ state.figures.annealing_moves,
                .record = {.gains = target.record.gains, .history = target.record.history},
                .table_memory = target.table_memory,
                .tables = target.tables,
                .chain_devices = target.chain_devices,
                .follows_one_thread = target.follows_one_thread,
                // The cost in the intermediate set is not comparable.
                .on_progress = [&state](std::string_view pass) { state.report(pass); }});
  }

  [[nodiscard]] SearchResult run(const Budget& budget, std::size_t alternatives) {
    problem_->record.alternatives = alternatives;
    problem_->amount = budget.left();
    SearchState state(*problem_);
    problem_->budget = with_time_to_return(budget, state);
    if (on_circuit_) {
      problem_->on_version = [&](const Version& version, const SearchCost&) {
        if (!pace_.is_due() || !has_time_to_offer(budget, state)) return;
        pace_.run([&] { on_circuit_(state.derived_circuit(version)); });
      };
    }
    (void)make_annealing_schedule(*problem_)->run(state, problem_->budget);
    return state.finish();
  }

 private:
  /// Returns whether a circuit can be translated back and simplified in the time that is left.
  [[nodiscard]] bool has_time_to_offer(const Budget& budget, const SearchState& state) const {
    if (budget.counts_ticks()) return true;
    const double known = pace_.longest().count();
    const double estimate = known != 0 ? known : kCopiesToOffer * state.copy_seconds();
    return kOfferReserve * estimate < budget.seconds_left();
  }

  GateSet set_;
  Circuit circuit_;
  OnCircuit on_circuit_;
  Pace pace_{kBetweenCircuits};
  RuleSet no_rules_;
  std::optional<CouplingMap> coupling_;
  std::optional<Problem> problem_;
};

}  // namespace

IntermediateSetUse intermediate_set_use(const GateSet& set, const Cost& cost) {
  if (has(set, GateKind::h) && has(set, GateKind::cx)) return IntermediateSetUse::none;
  if (begins_with(cost, CostKind::two_qubit) && !has(set, GateKind::cx)) {
    return IntermediateSetUse::gains;
  }
  return IntermediateSetUse::may_gain;
}

InIntermediateSet::InIntermediateSet(SearchPointer simplify, bool with_alternatives)
    : set_(load_gate_set(kIntermediateSet)),
      simplify_(std::move(simplify)),
      with_alternatives_(with_alternatives) {}

std::optional<std::string> InIntermediateSet::obstacle(const Problem& problem) const {
  if (problem.set.digest == set_.digest) {
    return "the gate set is '" + std::string(kIntermediateSet) + "' itself; use 'anneal'";
  }
  if (problem.record.rules) {
    return "rules are to be recorded, and it records none in gates of the target";
  }
  const bool has_time = problem.amount.ticks != 0 || problem.amount.seconds >= kShortestTime;
  if (has_time) return {};
  // The search may be a part of one to which the caller gave more time.
  return fmt::format("it needs {:g} s, and {:.3g} s of the time limit are for it", kShortestTime,
                     std::max(problem.amount.seconds, 0.0));
}

Outcome InIntermediateSet::run_applicable(SearchState& state, const Budget& budget) {
  if (state.now().kind == Segments::bodies) return Outcome::no_result;
  circuit::DerivedCircuit best = state.best_circuit();
  const std::size_t operations = best.circuit.operations.size();
  std::optional<circuit::DerivedCircuit> start = in_set(std::move(best), set_);
  if (!start || !is_coupled(start->circuit, state.problem())) return Outcome::no_result;
  const circuit::Derivation entered = std::move(start->derivation);
  std::size_t alternatives = 0;
  if (with_alternatives_) {
    alternatives =
        std::clamp<std::size_t>(kGatesOfAlternatives / (1 + operations), 1, kMaxAlternatives);
  }
  const bool keeps_time = with_alternatives_ && !budget.counts_ticks();
  Detour::OnCircuit on_circuit;
  if (state.problem().on_version) {
    on_circuit = [&](const circuit::DerivedCircuit& found) {
      offer_version(state, found, entered);
    };
  }
  SearchResult result =
      Detour(state, set_, std::move(start->circuit), std::move(on_circuit))
          .run(keeps_time ? budget.share(1 - kAlternativesShare) : budget, alternatives);
  state.figures.annealing_moves += result.report.annealing_moves;
  add_to(state.figures.device_annealing, result.report.device_annealing);
  return continue_with(state, std::move(result), entered, budget);
}

void InIntermediateSet::offer_version(const SearchState& state,
                                      const circuit::DerivedCircuit& found,
                                      const circuit::Derivation& entered) {
  const Problem& problem = state.problem();
  std::optional<circuit::DerivedCircuit> returned =
      in_set({found.circuit, entered.then(found.derivation)}, problem.set);
  if (!returned) return;
  // The search is in its own state meanwhile, so this one offers what it finds to the caller.
  SearchState own(problem);
  if (!own.restart_from(*std::move(returned))) return;
  own.keep_best();
  const Budget& budget = problem.budget;
  (void)simplify_->run(own, budget.counts_ticks() ? budget.until_stopped() : budget);
}

Outcome InIntermediateSet::continue_with(SearchState& state, SearchResult result,
                                         const circuit::Derivation& entered, const Budget& budget) {
  const Version before = state.now();
  state.go_to(state.best());
  for (RewriteGain& each : result.report.gains) {
    each.rewrite.pass = kIntermediatePass.name;
    state.add_gain(std::move(each.rewrite), {each.uses, each.gates_removed, each.gates_removed});
  }
  const Version origin = state.now();
  std::optional<Version> least;
  SearchCost least_cost;
  const auto consider = [&](circuit::DerivedCircuit& found) {
    std::optional<circuit::DerivedCircuit> returned = in_set(
        {std::move(found.circuit), entered.then(std::move(found.derivation))}, state.problem().set);
    if (!returned) return false;
    state.go_to(origin);
    if (!state.restart_from(*std::move(returned))) return true;
    (void)simplify_->run(state, state.problem().budget);
    const SearchCost cost = state.cost();
    if (least && !(cost < least_cost)) return true;
    least = state.now();
    least_cost = cost;
    return true;
  };
  bool is_expressible = consider(result.best);
  for (circuit::DerivedCircuit& each : result.alternatives) {
    const bool is_over = !budget.counts_ticks() && budget.is_over();
    if (!is_expressible || budget.stop.stop_requested() || is_over) break;
    is_expressible = consider(each);
  }
  state.go_to(least ? *std::move(least) : before);
  return least ? Outcome::exhausted : Outcome::no_result;
}

SearchPointer make_intermediate_rounds(SearchPointer simplify) {
  const auto count = [](const SearchState& state, const Budget::Amount& amount) {
    const double gates = static_cast<double>(state.best_cost().total) + 1;
    const double moves =
        amount.ticks == 0 ? amount.seconds / kSecondsOfMove : static_cast<double>(amount.ticks);
    return static_cast<std::size_t>(
        std::clamp(std::round(moves / (kMovesOfRound * gates)), 1.0, kMaxIntermediateRounds));
  };
  return std::make_shared<Rounds>(
      count, std::make_shared<Pass>(kIntermediatePass, std::make_shared<InIntermediateSet>(
                                                           std::move(simplify), true)));
}

SearchPointer make_intermediate_trial(SearchPointer simplify) {
  return std::make_shared<Pass>(kIntermediatePass,
                                std::make_shared<InIntermediateSet>(std::move(simplify), false));
}

SearchPointer make_intermediate_search(const Problem& problem) {
  return make_intermediate_rounds(std::make_shared<Simplify>(problem));
}

}  // namespace quartz::optimizer
