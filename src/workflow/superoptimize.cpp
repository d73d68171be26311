#include "quartz/workflow/superoptimize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <sstream>
#include <utility>

#include "circuit/history.hpp"
#include "journal/history_writer.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/target/coupling_file.hpp"
#include "quartz/workflow/rule_set_source.hpp"
#include "workflow/checkpointed_search.hpp"
#include "workflow/free_order.hpp"
#include "workflow/result_check.hpp"
#include "workflow/simplified_circuits.hpp"
#include "workflow/table_source.hpp"

namespace quartz {
namespace {

using Clock = std::chrono::steady_clock;

/// Sizes of the rule set that is generated if none is given or bundled.
constexpr unsigned kDefaultRuleGates = 3;
constexpr unsigned kDefaultRuleQubits = 3;

/// Announces the stages and measures their times.
class StageClock {
 public:
  explicit StageClock(const SuperoptimizeOptions& options) : options_(options) {}

  void begin(SuperoptimizeStage stage) {
    end();
    current_ = stage;
    if (options_.on_progress) options_.on_progress({.stage = stage});
  }
  void end() {
    const Clock::time_point now = Clock::now();
    if (current_) {
      times_.push_back(
          {std::string(to_string(*current_)), std::chrono::duration<double>(now - last_).count()});
    }
    last_ = now;
    current_.reset();
  }
  [[nodiscard]] double total_seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }
  [[nodiscard]] std::vector<StageTime> times() const { return times_; }

