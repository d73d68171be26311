#include "quartz/workflow/superoptimize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <optional>
#include <sstream>
#include <utility>

#include "base/either_stop.hpp"
#include "base/processor_time.hpp"
#include "circuit/derivation.hpp"
#include "journal/history_writer.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/declared_gate.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/workflow/options.hpp"
#include "workflow/checkpointed_search.hpp"
#include "workflow/chosen_coupling.hpp"
#include "workflow/chosen_rules.hpp"
#include "workflow/circuit_pipelines.hpp"
#include "workflow/reduced_angles.hpp"
#include "workflow/rotations/approximated_rotations.hpp"
#include "workflow/stage_clock.hpp"
#include "workflow/stages/ancillas.hpp"
#include "workflow/stages/approximated_search.hpp"
#include "workflow/stages/certification.hpp"
#include "workflow/stages/declared_gates.hpp"
#include "workflow/stages/run_state.hpp"
#include "workflow/stages/search_stage.hpp"
#include "workflow/table_source.hpp"

namespace quartz {
namespace {

bool is_in_version(const Circuit& circuit, unsigned version) {
  return version == 0 || version == circuit.qasm_version;
}

/// Returns the circuit in the requested version of OpenQASM. Throws UsageError, before the search,
/// if that version cannot express it.
Circuit in_version(Circuit circuit, unsigned version) {
  if (is_in_version(circuit, version)) return circuit;
  circuit.qasm_version = version;
  circuit.hides_library_names = false;
  (void)write_qasm(circuit);
  return circuit;
}

RunRecord run_record(const SuperoptimizeOptions& options, const SuperoptimizeResult& result,
                     const GateSet& set, const RuleSet& rules) {
  RunRecord record;
  record.gate_set_digest = set.digest;
  record.options = recorded_options(options);
  record.threads = result.threads;
  record.has_coupling = result.coupling.has_value();
  record.rules = rules.rule_count();
  record.rule_gates = rules.gates;
  record.rule_qubits = rules.qubits;
  record.class_tables = result.class_tables;
  return record;
}

/// One call of superoptimize() for a circuit whose barriers stay.
class Superoptimization {
 public:
  /// `copies_translation` is SuperoptimizeOptions::copies_translation, or true if the circuit is
  /// not the caller's input.
  Superoptimization(const Circuit& circuit, const GateSet& set, const SuperoptimizeOptions& options,
                    bool copies_translation)
      : copies_translation_(copies_translation || options.assumptions.any()),
        stages_(options),
        state_(circuit, set, options),
        checkpoint_(options, state_.first.circuit, set, state_.result.cost),
        end_search_(options.stop, options.end_search),
        tables_(set, {.file = options.class_table,
                      .cache = options.cache,
                      .seconds = options.seconds,
                      .reproducible = options.steps != 0,
                      .threads = options.threads,
                      .on_warning = options.on_warning}) {
    result_.seconds_before = checkpoint_.seconds_before();
  }

  [[nodiscard]] SuperoptimizeResult run();

 private:
  /// Translates the first circuit, and chooses the one with which the search begins.
  void prepare();
  /// Translates the first circuit, and approximates its rotations if the set lacks their angles and
  /// an epsilon permits it. Returns nothing if the circuit is in the gates of the set already.
  [[nodiscard]] std::optional<circuit::DerivedCircuit> translated();
  /// Sets the translated circuit.
  void translate_first();
  /// Has the passes of the result say how many gates a translation with merged runs lacks.
  void note_merged_runs(double processor_seconds);
  /// Returns whether a time limits the whole call but its check.
  [[nodiscard]] bool is_limited() const { return options_.steps == 0 && options_.seconds > 0; }
  /// Returns whether there is time to simplify the first circuit and to translate it once more.
  [[nodiscard]] bool has_time_for_simplified_start(double seconds_of_translation) const;
  void search();
  /// Sets the journal of the result. Throws InternalError if a rewrite was not recorded, and
  /// UsageError if this may have been in an earlier search of the checkpoint.
  void set_journal();
  /// Compares the result with the input, and falls back to another circuit if it has to.
  void check_or_fall_back();
  /// Removes the resets of the assumptions from the result, and states its permutation.
  void finish();

