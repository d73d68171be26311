#include "optimize/search/combinators.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// Two rounds suffice for most circuits.
constexpr std::size_t kMaxRounds = 6;

/// Largest fraction of the time that is left which the first of several rewriters may take for the
/// others to be tried.
constexpr double kMaxShareForOthers = 0.25;

/// Fraction of the budget for the bodies, which have two or three gates each.
constexpr double kBodiesShare = 0.1;

/// Seconds after the end of a search from which on it is overdue.
constexpr double kMaxSecondsAfterEnd = 0.2;

/// Runs searches one after the other, each in its share of the whole amount, except those that do
/// not apply, and those after the first one once the search is overdue. If `last_takes_rest` is
/// set, the last one runs until the end of a budget in time. If `ends_without_result` is set,
/// nothing is run after a search without a result.
Outcome run_parts(std::span<const Part> parts, SearchState& state, const Budget& budget,
                  const Budget::Amount& whole, bool last_takes_rest, bool ends_without_result) {
  const auto applies = [&](const Part& part) { return part.search->applies(state.problem()); };
  while (!parts.empty() && !applies(parts.back())) parts = parts.first(parts.size() - 1);
  Outcome outcome = Outcome::exhausted;
  for (const Part& part : parts) {
    if (budget.stop.stop_requested()) return Outcome::budget_spent;
    if (&part != &parts.front() && is_overdue(state, budget)) return Outcome::budget_spent;
    if (!applies(part)) continue;
    const bool takes_rest = last_takes_rest && &part == &parts.back() && !budget.counts_ticks();
    const bool unlimited = part.share == 1 || takes_rest;
    outcome = part.search->run_applicable(
        state, unlimited ? budget : budget.limited_to(whole.times(part.share)));
    if (outcome == Outcome::no_result && ends_without_result) return outcome;
  }
  return outcome;
}

}  // namespace

bool is_overdue(const SearchState& state, const Budget& budget) {
  return budget.has_deadline() && state.problem().budget.is_over_for(kMaxSecondsAfterEnd);
}

Outcome Sequence::run_applicable(SearchState& state, const Budget& budget) {
  return run_parts(parts_, state, budget, budget.left(), true, false);
}

bool Sequence::is_bounded() const {
  return std::ranges::all_of(parts_, [](const Part& part) { return part.search->is_bounded(); });
}

std::optional<std::string> FirstThatApplies::obstacle(const Problem& problem) const {
  std::optional<std::string> first;
  for (const SearchPointer& search : searches_) {
    std::optional<std::string> obstacle = search->obstacle(problem);
    if (!obstacle) return {};
    if (!first) first = std::move(obstacle);
  }
  return first;
}

Outcome FirstThatApplies::run_applicable(SearchState& state, const Budget& budget) {
  for (const SearchPointer& search : searches_) {
    if (search->applies(state.problem())) return search->run_applicable(state, budget);
  }
  return Outcome::no_result;
}

Outcome BestOf::run_applicable(SearchState& state, const Budget& budget) {
  const Version start = state.now();
  const Budget::Amount whole = budget.left();
  std::optional<Version> best;
  SearchCost best_cost;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (!best && i + 1 == candidates_.size()) break;
    state.go_to(start);
    const Outcome outcome = run_parts(candidates_[i], state, budget, whole, false, true);
    if (outcome == Outcome::no_result) continue;
    const SearchCost cost = state.cost();
    if (best && best_cost < cost) continue;
    best = state.now();
    best_cost = cost;
  }
  state.go_to(best ? *std::move(best) : start);
  return best ? Outcome::exhausted : Outcome::no_result;
}

Outcome Rounds::run_applicable(SearchState& state, const Budget& budget) {
  const Budget::Amount whole = budget.left();
  const std::size_t rounds = std::max<std::size_t>(count_(state, whole), 1);
  const Budget::Amount amount_of_round = whole.times(1 / static_cast<double>(rounds));
  bool has_result = false;
  for (std::size_t left = rounds; left != 0; --left) {
    if (budget.spent()) return Outcome::budget_spent;
    const Version before = state.now();
    const SearchCost best_before = state.best_cost();
    const Outcome outcome =
        run_inner(state, budget.counts_ticks() ? budget.limited_to(amount_of_round)
                                               : budget.share(1 / static_cast<double>(left)));
    has_result = has_result || outcome != Outcome::no_result;
    if (!(state.best_cost() < best_before)) state.go_to(before);
  }
  return has_result ? Outcome::budget_spent : Outcome::no_result;
}

Outcome UntilNoGain::run_applicable(SearchState& state, const Budget& budget) {
  for (;;) {
    const Budget::Amount before = budget.left();
    const Outcome first = first_->run(state, budget);
    if (budget.stop.stop_requested()) return Outcome::budget_spent;
    if (first != Outcome::converged) return second_->run(state, budget);
    const Budget::Amount after = budget.left();
    const Budget::Amount used{before.seconds - after.seconds, before.ticks - after.ticks};
    const SearchCost best_before = state.best_cost();
    const Outcome second =
        second_->run(state, budget.limited_to(used.times((1 - share_) / share_)));
    if (second != Outcome::budget_spent || budget.spent()) return second;
    if (state.best_cost() == best_before) return Outcome::converged;
  }
}

void SearchDecorator::run_on_bodies(SearchState& state, const Budget& budget) {
  const Segments kind = state.now().kind;
  if (!state.isolate_bodies()) return;
  (void)run_inner(state, budget);
  state.divide(kind);
}

