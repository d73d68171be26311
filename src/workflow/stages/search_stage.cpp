#include "workflow/stages/search_stage.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "quartz/base/parallel_for.hpp"
#include "workflow/circuit_pipelines.hpp"
#include "workflow/search_total.hpp"

namespace quartz::workflow {
namespace {

/// Returns the seconds of the limit that the search leaves for the check, so that a call with a
/// small circuit ends on time. The check of 100 gates takes 10 to 40 ms; that of large circuits
/// takes longer, and has a limit of its own.
double seconds_for_check(const SuperoptimizeOptions& options) {
  constexpr double kShare = 0.06;
  constexpr double kMost = 0.02;
  if (options.check == CheckPolicy::off || options.steps != 0) return 0;
  return std::min(kShare * options.seconds, kMost);
}

/// Fractions of the time or the steps at which a search with a free order stops, so that SWAP gates
/// can be taken for free. The last part lets it use the last of them, and gives the check circuits
/// of the same order to fall back to.
constexpr std::array kStops{0.45, 0.85, 1.0};
/// With shorter limits, the first or both stops are left out, and the first one for circuits of
/// more gates: annealing would end before it has cooled down, or leave out the intermediate gate
/// set. With a coupling map the first one is left out too, because only the last SWAP gates of the
/// circuit are free.
constexpr double kMinSecondsOfFirstStop = 1.9;
constexpr double kMinSecondsOfStops = 1.5;
constexpr std::size_t kMaxOperationsOfFirstStop = 500;
/// Fraction of the time for simplifying a circuit.
constexpr double kSimplificationShare = 0.05;

/// Returns whether a search has the time to do anything with a circuit whose runs of gates on one
/// qubit have been merged.
bool suffices(const OptimizeOptions& search, std::size_t operations) {
  // To read the circuit for its costs, and once for each pass.
  constexpr double kSecondsOfOperation = 1e-7;
  if (search.steps != 0 || search.seconds == 0) return true;
  return search.seconds - search.seconds_spent >
         kSecondsOfOperation * static_cast<double>(operations);
}

}  // namespace

void SearchStage::run() {
  const bool takes_free_swaps = state_.options.qubit_order == QubitOrder::free &&
                                state_.options.checkpoint.folder.empty() &&
                                is_of_free_order(state_.circuit_now());
  takes_free_swaps ? search_with_free_swaps() : search_until(1);
}

OptimizeOptions SearchStage::search_options() const {
  const SuperoptimizeOptions& options = state_.options;
  const SuperoptimizeResult& result = state_.result;
  OptimizeOptions search;
  search.cost = result.cost;
  search.seconds = options.seconds;
  search.threads = options.threads;
  search.seed = options.seed;
  search.search = options.search;
  search.exactness = options.exactness;
  // Approximated rotations take all of it.
  search.epsilon = result.approximated_rotations == 0 ? options.epsilon : 0;
  search.coupling = result.coupling;
  search.steps = options.steps;
  search.backend = options.backend;
  search.workers = options.workers;
  search.stop = parts_.stop;
  search.record_rules = options.record_rules;
  search.record_gains = options.record_gains;
  search.table_memory = options.table_memory;
  search.find_class_table = [&tables = parts_.tables](const GateSet& of,
                                                      const ClassTableOptions& wanted) {
    return tables.find(of, wanted);
  };
  search.on_class_table = [&tables = parts_.tables, has_workers = options.workers != nullptr](
                              const GateSet& of, const ClassTableOptions& wanted,
                              std::shared_ptr<const ClassTable> built) {
    tables.note(of, wanted, std::move(built));
    // Other processes take it from the cache.
    if (has_workers) tables.keep();
  };
  if (options.on_progress) {
    search.on_progress =
        [&options, translated = state_.cost_of_translation()](const OptimizeProgress& progress) {
          options.on_progress({.stage = SuperoptimizeStage::search,
                               .search = &progress,
                               .translated_cost = &translated});
        };
  }
  return search;
}

double SearchStage::seconds_left() const {
  if (state_.options.steps != 0) return std::numeric_limits<double>::infinity();
  return state_.options.seconds - parts_.clock.total_seconds();
}

OptimizeOptions SearchStage::options_until(double stop) {
  OptimizeOptions search = search_options();
  if (state_.options.steps != 0) {
    const double steps = (stop - spent_) * static_cast<double>(state_.options.steps);
    search.steps = std::max<std::uint64_t>(static_cast<std::uint64_t>(steps), 1);
  } else {
    // What the search does depends on the time that it is given, whatever came before it has taken.
    const double reserve = stop == 1 ? seconds_for_check(state_.options) : 0;
    const double left = stop * state_.options.seconds - parts_.clock.total_seconds() - reserve;
    search.seconds = (stop - spent_) * state_.options.seconds;
    search.seconds_spent = search.seconds - left;
  }
  search.continues = spent_ > 0 || parts_.checkpoint.continues();
  spent_ = stop;
  return search;
}

void SearchStage::search_until(double stop) {
  const double spent_before = spent_;
  OptimizeOptions search = options_until(stop);
  const bool has_merged_runs = state_.has_merged_runs && spent_before == 0;
  if (has_merged_runs && !suffices(search, state_.circuit_now().operations.size())) {
    OptimizeResult no_search;
    no_search.stop_reason = StopReason::time_limit;
    no_search.threads = thread_count(search.threads);
    add_search(state_.result, std::move(no_search));
    return;
  }
  optimizer::SearchListener listener{.records = state_.records(),
                                     .has_merged_runs = has_merged_runs,
                                     .copies_unchanged = false,
                                     .on_better = {},
                                     .on_best = {}};
  parts_.checkpoint.attach(search, listener, state_.now);
  parts_.certification.follow(listener, seconds_left());
  if (search.on_progress) {
    search.on_progress = [seconds = state_.result.seconds, popped = state_.result.circuits_popped,
                          report = std::move(search.on_progress)](OptimizeProgress progress) {
      progress.seconds += seconds;
      progress.circuits_popped += popped;
      report(progress);
    };
  }
  optimizer::SearchResult found =
      optimizer::search(state_.circuit_now(), state_.set, parts_.rules, search, listener);
  if (found.has_better) state_.append(std::move(found.best));
  add_search(state_.result, std::move(found.report));
}

circuit::DerivedCircuit SearchStage::simplified(const Circuit& circuit) {
  OptimizeOptions quick = search_options();
  quick.search = "simplify";
  quick.threads = 1;
  quick.on_progress = {};
  if (state_.options.steps == 0) quick.seconds = kSimplificationShare * state_.options.seconds;
  return optimizer::search(circuit, state_.set, parts_.rules, quick,
                           {.records = state_.records(), .on_better = {}, .on_best = {}})
      .best;
}

bool SearchStage::leaves_out(double stop) const {
  const auto is_below = [&](double seconds) {
    return state_.options.steps == 0 && state_.options.seconds < seconds;
  };
  if (stop == kStops.back()) return false;
  if (is_below(kMinSecondsOfStops)) return true;
  if (stop != kStops.front()) return false;
  return is_below(kMinSecondsOfFirstStop) || state_.result.coupling ||
         state_.circuit_now().operations.size() > kMaxOperationsOfFirstStop;
}

void SearchStage::search_with_free_swaps() {
  const auto take_swaps = [&] {
    const auto simplify = [this](const Circuit& circuit) { return simplified(circuit); };
    (void)take_free_swaps(state_.complete_now(), state_.context(), simplify);
  };
  state_.append(simplified(state_.circuit_now()));
  take_swaps();
  for (const double stop : kStops) {
    if (leaves_out(stop)) continue;
    search_until(stop);
    if (parts_.stop.stop_requested() || state_.result.stop_reason == StopReason::memory_limit)
      break;
    if (stop != kStops.back()) take_swaps();
  }
}

}  // namespace quartz::workflow
