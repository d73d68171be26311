#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "python/bindings/bindings.hpp"
#include "python/bindings/call_without_gil.hpp"
#include "python/bindings/options.hpp"
#include "python/bindings/report.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/report/html_report.hpp"
#include "quartz/report/statistics.hpp"
#include "quartz/workflow/options.hpp"
#include "quartz/workflow/superoptimize.hpp"

namespace quartz::python {
namespace {

/// What the search reported last, for the thread that waits for its end.
class Reports {
 public:
  void add(const SuperoptimizeProgress& progress, const Cost& cost) {
    if (progress.search == nullptr) return;
    const std::lock_guard lock(mutex_);
    latest_ = Latest{progress.search->seconds, progress.search->best_cost};
    history_.add(progress.search->seconds, progress.search->best_cost, cost);
  }
  void add_warning(std::string_view text) {
    const std::lock_guard lock(mutex_);
    warnings_.emplace_back(text);
  }

  /// Calls `show(seconds, best_cost)` if there is something new. Call with the GIL.
  void show_latest(const nb::object& show, const Cost& cost);
  /// Returns the seconds and the best cost at each time when it became less. Call after the search.
  [[nodiscard]] nb::list history(const Cost& cost) const;
  /// Issues the warnings. Call with the GIL.
  void issue_warnings();