Outcome DividedThenJoined::run_applicable(SearchState& state, const Budget& budget) {
  if (state.now().kind == Segments::joined) run_on_bodies(state, budget);
  const Outcome divided = run_inner(state, budget);
  if (!state.join_segments()) return divided;
  const Outcome joined = run_inner(state, budget);
  return joined == Outcome::no_result ? divided : joined;
}

Outcome BodiesFirst::run_applicable(SearchState& state, const Budget& budget) {
  run_on_bodies(state, budget.share(kBodiesShare));
  return run_inner(state, budget);
}

Outcome Pass::run_applicable(SearchState& state, const Budget& budget) {
  Outcome outcome = Outcome::exhausted;
  state.run_pass(name_, [&] { outcome = run_inner(state, budget); });
  return outcome;
}

SearchCost cost_of_gates(const Problem& problem, std::span<const Operation> gates) {
  if (problem.cost.additive()) return sum_of_costs(gates, problem.cost);
  return search_cost_of(problem.circuit, gates, problem.cost);
}

std::optional<std::uint64_t> first_units_of(const Problem& problem, const Circuit& circuit) {
  try {
    return problem.cost.objectives().front().units_of(translate(circuit, problem.set, {}));
  } catch (const InputError&) {
    return std::nullopt;
  }
}

circuit::DerivedGates FixedPoint::try_rewrite(std::span<const Operation> gates,
                                              const Budget& budget) {
  circuit::DerivedGates result = circuit::DerivedGates::unchanged(gates);
  SearchCost cost = cost_of_gates(problem_, gates);
  std::size_t steps_without_gain = 0;
  for (std::size_t step = 0; step < kMaxRounds * rewriters_.size() &&
                             steps_without_gain < rewriters_.size() && !budget.spent();
       ++step) {
    circuit::DerivedGates next =
        rewriters_[step % rewriters_.size()]->rewrite(result.gates, budget);
    const SearchCost next_cost = cost_of_gates(problem_, next.gates);
    ++steps_without_gain;
    if (next_cost > cost) continue;
    try {
      result.phase.add_phase(next.phase);
    } catch (const OverflowError&) {
      continue;  // the exact sum of the phases does not fit into 64 bits
    }
    if (next_cost < cost) steps_without_gain = 0;
    cost = next_cost;
    result.gates = std::move(next.gates);
    result.derivation = result.derivation.then(std::move(next.derivation));
  }
  return result;
}

circuit::DerivedGates CheapestOf::try_rewrite(std::span<const Operation> gates,
                                              const Budget& budget) {
  const double seconds = budget.seconds_left();
  circuit::DerivedGates best = rewriters_.front()->rewrite(gates, budget);
  // What is left of a short limit is worth more to the searches that follow.
  const double left = budget.seconds_left();
  const bool has_time =
      !budget.has_deadline() || (left > 0 && seconds - left <= kMaxShareForOthers * left);
  if (gates.size() > max_gates_ || !has_time) return best;
  SearchCost best_cost = cost_of_gates(problem_, best.gates);
  for (const SegmentRewriterPointer& rewriter : std::span(rewriters_).subspan(1)) {
    circuit::DerivedGates next = rewriter->rewrite(gates, budget);
    const SearchCost cost = cost_of_gates(problem_, next.gates);
    if (!(cost < best_cost)) continue;
    best = std::move(next);
    best_cost = cost;
  }
  return best;
}

circuit::DerivedGates IfNotWorse::try_rewrite(std::span<const Operation> gates,
                                              const Budget& budget) {
  circuit::DerivedGates result = rewriter_->rewrite(gates, budget);
  // Merged rotations may end on qubits where they cost more.
  if (cost_of_gates(problem_, result.gates) > cost_of_gates(problem_, gates)) {
    return circuit::DerivedGates::unchanged(gates);
  }
  return result;
}

Outcome RewriteSegments::run_applicable(SearchState& state, const Budget& budget) {
  const Budget limits = budget.counts_ticks() && !spends_ticks_ ? budget.until_stopped() : budget;
  const bool may_get_worse = !state.problem().cost.additive() || state.is_directed();
  const Version before = may_get_worse ? state.now() : Version();
  const SearchCost cost_before = may_get_worse ? state.cost() : SearchCost();
  for (std::size_t i = 0; i < state.segment_count() && !limits.spent(); ++i) {
    const std::span<const Operation> gates = state.segment(i).gates;
    if (gates.empty()) continue;
    circuit::DerivedGates rewritten = rewriter_->rewrite(gates, limits);
    try {
      rewritten = state.with_directions_fixed(std::move(rewritten));
    } catch (const OverflowError&) {
      continue;  // the exact sum of the phases of reversed gates does not fit 64 bits
    }
    state.replace(i, std::move(rewritten));
  }
  if (may_get_worse &&
      (state.cost() > cost_before || !state.respects_directions(state.circuit_of(state.now())))) {
    state.go_to(before);
    return Outcome::no_result;
  }
  state.keep_best();
  return Outcome::exhausted;
}

bool replace_segments(SearchState& state, SegmentRewriter& rewriter, const Budget& budget) {
  bool has_changed = false;
  for (std::size_t i = 0; i < state.segment_count() && !budget.spent(); ++i) {
    const std::span<const Operation> gates = state.segment(i).gates;
    if (gates.empty()) continue;
    circuit::DerivedGates rewritten = rewriter.rewrite(gates, budget);
    if (rewritten.derivation.history() == nullptr) continue;
    state.replace(i, std::move(rewritten));
    has_changed = true;
  }
  return has_changed;
}

}  // namespace quartz::optimizer
