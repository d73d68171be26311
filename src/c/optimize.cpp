#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "c/circuit.hpp"
#include "c/error.hpp"
#include "c/options.hpp"
#include "c/verdict.hpp"
#include "quartz/target/backend.hpp"
#include "quartz/target/cost_file.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/options.hpp"
#include "quartz/workflow/superoptimize.hpp"

/// How far quartz_optimize is.
struct quartz_progress {
  std::string stage;
  std::string cost;
  double seconds = 0;
};

/// What quartz_optimize found.
struct quartz_result {
  struct ObjectiveValues {
    std::string name;
    double before = 0;
    double after = 0;
  };

  quartz_circuit circuit;
  std::vector<ObjectiveValues> objectives;
  quartz_verdict verdict = QUARTZ_NOT_CHECKED;
  std::string check;
  std::string stop_reason;
  double seconds = 0;
  std::vector<std::string> warnings;
  quartz::OutputPermutation permutation;
  quartz::KnownStates known_states;
  std::size_t approximated_rotations = 0;
  std::size_t ancillas = 0;
  double distance = -1;
  std::string journal;
};

namespace quartz::c {
namespace {

/// How often the thread of the caller shows progress and asks whether to stop.
constexpr std::chrono::milliseconds kInterval{50};

/// What the threads of the search report to the thread of the caller.
class Reports {
 public:
  void add(const SuperoptimizeProgress& progress, const Cost& cost) {
    quartz_progress report{std::string(to_string(progress.stage)), {}};
    const std::lock_guard lock(mutex_);
    if (progress.search != nullptr) {
      least_cost_ = cost.describe(progress.search->best_cost);
      report.seconds = progress.search->seconds;
    }
    report.cost = least_cost_;
    latest_ = std::move(report);
  }
  void add_warning(std::string_view text) {
    const std::lock_guard lock(mutex_);
    warnings_.emplace_back(text);
  }

  /// Returns the latest progress unless it was taken already.
  [[nodiscard]] std::optional<quartz_progress> take_latest() {
    const std::lock_guard lock(mutex_);
    return std::exchange(latest_, std::nullopt);
  }
  /// Call when the search has ended.
  [[nodiscard]] std::vector<std::string> take_warnings() { return std::move(warnings_); }

 private:
  std::mutex mutex_;
  std::optional<quartz_progress> latest_;
  std::string least_cost_;  ///< empty before the search
  std::vector<std::string> warnings_;
};

/// Shows the latest progress, and returns whether the caller wants to stop.
bool call_back(const quartz_options& options, Reports& reports) {
  if (options.on_progress != nullptr) {
    if (const std::optional<quartz_progress> progress = reports.take_latest()) {
      options.on_progress(&*progress, options.progress_user);
    }
  }
  return options.on_stop != nullptr && options.on_stop(options.stop_user) != 0;
}

/// Runs the search in a thread of its own if the caller wants to be called back, because many
/// languages can be called only in the thread that called.
SuperoptimizeResult run(const Circuit& circuit, const GateSet& set, const quartz_options& options,
                        SuperoptimizeOptions request, Reports& reports) {
  if (options.on_progress == nullptr && options.on_stop == nullptr) {
    return superoptimize(circuit, set, request);
  }
  std::stop_source stop;
  request.stop = stop.get_token();
  std::future<SuperoptimizeResult> result =
      std::async(std::launch::async, [&] { return superoptimize(circuit, set, request); });
  while (result.wait_for(kInterval) != std::future_status::ready) {
    if (call_back(options, reports)) stop.request_stop();
  }
  SuperoptimizeResult found = result.get();
  (void)call_back(options, reports);
  return found;
}

std::vector<quartz_result::ObjectiveValues> objectives_of(const SuperoptimizeResult& result) {
  const std::span<const Objective> objectives = result.cost.objectives();
  const CostValue before = cost_of_translation(result);
  const std::vector<std::uint64_t> after = units_of(objectives, result.circuit);
  std::vector<quartz_result::ObjectiveValues> values;
  for (std::size_t i = 0; i < objectives.size(); ++i) {
    const Objective& objective = objectives[i];
    values.push_back({std::string(objective.name()), objective.value(before.units.at(i)),
                      objective.value(after[i])});
  }
  return values;
}

/// What the options say about the device, its gates and the cost.
struct Target {
  GateSet set;
  Cost cost;
  CouplingChoice coupling;
  std::optional<Backend> backend;
};

Target target_of(const Circuit& circuit, const quartz_options& options) {
  std::optional<Backend> backend;
  if (!options.backend_files.empty()) backend = load_backend(options.backend_files);
  if (options.gate_set.empty() && !backend) {
    throw UsageError("neither gate_set nor backend_json is set");
  }
  if (backend) require_qubits(circuit, *backend, options.values.circuit_name);
  GateSet set =
      load_gate_set(options.gate_set.empty() ? gate_set_name_of(*backend) : options.gate_set);
  Cost cost = options.cost.empty()
                  ? set.default_cost
                  : load_cost(options.cost, set, {}, backend ? &*backend : nullptr);
  CouplingChoice coupling = options.values.coupling;
  if (std::holds_alternative<AnyCoupling>(coupling) && backend && backend->coupling) {
    coupling = *coupling_for(*backend, set);
  }
  return {std::move(set), std::move(cost), std::move(coupling), std::move(backend)};
}

std::unique_ptr<quartz_result> optimize(const Circuit& circuit, const quartz_options& options) {
  const Target target = target_of(circuit, options);
  SuperoptimizeOptions request = options.values;
  request.cost = target.cost;
  request.coupling = target.coupling;
  if (request.keep_gates) require_suitable_for_kept_gates(request, spelled_for_c);
  if (request.ancillas != 0) require_suitable_for_ancillas(request, spelled_for_c);
  Reports reports;
  // The search spends some time on reporting the best cost so far.
  if (options.on_progress != nullptr) {
    request.on_progress = [&, cost = *request.cost](const SuperoptimizeProgress& progress) {
      reports.add(progress, cost);
    };
  }
  request.on_warning = [&](std::string_view text) { reports.add_warning(text); };
  std::ranges::for_each(warnings_of_rounding(*request.cost), request.on_warning);
  SuperoptimizeResult found = run(circuit, target.set, options, request, reports);
  if (target.backend) {
    if (const auto warning = warning_of_missing_gates(found.circuit, *target.backend))
      reports.add_warning(*warning);
  }
  auto result = std::make_unique<quartz_result>();
  result->objectives = objectives_of(found);
  result->circuit.circuit = std::move(found.circuit);
  result->permutation = std::move(found.permutation);
  result->known_states = found.known_states;
  result->approximated_rotations = found.approximated_rotations;
  result->ancillas = found.ancillas;
  result->journal = std::move(found.journal);
  if (found.check.verified) result->verdict = verdict_of(found.check.report.verdict);
  if (found.check.verified == true) result->distance = distance_of(found.check.report);
  result->check = found.check.text;
  result->stop_reason = to_string(found.stop_reason);
  result->seconds = found.seconds;
  result->warnings = reports.take_warnings();
  return result;
}

}  // namespace
}  // namespace quartz::c

