#include "workflow/checkpointed_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "journal/history_writer.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/qasm/qasm.hpp"

namespace quartz::workflow {
namespace {

/// Time between two attempts to keep the time spent, which is kept once a second at most.
constexpr std::chrono::milliseconds kClockPeriod{500};

CheckpointSubject subject_of(const SuperoptimizeOptions& options, const Circuit& input,
                             const GateSet& set, const Cost& cost) {
  CheckpointSubject subject;
  subject.input = digest_of(write_qasm(input, options.stop));
  subject.gate_set = set.digest;
  for (const Objective& objective : cost.objectives()) {
    subject.cost += (subject.cost.empty() ? "" : ",") + std::string(objective.name());
  }
  for (const ExactnessName& row : exactness_names()) {
    if (row.exactness == options.exactness) subject.exactness = row.name;
  }
  subject.barriers = options.barriers == Barriers::ignore ? "ignore" : "keep";
  return subject;
}

}  // namespace

CheckpointedSearch::CheckpointedSearch(const SuperoptimizeOptions& options, const Circuit& input,
                                       const GateSet& set, const Cost& cost)
    : options_(options) {
  const CheckpointOptions& wanted = options.checkpoint;
  if (wanted.folder.empty()) {
    if (wanted.resume) throw UsageError("there is no checkpoint to resume: name its folder");
    return;
  }
  if (options.epsilon != 0) {
    throw UsageError(
        "a search with an epsilon has no checkpoint, which would not know its distance");
  }
  if (options.steps != 0) {
    throw UsageError("a search with a number of steps has no checkpoint, expected a time limit");
  }
  checkpoint_.emplace(wanted.folder, subject_of(options, input, set, cost), wanted.resume,
                      set.custom_gates());
  clock_.emplace(kClockPeriod, [this] { keep_seconds(); });
}

void CheckpointedSearch::require_suitable(const Circuit& translated, const GateSet& set,
                                          const std::optional<CouplingMap>& coupling) const {
  if (!checkpoint_ || !checkpoint_->found()) return;
  const Circuit& kept = checkpoint_->found()->circuit;
  const auto fail = [&](const std::string& why) {
    throw InputError({checkpoint_->circuit_name()}, why);
  };
  if (kept.qubit_count() != translated.qubit_count() ||
      kept.bit_count() != translated.bit_count()) {
    fail(fmt::format("it has {} and {}, expected {} and {} as in the input",
                     counted(kept.qubit_count(), "qubit"),
                     counted(kept.bit_count(), "classical bit"), translated.qubit_count(),
                     translated.bit_count()));
  }
  for (const Operation& operation : kept.operations) {
    if (operation.kind != OperationKind::gate || set.contains(operation)) continue;
    fail(fmt::format("the gate {} is not in the gate set '{}'", gate(operation.gate).name,
                     set.name));
  }
  if (!coupling) return;
  const std::optional<UncoupledGate> uncoupled = uncoupled_gate(kept, *coupling);
  if (!uncoupled) return;
  fail(fmt::format(
      "it has a gate between qubits {} and {}, which the coupling map does not "
      "couple{}, so the checkpoint cannot be continued with this map: continue it "
      "with the coupling of the search that began it, or name another folder",
      uncoupled->first, uncoupled->second, coupling->directed() ? " in this direction" : ""));
}

std::optional<double> CheckpointedSearch::seconds_before() const {
  if (!checkpoint_ || !checkpoint_->found()) return std::nullopt;
  return checkpoint_->found()->seconds;
}

double CheckpointedSearch::seconds() const {
  const std::chrono::duration<double> now = std::chrono::steady_clock::now() - start_;
  return seconds_before().value_or(0) + now.count();
}

circuit::DerivedCircuit CheckpointedSearch::start(circuit::DerivedCircuit translated) const {
  if (!checkpoint_ || !checkpoint_->found()) return translated;
  const SearchProgress& found = *checkpoint_->found();
  Circuit continued = without_operations(translated.circuit);
  continued.operations = found.circuit.operations;
  continued.global_phase = found.circuit.global_phase;
  if (!journal::is_complete(found.history.get())) {
    return {std::move(continued), circuit::Derivation::unrecorded(found.numeric)};
  }
  return {std::move(continued), circuit::Derivation::by(found.history, found.numeric)};
}

void CheckpointedSearch::attach(OptimizeOptions& search, optimizer::SearchListener& listener,
                                const circuit::DerivedCircuit& start) {
  if (!checkpoint_) return;
  // With a limit of 0 the search only folds; a limit that is over ends it at once.
  constexpr double kLeastSeconds = 1e-9;
  if (options_.seconds != 0) {
    search.seconds = std::max(options_.seconds - seconds_before().value_or(0), kLeastSeconds);
  }
  keep_or_throw(start);
  listener.on_better = [this, before = start.derivation](const optimizer::DerivedBest& best) {
    keep({best.found.circuit, before.then(best.found.derivation)});
  };
  search.on_progress = [this, on_progress =
                                  std::move(search.on_progress)](const OptimizeProgress& progress) {
    if (on_progress) on_progress(progress);
    warn();
  };
}

void CheckpointedSearch::keep_seconds() {
  try {
    checkpoint_->keep_seconds(seconds());
  } catch (const Error& error) {
    const std::lock_guard lock(mutex_);
    failure_ = error.what();
  }
}

void CheckpointedSearch::keep_or_throw(const circuit::DerivedCircuit& found) {
  const bool is_wanted = options_.check != CheckPolicy::off || options_.record_journal;
  checkpoint_->keep({found.circuit, found.derivation.is_numeric(), seconds(),
                     is_wanted ? found.derivation.history() : circuit::unknown_history()});
}

void CheckpointedSearch::keep(const circuit::DerivedCircuit& found) {
  try {
    keep_or_throw(found);
  } catch (const Error& error) {
    const std::lock_guard lock(mutex_);
    failure_ = error.what();
  }
}

void CheckpointedSearch::warn() {
  const std::lock_guard lock(mutex_);
  if (failure_.empty() || std::exchange(has_warned_, true)) return;
  if (options_.on_warning) options_.on_warning("the checkpoint was not updated: " + failure_);
}

void CheckpointedSearch::finish(const circuit::DerivedCircuit& result) {
  if (!checkpoint_) return;
  clock_.reset();
  keep(result);
  warn();
}

}  // namespace quartz::workflow