 private:
  struct Latest {
    double seconds = 0;
    CostValue cost;
  };
  std::mutex mutex_;
  std::optional<Latest> latest_;
  CostHistory history_;
  std::vector<std::string> warnings_;
};

/// Returns the value of each objective by its name.
nb::dict by_objective(const CostValue& value, const Cost& cost) {
  nb::dict values;
  for (std::size_t i = 0; i < cost.objectives().size(); ++i) {
    const Objective& objective = cost.objectives()[i];
    values[nb::str(std::string(objective.name()).c_str())] = objective.value(value.units.at(i));
  }
  return values;
}

void Reports::show_latest(const nb::object& show, const Cost& cost) {
  std::optional<Latest> latest;
  {
    const std::lock_guard lock(mutex_);
    latest = std::exchange(latest_, std::nullopt);
  }
  if (latest) show(latest->seconds, by_objective(latest->cost, cost));
}

nb::list Reports::history(const Cost& cost) const {
  nb::list points;
  for (const CostAtTime& point : history_.points()) {
    nb::dict values;
    for (std::size_t i = 0; i < cost.objectives().size(); ++i) {
      values[nb::str(std::string(cost.objectives()[i].name()).c_str())] = point.values.at(i);
    }
    points.append(nb::make_tuple(point.seconds, values));
  }
  return points;
}

void Reports::issue_warnings() {
  for (const std::string& warning : std::exchange(warnings_, {})) {
    nb::module_::import_("quartz.caller").attr("warn_caller")(warning);
  }
}

nb::list passes_of(const SuperoptimizeResult& result) {
  nb::list passes;
  for (const OptimizePass& pass : result.passes) {
    nb::dict fields;
    fields["name"] = nb::cast(pass.name);
    fields["description"] = nb::cast(pass.description);
    fields["runs"] = pass.runs;
    fields["runs_that_paid"] = pass.runs_that_paid;
    fields["gates_removed"] = pass.gates_removed;
    fields["seconds"] = pass.seconds;
    passes.append(fields);
  }
  return passes;
}

nb::dict check_of(const ResultCheck& check) {
  nb::dict fields = check_fields(check.report);
  if (!check.verified) fields["verdict"] = "not checked";
  return fields;
}

/// Returns what quartz-opt --stats writes.
std::string statistics_of_call(const Circuit& input, const SuperoptimizeResult& result,
                               const GateSet& set, const SuperoptimizeOptions& options) {
  return statistics_of({.input = input,
                        .result = result,
                        .gate_set = set.name,
                        .has_journal = options.record_journal,
                        .stages = result.stages});
}

nb::dict stages_of(const SuperoptimizeResult& result) {
  nb::dict stages;
  for (const StageTime& stage : result.stages) stages[nb::str(stage.name.c_str())] = stage.seconds;
  return stages;
}

nb::dict known_states_of(const SuperoptimizeResult& result) {
  nb::dict changes;
  changes["gates_removed"] = result.known_states.gates_removed;
  changes["gates_replaced"] = result.known_states.gates_replaced;
  return changes;
}

/// Returns the fields of quartz.OptimizeResult, except for those that Python computes.
nb::dict fields_of(SuperoptimizeResult&& result, const GateSet& set,
                   const SuperoptimizeOptions& options) {
  nb::dict fields;
  fields["cost_before"] = by_objective(cost_of_translation(result), result.cost);
  fields["cost_after"] = by_objective(cost_of(result.circuit, result.cost), result.cost);
  fields["uncertified_cost"] = result.uncertified_cost
                                   ? nb::object(by_objective(*result.uncertified_cost, result.cost))
                                   : nb::none();
  fields["checked"] = check_of(result.check);
  fields["known_states"] = known_states_of(result);
  fields["approximated_rotations"] = result.approximated_rotations;
  fields["ancillas"] = result.ancillas;
  fields["permutation"] = nb::tuple(nb::cast(result.permutation));
  fields["stop_reason"] = nb::cast(to_string(result.stop_reason));
  fields["exact"] = !result.numeric;
  fields["threads"] = result.threads;
  fields["stages"] = stages_of(result);
  fields["passes"] = passes_of(result);
  fields["journal"] = options.record_journal
                          ? nb::object(nb::bytes(result.journal.data(), result.journal.size()))
                          : nb::none();
  fields["rules"] =
      options.record_rules ? nb::cast(recorded_rule_set(result, set, options.seed)) : nb::none();
  fields["translated"] = nb::cast(std::move(result.translated));
  fields["circuit"] = nb::cast(std::move(result.circuit));
  return fields;
}

/// Searches from a copy, because another thread of Python may change the circuit.
nb::dict optimize_circuit(Circuit circuit, const GateSet& set, const nb::dict& arguments,
                          const nb::object& show) {
  SuperoptimizeOptions options = options_from("optimize", arguments);
  if (options.keep_gates) require_suitable_for_kept_gates(options, spelled_for_python);
  if (options.ancillas != 0) require_suitable_for_ancillas(options, spelled_for_python);
  const Cost cost = options.cost.value_or(set.default_cost);
  Reports reports;
  options.on_progress = [&](const SuperoptimizeProgress& progress) {
    // The check of the best circuit so far would delay the end of the process.
    const bool starts_stage = progress.search == nullptr && progress.rules == nullptr;
    if (starts_stage && is_shutting_down()) throw Stopped("the interpreter shuts down");
    reports.add(progress, cost);
  };
  options.on_warning = [&](std::string_view text) { reports.add_warning(text); };
  std::ranges::for_each(warnings_of_rounding(cost), options.on_warning);
  std::optional<SuperoptimizeResult> result;
  const auto work = [&](const std::stop_token& stop) {
    options.stop = stop;
    result = superoptimize(circuit, set, options);
  };
  const auto while_waiting = [&] {
    if (!show.is_none()) reports.show_latest(show, cost);
  };
  (void)call_without_gil(work, while_waiting);
  reports.issue_warnings();
  const std::string statistics = statistics_of_call(circuit, *result, set, options);
  nb::dict fields = fields_of(*std::move(result), set, options);
  fields["statistics"] = nb::cast(statistics);
  fields["cost_history"] = reports.history(cost);
  return fields;
}

}  // namespace

void bind_optimize(nb::module_& module) {
  module.def("_optimize", &optimize_circuit, nb::arg("circuit"), nb::arg("gate_set"),
             nb::arg("arguments"), nb::arg("show").none(),
             nb::sig("def _optimize(circuit: Circuit, gate_set: GateSet, arguments: dict[str, "
                     "object], show: collections.abc.Callable[[float, dict[str, float]], object] | "
                     "None) -> dict[str, object]"));
  module.def("_searches", [] {
    std::vector<std::string> names;
    for (const SearchName& search : search_names()) names.emplace_back(search.name);
    return names;
  });
}

}  // namespace quartz::python