 private:
  const SuperoptimizeOptions& options_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  std::optional<SuperoptimizeStage> current_;
  std::vector<StageTime> times_;
};

/// Returns the circuit in the requested version of OpenQASM. Throws UsageError, before the search,
/// if that version cannot express it.
Circuit in_version(Circuit circuit, unsigned version) {
  if (version == 0 || version == circuit.qasm_version) return circuit;
  circuit.qasm_version = version;
  circuit.hides_library_names = false;
  (void)write_qasm(circuit);
  return circuit;
}

/// A coupling map, and its name in messages.
struct NamedCoupling {
  CouplingMap map;
  std::string name;
};

/// Returns the caller's map, or nothing if there is none.
std::optional<NamedCoupling> given_coupling(const SuperoptimizeOptions& options) {
  if (const auto* map = std::get_if<CouplingMap>(&options.coupling)) {
    return NamedCoupling{*map, "the coupling map"};
  }
  if (const auto* file = std::get_if<std::filesystem::path>(&options.coupling)) {
    const std::string text = read_text_file(*file, {file_limit::description, options.stop});
    return NamedCoupling{parse_coupling(text, file->string()), file->string()};
  }
  return std::nullopt;
}

/// Throws InputError if a gate acts on a pair of qubits that the map does not contain.
void require_coupled(const Circuit& circuit, const NamedCoupling& coupling,
                     const std::string& circuit_name) {
  const std::optional<UncoupledGate> gate = uncoupled_gate(circuit, coupling.map);
  if (!gate) return;
  const bool reversed = coupling.map.contains(gate->first, gate->second);
  throw InputError(fmt::format(
      "{}: a gate between qubits {} and {}, which {} {}", circuit_name, gate->first, gate->second,
      coupling.name,
      reversed ? "couples in the other direction only, and only cx and ecr can be reversed"
               : "does not couple; route the circuit first"));
}

/// Sets the coupling map of the result, and reverses gates of the translated circuit that point
/// against its direction. Extends the history unless `history` is null.
void apply_coupling(const Circuit& input, const GateSet& set, const SuperoptimizeOptions& options,
                    SuperoptimizeResult& result, circuit::HistoryPointer* history) {
  if (std::holds_alternative<CouplingOfCircuit>(options.coupling)) {
    result.coupling = coupling_of(input);
    return;
  }
  std::optional<NamedCoupling> given = given_coupling(options);
  if (!given) return;
  if (given->map.directed()) {
    circuit::HistoryPointer fixed;
    result.translated = fix_gate_directions(result.translated, set, given->map,
                                            history == nullptr ? nullptr : &fixed);
    if (history != nullptr) *history = circuit::in_sequence(std::move(*history), std::move(fixed));
  }
  require_coupled(result.translated, *given, options.circuit_name);
  result.coupling = std::move(given->map);
}

bool records_history(const SuperoptimizeOptions& options) {
  return options.record_journal || options.check != CheckPolicy::off;
}

/// Returns the seconds of the limit that the search leaves for the check, so that a call with a
/// small circuit ends on time. The check of 100 gates takes 10 to 40 ms; that of large circuits
/// takes longer, and has a limit of its own.
double seconds_for_check(const SuperoptimizeOptions& options) {
  constexpr double share = 0.06;
  constexpr double most = 0.03;
  if (options.check == CheckPolicy::off || options.steps != 0) return 0;
  return std::min(share * options.seconds, most);
}

/// Returns the name of the caller's rules in messages; empty if there are none.
std::string name_of(const RuleChoice& rules) {
  if (std::holds_alternative<RuleSet>(rules)) return "the rule set";
  const auto* file = std::get_if<std::filesystem::path>(&rules);
  return file != nullptr ? file->string() : std::string();
}

/// Throws InputError unless the search may use the caller's rules.
void require_usable(const RuleSet& rules, const GateSet& set, const SuperoptimizeOptions& options) {
  const std::string name = name_of(options.rules);
  require_gate_set(rules, set, name);
  require_usable_rules(rules, set, name, options.threads);
}

RuleSet default_rules(const GateSet& set, const SuperoptimizeOptions& options) {
  if (std::optional<RuleSet> bundled = bundled_rule_set(set)) return *std::move(bundled);
  RuleSetOptions request;
  request.generate.gates = kDefaultRuleGates;
  request.generate.qubits = kDefaultRuleQubits;
  request.generate.threads = options.threads;
  request.generate.stop = options.stop;
  if (options.on_progress) {
    request.generate.on_progress = [&options](const GenerateProgress& progress) {
      options.on_progress({.stage = SuperoptimizeStage::rules, .rules = &progress});
    };
  }
  request.cache = options.cache;
  request.on_warning = options.on_warning;
  return obtain_rule_set(set, request).rules;
}

/// Returns the rules of the search. The caller's rules are not copied; `storage` holds all others.
const RuleSet& rules_for(const GateSet& set, const SuperoptimizeOptions& options,
                         RuleSet& storage) {
  if (const auto* rules = std::get_if<RuleSet>(&options.rules)) {
    require_usable(*rules, set, options);
    return *rules;
  }
  if (const auto* file = std::get_if<std::filesystem::path>(&options.rules)) {
    storage = read_rule_set_file(*file, options.stop);
    require_usable(storage, set, options);
  } else {
    storage = default_rules(set, options);
  }
  return storage;
}

std::string journal_of(const Circuit& input, const circuit::History* history) {
  std::ostringstream journal;
  journal::write_journal(journal, input, history);
  return std::move(journal).str();
}

/// Sets the journal of the result. Throws InternalError if a rewrite was not recorded, and
/// UsageError if this may have been in an earlier search of the checkpoint.
void set_journal(const Circuit& input, SuperoptimizeResult& result) {
  if (!journal::is_complete(result.history.get())) {
    if (result.seconds_before) {
      throw UsageError(
          "there is no journal, because the search that began the checkpoint recorded none");
    }
    throw InternalError("a rewrite of the search was not recorded");
  }
  std::ostringstream journal;
  result.journal_rewrites = journal::write_journal(journal, input, result.history.get()).rewrites;
  result.journal = std::move(journal).str();
}

OptimizeOptions search_options(const SuperoptimizeOptions& options,
                               const SuperoptimizeResult& result, workflow::TableSource& tables) {
  OptimizeOptions search;
  search.cost = result.cost;
  search.seconds = options.seconds;
  search.threads = options.threads;
  search.seed = options.seed;
  search.search = options.search;
  search.exactness = options.exactness;
  search.epsilon = options.epsilon;
  search.coupling = result.coupling;
  search.steps = options.steps;
  search.stop = options.stop;
  search.record_rules = options.record_rules;
  search.record_gains = options.record_gains;
  search.record_history = records_history(options);
  search.table_memory = options.table_memory;
  search.find_class_table = [&tables](const GateSet& of, const ClassTableOptions& wanted) {
    return tables.find(of, wanted);
  };
  search.on_class_table = [&tables](const GateSet& of, const ClassTableOptions& wanted,
                                    std::shared_ptr<const ClassTable> built) {
    tables.note(of, wanted, std::move(built));
  };
  if (options.on_progress) {
    search.on_progress = [&options](const OptimizeProgress& progress) {
      options.on_progress({.stage = SuperoptimizeStage::search, .search = &progress});
    };
  }
  return search;
}

ReplayRecord replay_record(const SuperoptimizeOptions& options, const SuperoptimizeResult& result,
                           const GateSet& set, const RuleSet& rules) {
  ReplayRecord record;
  record.gate_set_digest = set.digest;
  record.search = options.search;
  record.exactness = options.exactness;
  record.epsilon = options.epsilon;
  record.seed = options.seed;
  record.threads = result.threads;
  record.steps = options.steps;
  record.seconds = options.seconds;
  record.has_coupling = result.coupling.has_value();
  record.rules = rules.rule_count();
  record.rule_gates = rules.gates;
  record.rule_qubits = rules.qubits;
  record.class_tables = result.class_tables;
  return record;
}

workflow::CheckRequest check_request(const SuperoptimizeOptions& options, const Circuit& input,
                                     const SuperoptimizeResult& result,
                                     const workflow::CertifiableCircuits& circuits) {
  workflow::CheckRequest request;
  request.policy = options.check;
  request.coupling = result.coupling;
  request.rules_name = name_of(options.rules);
  request.equivalence.seconds =
      options.check_seconds.value_or(kBaseCheckSeconds + kCheckShare * options.seconds);
  request.equivalence.memory_bytes = options.check_memory_bytes;
  request.equivalence.seed = options.seed;
  request.equivalence.epsilon = options.epsilon;
  if (result.seconds_before) request.checkpoint_name = options.checkpoint.folder.string();
  // A stop during the search ends only the search; its result is still checked.
  if (!options.stop.stop_requested()) request.equivalence.stop = options.stop;
  if (!records_history(options) || !journal::is_complete(result.history.get())) return request;
  request.replay_seconds = workflow::replay_seconds(input, result.circuit, result.history.get());
  request.rewrites = circuit::steps_of(result.history.get());
  request.journal = [&] {
    return result.journal.empty() ? journal_of(input, result.history.get()) : result.journal;
  };
  request.fallback = [&](double seconds,
                         std::uint64_t most_steps) -> std::optional<workflow::FallbackCircuit> {
    std::optional<workflow::FoundCircuit> found = circuits.best_within(seconds, input, most_steps);
    if (!found) return std::nullopt;
    const circuit::HistoryPointer history = found->history;
    const double estimate = workflow::replay_seconds(input, found->circuit, history.get());
    return workflow::FallbackCircuit{*std::move(found),
                                     [&input, history] { return journal_of(input, history.get()); },
                                     estimate};
  };
  return request;
}

/// Replaces the result by a circuit that could be certified, while the result could not.
void fall_back(workflow::FoundCircuit found, SuperoptimizeResult& result) {
  result.uncertified_cost = cost_of(result.circuit, result.cost);
  result.circuit = std::move(found.circuit);
  result.numeric = found.numeric;
  result.history = std::move(found.history);
}

/// Makes the search remember circuits that can be certified if its result cannot. `history` is that
/// of the circuit with which it begins.
void remember_circuits(OptimizeOptions& search, const Circuit& start, bool numeric,
                       const circuit::HistoryPointer& history,
                       workflow::CertifiableCircuits& circuits) {
  if (!search.record_history || !journal::is_complete(history.get())) return;
  circuits.add({start, numeric, history});
  // Forming circuits of this size on the way would take too long.
  if (start.operations.size() > workflow::CertifiableCircuits::kMaxOperations) return;
  search.on_better = [&circuits, history,
                      on_better = std::move(search.on_better)](const BestSoFar& best) {
    if (on_better) on_better(best);
    circuits.add({best.circuit, best.numeric, circuit::in_sequence(history, best.history)});
  };
}

/// Compares the result with the input, and falls back to another circuit if it has to.
void check_or_fall_back(const SuperoptimizeOptions& options, const Circuit& input,
                        const workflow::CertifiableCircuits& circuits,
                        SuperoptimizeResult& result) {
  workflow::CheckOutcome outcome = workflow::check_result(
      input, result.circuit, check_request(options, input, result, circuits));
  result.check = std::move(outcome.check);
  if (!outcome.fallback) return;
  fall_back(*std::move(outcome.fallback), result);
  if (options.record_journal) set_journal(input, result);
}

SuperoptimizeResult superoptimize_without_barriers(const Circuit& circuit, const GateSet& set,
                                                   const SuperoptimizeOptions& options) {
  SuperoptimizeOptions others = options;
  others.barriers = Barriers::keep;
  return superoptimize(without_barriers(circuit), set, others);
}

/// Optimizes a circuit whose qubits may end in any order.
SuperoptimizeResult superoptimize_in_any_order(const Circuit& circuit, const GateSet& set,
                                               const SuperoptimizeOptions& options) {
  SuperoptimizeOptions others = options;
  others.qubit_order = QubitOrder::keep;
  const workflow::FreeOrder order = workflow::choose_order(circuit, set, options);
  others.seconds = std::max(options.seconds - order.seconds, 0.0);
  if (options.stop.stop_requested()) {
    // The request was during a search for the order: the circuit is simplified in place of a
    // search.
    others.stop = {};
    others.seconds = 0;
    others.steps = 0;
  }
  if (options.on_result) {
    others.on_result = [&options, &order](const SuperoptimizeResult& result) {
      SuperoptimizeResult complete = result;
      complete.permutation = order.permutation;
      options.on_result(complete);
    };
  }
  SuperoptimizeResult result = superoptimize(order.start, set, others);
  result.permutation = order.permutation;
  return result;
}

/// Optimizes a circuit with its edges as resets, which its results do not have.
SuperoptimizeResult superoptimize_between_edges(const Circuit& circuit, const GateSet& set,
                                                const SuperoptimizeOptions& options) {
  const ProgramEdges& edges = options.edges;
  const auto strip = [&edges](SuperoptimizeResult& result) {
    result.circuit = without_edges(result.circuit, edges);
    result.translated = without_edges(result.translated, edges);
    for (AlternativeCircuit& other : result.alternatives) {
      other.circuit = without_edges(other.circuit, edges);
    }
    result.edges = edges;
  };
  SuperoptimizeOptions others = options;
  others.edges = {};
  if (options.on_result) {
    others.on_result = [&options, &strip](const SuperoptimizeResult& result) {
      SuperoptimizeResult stripped = result;
      strip(stripped);
      options.on_result(stripped);
    };
  }
  SuperoptimizeResult result = superoptimize(with_edges(circuit, edges), set, others);
  strip(result);
  return result;
}

}  // namespace

