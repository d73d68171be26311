#include "workflow/stages/continued_search.hpp"

#include <algorithm>
#include <utility>

#include "quartz/compound_journal/compound_journal.hpp"
#include "workflow/result_check.hpp"
#include "workflow/search_total.hpp"
#include "workflow/stages/search_parts.hpp"
#include "workflow/stages/stage_times.hpp"

namespace quartz::workflow {
namespace {

/// Largest distance of the result that may come from rounding, as in EquivalenceOptions::epsilon.
constexpr double kMostRounding = 1e-9;
/// The least fraction of the time with which a search goes on.
constexpr double kLeastShareOfRest = 0.01;

/// Takes the circuit of a search that began with the result, if it costs less and is as certain.
void take_if_better(SuperoptimizeResult& result, SuperoptimizeResult& next, const GateSet& set,
                    const SuperoptimizeOptions& options) {
  const CostValue cost = cost_of(next.circuit, result.cost);
  if (!(cost < cost_of(result.circuit, result.cost))) return;
  if (result.check.verified == true) {
    if (next.check.verified != true) return;
    std::optional<EquivalenceReport> report =
        chained_within_distance(result.check.report, next.check.report, options.epsilon);
    if (!report) return;
    result.check.text = text_of_verdict(*report);
    result.check.report = *std::move(report);
  }
  if (options.record_journal) {
    result.journal = joined_journal(std::move(result.journal), result.circuit,
                                    std::move(next.journal), set.custom_gates());
    result.journal_rewrites += next.journal_rewrites;
  }
  result.circuit = std::move(next.circuit);
  result.numeric = result.numeric || next.numeric;
  result.known_states += next.known_states;
  result.uncertified_cost = next.uncertified_cost;
  result.without_ancillas = cost;
}

}  // namespace

std::optional<EquivalenceReport> chained_within_distance(const EquivalenceReport& first,
                                                         const EquivalenceReport& second,
                                                         double epsilon) {
  EquivalenceReport report = chained(first, second);
  if (report.distance.value_or(0) > std::max(epsilon, kMostRounding)) return std::nullopt;
  return report;
}

double continue_search(SuperoptimizeResult& result, const GateSet& set,
                       const SuperoptimizeOptions& options, double share) {
  const bool has_search = options.steps != 0 || options.seconds > 0;
  const bool is_stopped = options.stop.stop_requested() || options.end_search.stop_requested();
  if (!has_search || share < kLeastShareOfRest || is_stopped) return 0;
  SuperoptimizeOptions rest = part_of(options, share);
  rest.epsilon = 0;  // the rotations are approximated already
  // Without a verdict, what was found before remains.
  if (options.check == CheckPolicy::required) rest.check = CheckPolicy::normal;
  SuperoptimizeResult next = superoptimize(result.circuit, set, rest);
  const double seconds = next.seconds;
  take_if_better(result, next, set, options);
  add_stages(result.stages, next.stages);
  add_search(result, std::move(next));
  result.run_record.class_tables = result.class_tables;
  return seconds;
}

}  // namespace quartz::workflow