using namespace quartz::c;

const char* quartz_progress_stage(const quartz_progress* progress) noexcept {
  return progress == nullptr ? nullptr : progress->stage.c_str();
}

double quartz_progress_seconds(const quartz_progress* progress) noexcept {
  return progress == nullptr ? 0 : progress->seconds;
}

const char* quartz_progress_cost(const quartz_progress* progress) noexcept {
  return progress == nullptr ? nullptr : progress->cost.c_str();
}

quartz_status quartz_optimize(const quartz_circuit* circuit, const quartz_options* options,
                              quartz_result** result, quartz_error** error) noexcept {
  return guarded(error, [&] {
    quartz_result*& output = required_output(result, "result");
    output = quartz::c::optimize(required(circuit, "circuit").circuit, required(options, "options"))
                 .release();
  });
}

const quartz_circuit* quartz_result_circuit(const quartz_result* result) noexcept {
  return result == nullptr ? nullptr : &result->circuit;
}

size_t quartz_result_output(const quartz_result* result, size_t qubit) noexcept {
  if (qubit >= quartz_circuit_qubits(quartz_result_circuit(result))) return QUARTZ_NO_QUBIT;
  return result->permutation.empty() ? qubit : result->permutation[qubit];
}

const void* quartz_result_journal(const quartz_result* result, size_t* size) noexcept {
  const bool has_journal = result != nullptr && !result->journal.empty();
  if (size != nullptr) *size = has_journal ? result->journal.size() : 0;
  return has_journal ? result->journal.data() : nullptr;
}

size_t quartz_result_objectives(const quartz_result* result) noexcept {
  return result == nullptr ? 0 : result->objectives.size();
}

const char* quartz_result_objective(const quartz_result* result, size_t index) noexcept {
  if (index >= quartz_result_objectives(result)) return nullptr;
  return result->objectives[index].name.c_str();
}

double quartz_result_cost_before(const quartz_result* result, size_t index) noexcept {
  return index < quartz_result_objectives(result) ? result->objectives[index].before : 0;
}

double quartz_result_cost_after(const quartz_result* result, size_t index) noexcept {
  return index < quartz_result_objectives(result) ? result->objectives[index].after : 0;
}

quartz_verdict quartz_result_verdict(const quartz_result* result) noexcept {
  return result == nullptr ? QUARTZ_NOT_CHECKED : result->verdict;
}

const char* quartz_result_check(const quartz_result* result) noexcept {
  return result == nullptr ? nullptr : result->check.c_str();
}

size_t quartz_result_known_states_removed(const quartz_result* result) noexcept {
  return result == nullptr ? 0 : result->known_states.gates_removed;
}

size_t quartz_result_known_states_replaced(const quartz_result* result) noexcept {
  return result == nullptr ? 0 : result->known_states.gates_replaced;
}

size_t quartz_result_ancillas(const quartz_result* result) noexcept {
  return result == nullptr ? 0 : result->ancillas;
}

double quartz_result_distance(const quartz_result* result) noexcept {
  return result == nullptr ? -1 : result->distance;
}

size_t quartz_result_approximated_rotations(const quartz_result* result) noexcept {
  return result == nullptr ? 0 : result->approximated_rotations;
}

const char* quartz_result_stop_reason(const quartz_result* result) noexcept {
  return result == nullptr ? nullptr : result->stop_reason.c_str();
}

double quartz_result_seconds(const quartz_result* result) noexcept {
  return result == nullptr ? 0 : result->seconds;
}

size_t quartz_result_warnings(const quartz_result* result) noexcept {
  return result == nullptr ? 0 : result->warnings.size();
}

const char* quartz_result_warning(const quartz_result* result, size_t index) noexcept {
  return index < quartz_result_warnings(result) ? result->warnings[index].c_str() : nullptr;
}

void quartz_result_free(quartz_result* result) noexcept { delete result; }