  const bool copies_translation_;
  workflow::StageClock stages_;
  workflow::RunState state_;
  const SuperoptimizeOptions& options_ = state_.options;
  circuit::DerivedCircuit& now_ = state_.now;
  SuperoptimizeResult& result_ = state_.result;
  workflow::CheckpointedSearch checkpoint_;
  EitherStop end_search_;
  workflow::TableSource tables_;
  std::optional<workflow::ChosenRules> rules_;
  KnownStates known_at_start_;  ///< what changed before the search began
  workflow::Certification certification_{state_};
};

/// Returns what approximations may take of a search's time, as estimated for one core. Without a
/// limit of time, the result does not depend on one.
double seconds_of_approximation(const SuperoptimizeOptions& options) {
  constexpr double kWithoutLimit = 20;
  constexpr double kShare = 0.5;
  const bool is_limited = options.steps == 0 && options.seconds > 0;
  return is_limited ? kShare * options.seconds : kWithoutLimit;
}

std::optional<circuit::DerivedCircuit> Superoptimization::translated() {
  try {
    optimizer::PassContext context = state_.context();
    // The resets of assumptions are no part of what reports are about.
    context.counts_plain_translation = !options_.assumptions.any();
    context.meanwhile = [this] { certification_.prepare(); };
    optimizer::PassFigures figures;
    std::optional<circuit::DerivedCircuit> found =
        workflow::translated(state_.first.circuit, context, figures);
    state_.has_merged_runs = figures.has_merged_runs;
    result_.plain_translation = std::move(figures.plain_translation);
    if (figures.has_merged_runs && !context.counts_plain_translation) {
      result_.plain_translation = optimizer::counts_of_plain_translation(
          without_assumptions(state_.first.circuit, options_.assumptions), context);
    }
    return found;
  } catch (const InexpressibleGate& error) {
    const std::optional<std::string> obstacle =
        workflow::obstacle_to_approximation(state_.first.circuit, state_.context());
    const bool is_rotation = !error.operation().angles.empty();
    if (obstacle && (obstacle->empty() || !is_rotation)) throw;
    if (obstacle || options_.epsilon == 0) {
      throw InexpressibleGate(
          fmt::format("{}; {}", error.what(),
                      obstacle.value_or("with an epsilon above 0, rotations are approximated")),
          error.operation());
    }
  }
  workflow::ApproximatedCircuit approximated =
      workflow::approximate_circuit(state_.first.circuit, state_.context(),
                                    {.epsilon = options_.epsilon,
                                     .seconds = seconds_of_approximation(options_),
                                     .threads = options_.threads,
                                     .records = state_.records()});
  result_.approximated_rotations = approximated.rotations;
  return std::move(approximated.derived);
}

void Superoptimization::translate_first() {
  const double processor_seconds = process_seconds();
  std::optional<circuit::DerivedCircuit> translation = translated();
  state_.is_translation = true;
  state_.is_in_set = !translation && is_in_version(state_.first.circuit, options_.qasm_version);
  if (state_.is_in_set) return;
  now_ =
      translation ? *std::move(translation) : circuit::DerivedCircuit::first(state_.first.circuit);
  result_.translated = in_version(std::move(now_.circuit), options_.qasm_version);
  note_merged_runs(process_seconds() - processor_seconds);
}

void Superoptimization::note_merged_runs(double processor_seconds) {
  if (!result_.plain_translation) return;
  const auto gates = [](const CircuitCounts& counts) {
    return static_cast<std::int64_t>(counts.named.at(static_cast<std::size_t>(CostKind::total)));
  };
  // The other operations are those of the first circuit, which may have far fewer in all.
  const std::vector<Operation>& first = state_.first.circuit.operations;
  const auto others =
      std::ssize(first) - std::ranges::count(first, OperationKind::gate, &Operation::kind);
  const std::int64_t merged = std::ssize(result_.translated.operations) - others;
  result_.passes.push_back({.name = "translation",
                            .description = "gates on one qubit merged while gates are translated",
                            .runs = 1,
                            .runs_that_paid = 1,
                            .gates_removed = gates(*result_.plain_translation) - merged,
                            .seconds = stages_.total_seconds(),
                            .processor_seconds = processor_seconds});
}

bool Superoptimization::has_time_for_simplified_start(double seconds_of_translation) const {
  // Both take two or three times as long as the first translation, and the search needs most of the
  // time.
  constexpr double kMaxShareOfTranslation = 0.1;
  return !is_limited() || seconds_of_translation <= kMaxShareOfTranslation * options_.seconds;
}

void Superoptimization::prepare() {
  stages_.begin(SuperoptimizeStage::translate);
  const workflow::ChosenCoupling coupling =
      workflow::chosen_coupling(state_.first.circuit, options_);
  result_.coupling = coupling.map;
  translate_first();
  const double seconds_of_translation = stages_.total_seconds();
  stages_.begin(SuperoptimizeStage::rules);
  workflow::require_coupled(state_.translated(), coupling, options_.circuit_name);
  checkpoint_.require_suitable(state_.translated(), state_.set, result_.coupling);
  rules_.emplace(state_.set, options_,
                 is_limited() ? std::max(options_.seconds - stages_.total_seconds(), 0.0)
                              : std::numeric_limits<double>::infinity());
  stages_.begin(SuperoptimizeStage::search);
  try {
    std::optional<workflow::SimplifiedCircuit> simplified;
    if (has_time_for_simplified_start(seconds_of_translation)) {
      simplified =
          workflow::simplified_start(state_.first.circuit, state_.translated(), state_.context());
    }
    if (simplified) {
      now_ = std::move(simplified->derived);
      state_.is_translation = false;
      state_.has_merged_runs = simplified->figures.has_merged_runs;
      known_at_start_ = simplified->figures.known_states;
    }
  } catch (const std::bad_alloc&) {
    // The search begins with the plain translation.
  }
  if (!options_.checkpoint.folder.empty()) {
    now_ = checkpoint_.start(std::move(state_.complete_now()));
  }
}

void Superoptimization::search() {
  try {
    workflow::SearchStage(state_, {rules_->rules(), tables_, checkpoint_, certification_, stages_,
                                   end_search_.token()})
        .run();
  } catch (const std::bad_alloc&) {
    result_.stop_reason = StopReason::memory_limit;
  }
  if (result_.stop_reason == StopReason::memory_limit && options_.on_warning) {
    options_.on_warning("there was no memory to continue the search, which ended early");
  }
  result_.known_states = known_at_start_;
  try {
    checkpoint_.finish(now_);
    std::optional<workflow::SimplifiedCircuit> simplified;
    // Nothing adds resets, and a translation may have many more operations than the first circuit.
    const std::vector<Operation>& first = state_.first.circuit.operations;
    const bool has_resets =
        std::ranges::find(first, OperationKind::reset, &Operation::kind) != first.end();
    if (state_.result.coupling || has_resets) {
      simplified = workflow::simplified_result(state_.circuit_now(), state_.context());
    }
    if (simplified) {
      state_.append(std::move(simplified->derived));
      result_.known_states += simplified->figures.known_states;
    }
    if (options_.exactness != Exactness::exact) {
      std::optional<circuit::DerivedCircuit> reduced =
          workflow::with_reduced_angles(state_.circuit_now(), state_.first.circuit, state_.set);
      if (reduced) state_.append(*std::move(reduced));
    }
  } catch (const std::bad_alloc&) {
    // The result stays as it is.
  }
  result_.run_record = run_record(options_, result_, state_.set, rules_->rules());
}

void Superoptimization::set_journal() {
  if (!now_.derivation.is_recorded()) {
    if (result_.seconds_before) {
      throw UsageError(
          "there is no journal, because the search that began the checkpoint recorded none");
    }
    throw InternalError("a rewrite of the search was not recorded");
  }
  std::ostringstream journal;
  result_.journal_rewrites =
      journal::write_journal(journal, state_.first.circuit, now_.derivation.history());
  result_.journal = std::move(journal).str();
}

void Superoptimization::check_or_fall_back() {
  result_.permutation = state_.permutation();
  workflow::CheckOutcome outcome = certification_.check();
  result_.check = std::move(outcome.check);
  if (outcome.other == nullptr) return;
  result_.uncertified_cost = cost_of(state_.circuit_now(), result_.cost);
  now_ = outcome.other->found;
  state_.is_translation = false;
  result_.permutation = outcome.other->permutation;
  result_.known_states = known_at_start_;
  result_.local_optimality.reset();  // it is that of the circuit that was not certified
  if (options_.record_journal) set_journal();
}

void Superoptimization::finish() {
  result_.stages = stages_.times();
  result_.numeric = now_.derivation.is_numeric();
  const bool is_first = state_.is_in_set && !state_.changed;
  if (!copies_translation_ && state_.is_translation && !state_.is_in_set) {
    result_.translation_place = TranslationPlace::circuit;
    result_.circuit = std::exchange(result_.translated, without_operations(result_.translated));
  } else {
    result_.circuit = std::move(state_.complete_now().circuit);
    if (!copies_translation_ && is_first) {
      result_.translation_place = TranslationPlace::input;
    } else if (state_.is_in_set) {
      result_.translated = state_.first.circuit;
    }
  }
  if (options_.assumptions.any()) {
    result_.circuit = without_assumptions(result_.circuit, options_.assumptions);
    result_.translated = without_assumptions(result_.translated, options_.assumptions);
  }
  if (options_.qubit_order == QubitOrder::keep) return;
  result_.circuit =
      with_stated_permutation(std::move(result_.circuit),
                              composed(stated_permutation(state_.circuit), result_.permutation));
}

SuperoptimizeResult Superoptimization::run() {
  prepare();
  search();
  if (options_.record_journal) {
    stages_.begin(SuperoptimizeStage::journal);
    set_journal();
  }
  stages_.begin(SuperoptimizeStage::check, certification_.check_seconds());
  check_or_fall_back();
  stages_.end();
  finish();
  if (options_.on_result) options_.on_result(result_);
  tables_.keep();
  return std::move(result_);
}

SuperoptimizeResult superoptimize_without_barriers(const Circuit& circuit, const GateSet& set,
                                                   const SuperoptimizeOptions& options) {
  const Circuit without = without_barriers(circuit);
  return Superoptimization(without, set, options, true).run();
}

SuperoptimizeResult superoptimize_once(const Circuit& circuit, const GateSet& set,
                                       const SuperoptimizeOptions& options,
                                       bool copies_translation) {
  if (options.barriers == Barriers::ignore) {
    return superoptimize_without_barriers(circuit, set, options);
  }
  return Superoptimization(circuit, set, options, copies_translation).run();
}

}  // namespace

namespace workflow {

SuperoptimizeResult superoptimize_at_once(const Circuit& circuit, const GateSet& set,
                                          const SuperoptimizeOptions& options) {
  return superoptimize_once(circuit, set, options, true);
}

}  // namespace workflow

CostValue cost_of_translation(const SuperoptimizeResult& result) {
  if (result.plain_translation) return result.plain_translation->cost;
  ensure(result.translation_place != TranslationPlace::input, "the translation is in the result");
  const bool is_result = result.translation_place == TranslationPlace::circuit;
  return cost_of(is_result ? result.circuit : result.translated, result.cost);
}

const Circuit& translation_of(const SuperoptimizeResult& result, const Circuit& input) {
  switch (result.translation_place) {
    case TranslationPlace::translated:
      break;
    case TranslationPlace::input:
      return input;
    case TranslationPlace::circuit:
      return result.circuit;
  }
  return result.translated;
}

std::string_view to_string(SuperoptimizeStage stage) {
  static constexpr std::array<std::string_view, 5> kNames{"translate", "rules", "search", "journal",
                                                          "check"};
  return kNames.at(static_cast<std::size_t>(stage));
}

SuperoptimizeResult superoptimize(const Circuit& circuit, const GateSet& set,
                                  const SuperoptimizeOptions& options) {
  if (options.keep_gates) require_suitable_for_kept_gates(options);
  const bool has_declared = !circuit.declared_gates.empty();
  const bool has_parts =
      has_declared || options.ancillas != 0 || workflow::has_exact_search(circuit, set, options);
  if (!has_parts) return superoptimize_once(circuit, set, options, options.copies_translation);
  // The searches of these calls have other inputs.
  SuperoptimizeOptions copying = options;
  copying.copies_translation = true;
  if (has_declared) {
    return options.keep_gates ? workflow::superoptimize_with_declared_gates(circuit, set, copying)
                              : superoptimize(with_expanded_calls(circuit), set, copying);
  }
  return options.ancillas != 0 ? workflow::superoptimize_with_ancillas(circuit, set, copying)
                               : workflow::superoptimize_and_approximate(circuit, set, copying);
}

RuleSet recorded_rule_set(const OptimizeResult& result, const GateSet& set, std::uint64_t seed) {
  RuleSet rules;
  rules.gate_set = set.name;
  rules.gate_set_digest = set.digest;
  rules.qubits = ClassTableOptions().qubits;
  rules.parameters = 1;
  rules.seed = seed;
  rules.classes = result.rules;
  rules.gates = rules.most_gates();
  rules.proofs = {"exact arithmetic", rules.classes.size(), rules.classes.size(), 0};
  return rules;
}

}  // namespace quartz
