#include "quartz/optimize/optimize.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include "optimize/derived_search.hpp"
#include "optimize/requirements.hpp"
#include "optimize/search/search_list.hpp"
#include "optimize/search/time_to_return.hpp"
#include "optimize/state/best_observer.hpp"
#include "optimize/state/class_tables.hpp"
#include "optimize/state/search_state.hpp"
#include "optimize/window_device/chain_devices.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"

namespace quartz {
namespace {

Budget budget_of(const OptimizeOptions& options) {
  if (options.steps != 0) return Budget::of_ticks(options.steps, options.stop);
  return Budget::of_seconds(options.seconds - options.seconds_spent, options.stop);
}

/// Runs a search, which a request to stop ends. Returns nothing if there was no memory to go on;
/// the state then has the best version so far.
std::optional<optimizer::Outcome> run_search(const optimizer::SearchPointer& search,
                                             const Budget& budget, optimizer::SearchState& state,
                                             optimizer::BestObserver& observer) {
  try {
    return search->run(state, budget);
  } catch (const Stopped&) {
    return optimizer::Outcome::budget_spent;
  } catch (const std::bad_alloc&) {
    if (std::optional<optimizer::Version> best = observer.take_best()) {
      state.go_to(*std::move(best));
      state.keep_best();
    }
    return std::nullopt;
  }
}

StopReason stop_reason(optimizer::Outcome outcome, const Budget& budget,
                       const optimizer::SearchState& state) {
  if (budget.stop.stop_requested()) return StopReason::interrupted;
  if (outcome == optimizer::Outcome::converged) return StopReason::converged;
  if (budget.counts_ticks()) {
    return outcome == optimizer::Outcome::budget_spent ? StopReason::step_limit
                                                       : StopReason::exhausted;
  }
  const bool ran_out = outcome == optimizer::Outcome::budget_spent || budget.is_over();
  return ran_out || state.was_cut_short() ? StopReason::time_limit : StopReason::exhausted;
}

}  // namespace

optimizer::SearchResult optimizer::search(const Circuit& circuit, const GateSet& set,
                                          const RuleSet& rules, const OptimizeOptions& options,
                                          const SearchListener& listener) {
  const Budget budget = budget_of(options);
  optimizer::require_suitable(circuit, set, options);
  require_search(options.search);
  optimizer::ClassTables tables(options);
  // What a number of steps finds must not depend on the number of devices.
  optimizer::ChainDevices chain_devices(optimizer::device_for_chains(options),
                                        options.steps != 0 ? 1 : ~0U);
  optimizer::Problem problem{.circuit = circuit,
                             .set = set,
                             .rules = rules,
                             .cost = options.cost,
                             .coupling = options.coupling ? &*options.coupling : nullptr,
                             .accuracy = {options.exactness, options.epsilon},
                             .threads = thread_count(options.threads),
                             .seed = options.seed,
                             .budget = budget,
                             .amount = {options.seconds, options.steps},
                             .record = {.rules = options.record_rules,
                                        .gains = options.record_gains,
                                        .history = listener.records},
                             .has_merged_runs = listener.has_merged_runs,
                             .table_memory = options.table_memory,
                             .tables = tables,
                             .device = optimizer::device_for_flips(options),
                             .parity_device = optimizer::device_for_parities(options),
                             .chain_devices = &chain_devices,
                             .workers = options.workers};
  if (listener.on_best && !listener.on_better) {
    problem.follows_one_thread = listener.follows_one_thread;
  }
  optimizer::SearchState state(problem);
  problem.budget = optimizer::with_time_to_return(budget, state);
  optimizer::BestObserver observer(state, state.best_cost(), listener.on_better, listener.on_best);
  if (listener.on_better || listener.on_best || options.on_progress) {
    problem.on_version = [&](const optimizer::Version& version, const optimizer::SearchCost& cost) {
      observer.offer(version, cost);
    };
  }
  std::string_view last_pass;
  if (options.on_progress) {
    problem.on_progress = [&](std::string_view pass) {
      last_pass = pass;
      options.on_progress(
          {pass, observer.cost().objectives, state.figures.circuits_popped, state.seconds()});
    };
  }
  const bool has_budget = options.steps != 0 || options.seconds != 0;
  optimizer::SearchPointer method = optimizer::make_search(options, has_budget, problem);
  const std::optional<optimizer::Outcome> outcome =
      run_search(method, has_budget ? problem.budget : budget.until_stopped(), state, observer);
  method.reset();
  observer.finish();
  // A search for other costs on the way reports its own best circuits, and the last report may be
  // one of these. Without memory to continue nothing is reported: a report that fails as well would
  // lose the result.
  if (outcome && !last_pass.empty()) {
    options.on_progress(
        {last_pass, state.best_cost().objectives, state.figures.circuits_popped, state.seconds()});
  }
  const StopReason reason =
      outcome ? stop_reason(*outcome, budget, state) : StopReason::memory_limit;
  SearchResult result = state.finish(listener.copies_unchanged);
  result.report.stop_reason = reason;
  result.report.threads = problem.threads;
  result.report.class_tables = tables.summaries();
  return result;
}

void add_to(std::optional<DeviceAnnealing>& total, const std::optional<DeviceAnnealing>& next) {
  if (!total || !next) {
    total = total ? total : next;
    return;
  }
  total->devices = std::max(total->devices, next->devices);
  total->chains = std::max(total->chains, next->chains);
  total->sweeps += next->sweeps;
  total->moves += next->moves;
  total->confirmed += next->confirmed;
  total->refuted += next->refuted;
}

OptimizeResult optimize(const Circuit& circuit, const GateSet& set, const RuleSet& rules,
                        const OptimizeOptions& options) {
  optimizer::SearchListener listener;
  if (options.on_better) {
    listener.on_better = [&](const optimizer::DerivedBest& best) {
      options.on_better({best.found.circuit, best.found.derivation.is_numeric(), best.seconds});
    };
  }
  optimizer::SearchResult found = optimizer::search(circuit, set, rules, options, listener);
  OptimizeResult result = std::move(found.report);
  result.circuit = std::move(found.best.circuit);
  result.numeric = found.best.derivation.is_numeric();
  return result;
}

}  // namespace quartz
