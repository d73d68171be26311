#include "workflow/stages/approximated_search.hpp"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "quartz/circuit/cost.hpp"
#include "quartz/compound_journal/compound_journal.hpp"
#include "quartz/workflow/options.hpp"
#include "workflow/result_check.hpp"
#include "workflow/rotations/approximated_rotations.hpp"
#include "workflow/rotations/one_qubit_runs.hpp"
#include "workflow/search_total.hpp"
#include "workflow/stages/search_parts.hpp"
#include "workflow/stages/stage_times.hpp"
#include "workflow/stages/weighted_rotations.hpp"

namespace quartz::workflow {
namespace {

/// The gates in which a circuit is optimized before its rotations are approximated.
constexpr std::string_view kExactSet = "nam";
/// The search for that, and with which it is done by default.
constexpr std::string_view kSearch = "auto";
/// Fraction of the time for that.
constexpr double kShareOfExactSearch = 0.6;

/// T gates that gates which are approximated together are taken for, as near as makes no difference
/// to whether a search found fewer.
constexpr double kTOfRun = 30;
/// Fraction of the time of the exact search after which it ends unless it found less than this part
/// of the T gates that merged rotations take.
constexpr double kShareOfFirstSearch = 0.25;
constexpr double kLeastGain = 0.99;

/// Returns the T gates that a circuit is expected to take with approximated rotations.
double expected_t(const Circuit& circuit) {
  const std::vector<OneQubitRun> runs = approximated_runs(circuit);
  std::vector<bool> is_in_run(circuit.operations.size(), false);
  for (const OneQubitRun& run : runs) {
    for (const std::size_t index : run.operations) is_in_run[index] = true;
  }
  Circuit others = without_operations(circuit);
  for (std::size_t i = 0; i < circuit.operations.size(); ++i) {
    if (!is_in_run[i]) others.operations.push_back(circuit.operations[i]);
  }
  return static_cast<double>(count_gates(others).t) + kTOfRun * static_cast<double>(runs.size());
}

bool is_usable(const SuperoptimizeResult& exact, const SuperoptimizeOptions& options) {
  return options.check == CheckPolicy::off || exact.check.verified == true;
}

/// Optimizes a circuit with all of its angles.
SuperoptimizeResult exactly(const Circuit& circuit, std::string_view search,
                            SuperoptimizeOptions exact) {
  exact.search = search;
  exact.cost = Cost({CostKind::t, CostKind::two_qubit, CostKind::total});
  exact.rules = DefaultRules{};
  exact.class_table.clear();
  exact.epsilon = 0;
  exact.assumptions = {};
  exact.qubit_order = QubitOrder::keep;
  exact.record_rules = false;
  exact.record_gains = false;
  if (exact.check == CheckPolicy::required) exact.check = CheckPolicy::normal;
  exact.on_warning = {};
  if (exact.on_progress) {
    // Its cost is another one than that of the call.
    exact.on_progress = [report = exact.on_progress](const SuperoptimizeProgress& /*progress*/) {
      report({.stage = SuperoptimizeStage::translate});
    };
  }
  return superoptimize(circuit, load_gate_set(kExactSet), exact);
}

}  // namespace

ExactResult with_fewer_rotations(const Circuit& circuit, const SuperoptimizeOptions& options,
                                 double share) {
  // Gates of the caller's gate set may be in no other one.
  if (!is_expressible(circuit, load_gate_set(kExactSet), options.stop)) return {};
  const double first_share = kShareOfFirstSearch * share;
  SuperoptimizeResult first = exactly(circuit, kSearch, part_of(options, first_share));
  SuperoptimizeOptions fold = part_of(options, first_share);
  fold.check = CheckPolicy::off;
  fold.record_journal = false;
  fold.seconds = 0;
  fold.steps = 0;
  const double folded = expected_t(exactly(circuit, "fold", fold).circuit);
  const double least = expected_t(first.circuit);
  if (!is_usable(first, options) || least > folded) return {std::nullopt, first_share};
  const bool is_stopped = options.stop.stop_requested() || options.end_search.stop_requested();
  if (is_stopped || least > kLeastGain * folded) return {std::move(first), first_share};
  SuperoptimizeResult second =
      exactly(first.circuit, kSearch, part_of(options, share - first_share));
  if (!is_usable(second, options) || expected_t(second.circuit) > least) {
    return {std::move(first), share};
  }
  return {
      after_exact_search(std::move(first), std::move(second), load_gate_set(kExactSet), options),
      share};
}

SuperoptimizeResult after_exact_search(SuperoptimizeResult exact, SuperoptimizeResult result,
                                       const GateSet& set, const SuperoptimizeOptions& options) {
  if (options.record_journal) {
    result.journal = joined_journal(std::move(exact.journal), exact.circuit,
                                    std::move(result.journal), set.custom_gates());
    result.journal_rewrites += exact.journal_rewrites;
  }
  if (result.check.verified == true) {
    EquivalenceReport report = chained(exact.check.report, result.check.report);
    report.notes = result.check.report.notes;
    result.check.text = text_of_verdict(report);
    result.check.report = std::move(report);
  }
  result.numeric = result.numeric || exact.numeric;
  result.annealing_moves += exact.annealing_moves;
  result.circuits_popped += exact.circuits_popped;
  result.seconds += exact.seconds;
  std::vector<StageTime> stages = std::move(exact.stages);
  add_stages(stages, result.stages);
  result.stages = std::move(stages);
  return result;
}

bool has_exact_search(const Circuit& circuit, const GateSet& set,
                      const SuperoptimizeOptions& options) {
  const bool has_time = options.steps != 0 || options.seconds > 0;
  const bool is_joined = !options.record_journal ||
                         (options.qubit_order == QubitOrder::keep && !options.assumptions.any());
  return options.epsilon > 0 && options.search == kSearch && has_time && is_joined &&
         options.checkpoint.folder.empty() && has_approximated_rotations(circuit, set, options);
}

SuperoptimizeResult superoptimize_and_approximate(const Circuit& circuit, const GateSet& set,
                                                  const SuperoptimizeOptions& options) {
  ExactResult exact = with_fewer_rotations(circuit, options, kShareOfExactSearch);
  SuperoptimizeResult result =
      superoptimize_at_once(exact.result ? exact.result->circuit : circuit, set,
                            finishing(part_of(options, 1 - exact.share)));
  if (exact.result) {
    result = after_exact_search(*std::move(exact.result), std::move(result), set, options);
  }
  result.run_record.options = recorded_options(options);
  if (options.on_result) options.on_result(result);
  return result;
}

}  // namespace quartz::workflow