std::string_view to_string(SuperoptimizeStage stage) {
  static constexpr std::array<std::string_view, 5> names{"translate", "rules", "search", "journal",
                                                         "check"};
  return names.at(static_cast<std::size_t>(stage));
}

SuperoptimizeResult superoptimize(const Circuit& circuit, const GateSet& set,
                                  const SuperoptimizeOptions& options) {
  if (options.barriers == Barriers::ignore) {
    return superoptimize_without_barriers(circuit, set, options);
  }
  if (options.qubit_order == QubitOrder::free) {
    return superoptimize_in_any_order(circuit, set, options);
  }
  if (options.edges.any()) return superoptimize_between_edges(circuit, set, options);
  StageClock stages(options);
  SuperoptimizeResult result;
  result.cost = options.cost.value_or(set.default_cost);
  workflow::CheckpointedSearch checkpoint(options, circuit, set, result.cost);
  result.seconds_before = checkpoint.seconds_before();
  stages.begin(SuperoptimizeStage::translate);
  circuit::HistoryPointer history;
  circuit::HistoryPointer* const recorded = records_history(options) ? &history : nullptr;
  result.translated =
      in_version(translate(circuit, set, options.stop, recorded), options.qasm_version);
  stages.begin(SuperoptimizeStage::rules);
  apply_coupling(circuit, set, options, result, recorded);
  workflow::TableSource tables(set, {.file = options.class_table,
                                     .cache = options.cache,
                                     .seconds = options.seconds,
                                     .reproducible = options.steps != 0,
                                     .threads = options.threads,
                                     .on_warning = options.on_warning});
  RuleSet storage;
  const RuleSet& rules = rules_for(set, options, storage);
  stages.begin(SuperoptimizeStage::search);
  OptimizeOptions search = search_options(options, result, tables);
  const bool records = records_history(options);
  const auto simplified = workflow::simplified_start(circuit, set, options, result, records);
  if (simplified) history = simplified->history;
  const Circuit& start =
      checkpoint.start(simplified ? simplified->circuit : result.translated, history);
  checkpoint.attach(search, start, history);
  workflow::CertifiableCircuits circuits;
  if (options.check != CheckPolicy::off) {
    remember_circuits(search, start, checkpoint.was_numeric(), history, circuits);
  }
  search.seconds_spent = stages.total_seconds() + seconds_for_check(options);
  static_cast<OptimizeResult&>(result) = optimize(start, set, rules, search);
  result.history = circuit::in_sequence(std::move(history), std::move(result.history));
  checkpoint.finish(result);
  workflow::simplify_result(set, records, result);
  result.replay = replay_record(options, result, set, rules);
  if (options.record_journal) {
    stages.begin(SuperoptimizeStage::journal);
    set_journal(circuit, result);
  }
  stages.begin(SuperoptimizeStage::check);
  check_or_fall_back(options, circuit, circuits, result);
  stages.end();
  result.stages = stages.times();
  if (options.on_result) options.on_result(result);
  tables.keep();
  return result;
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
