#include "quartz/workflow/superoptimize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <optional>
#include <sstream>
#include <utility>

#include "base/either_stop.hpp"
#include "circuit/derivation.hpp"
#include "journal/history_writer.hpp"
#include "optimize/derived_search.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/workflow/options.hpp"
#include "workflow/approximated_rotations.hpp"
#include "workflow/certificate/running_certificate.hpp"
#include "workflow/checkpointed_search.hpp"
#include "workflow/chosen_coupling.hpp"
#include "workflow/chosen_rules.hpp"
#include "workflow/circuit_pipelines.hpp"
#include "workflow/result_check.hpp"
#include "workflow/search_total.hpp"
#include "workflow/stage_clock.hpp"
#include "workflow/table_source.hpp"

namespace quartz {
namespace {

/// Returns the circuit in the requested version of OpenQASM. Throws UsageError, before the search,
/// if that version cannot express it.
Circuit in_version(Circuit circuit, unsigned version) {
  if (version == 0 || version == circuit.qasm_version) return circuit;
  circuit.qasm_version = version;
  circuit.hides_library_names = false;
  (void)write_qasm(circuit);
  return circuit;
}

bool records_history(const SuperoptimizeOptions& options) {
  return options.record_journal || options.check != CheckPolicy::off;
}

/// Returns the seconds of the limit that the search leaves for the check, so that a call with a
/// small circuit ends on time. The check of 100 gates takes 10 to 40 ms; that of large circuits
/// takes longer, and has a limit of its own.
double seconds_for_check(const SuperoptimizeOptions& options) {
  constexpr double share = 0.06;
  constexpr double most = 0.02;
  if (options.check == CheckPolicy::off || options.steps != 0) return 0;
  return std::min(share * options.seconds, most);
}

OptimizeOptions search_options(const SuperoptimizeOptions& options,
                               const SuperoptimizeResult& result, workflow::TableSource& tables,
                               const std::stop_token& stop) {
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
  search.stop = stop;
  search.record_rules = options.record_rules;
  search.record_gains = options.record_gains;
  search.table_memory = options.table_memory;
  search.find_class_table = [&tables](const GateSet& of, const ClassTableOptions& wanted) {
    return tables.find(of, wanted);
  };
  search.on_class_table = [&tables](const GateSet& of, const ClassTableOptions& wanted,
                                    std::shared_ptr<const ClassTable> built) {
    tables.note(of, wanted, std::move(built));
  };
  if (options.on_progress) {
    search.on_progress = [&options, translated = cost_of(result.translated, result.cost)](
                             const OptimizeProgress& progress) {
      options.on_progress({.stage = SuperoptimizeStage::search,
                           .search = &progress,
                           .translated_cost = &translated});
    };
  }
  return search;
}

ReplayRecord replay_record(const SuperoptimizeOptions& options, const SuperoptimizeResult& result,
                           const GateSet& set, const RuleSet& rules) {
  ReplayRecord record;
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

/// Processor time of the certificate while the search goes on, as a fraction of that of the
/// process. The search also loses what the certificate takes of the processor's cache: with a share
/// of 9%, annealing on two cores was 15% slower.
constexpr double kCertificateShare = 0.05;
/// Most memory of a direct comparison while the search goes on, in bytes.
constexpr double kComparisonMemory = 2.5e8;

/// Returns the options of replays that begin with the input, without their limits.
ReplayOptions replay_options(const SuperoptimizeOptions& options) {
  ReplayOptions replay;
  replay.memory_bytes = options.check_memory_bytes;
  replay.seed = options.seed;
  replay.epsilon = options.epsilon;
  if (options.check_steps != 0) replay.max_steps = options.check_steps;
  return replay;
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

/// Returns what becomes of the SWAP gates of a circuit in a free order.
SwapGates swap_gates(const SuperoptimizeOptions& options) {
  return std::holds_alternative<AnyCoupling>(options.coupling) ? SwapGates::removed
                                                               : SwapGates::kept;
}

/// Returns the circuit with which the journal begins: with its edges, and without its SWAP gates if
/// the order of its qubits is free, unless there is a coupling map.
PermutedCircuit first_circuit(const Circuit& circuit, const SuperoptimizeOptions& options) {
  PermutedCircuit first{circuit, {}};
  if (options.qubit_order == QubitOrder::free && swap_gates(options) == SwapGates::removed) {
    first = without_swaps(circuit);
  }
  if (options.edges.any()) first.circuit = with_edges(first.circuit, options.edges);
  return first;
}

/// One call of superoptimize() for a circuit whose barriers stay.
class Superoptimization {
 public:
  Superoptimization(const Circuit& circuit, const GateSet& set, const SuperoptimizeOptions& options)
      : circuit_(circuit),
        set_(set),
        options_(options),
        stages_(options),
        cost_(options.cost.value_or(set.default_cost)),
        first_(first_circuit(circuit, options)),
        checkpoint_(options, first_.circuit, set, cost_),
        end_search_(options.stop, options.end_search),
        tables_(set, {.file = options.class_table,
                      .cache = options.cache,
                      .seconds = options.seconds,
                      .reproducible = options.steps != 0,
                      .threads = options.threads,
                      .on_warning = options.on_warning}) {
    result_.cost = cost_;
    result_.edges = options.edges;
    result_.seconds_before = checkpoint_.seconds_before();
  }

  [[nodiscard]] SuperoptimizeResult run();

 private:
  [[nodiscard]] bool records() const { return records_history(options_); }
  /// Returns whether SWAP gates are taken for free. A checkpoint has no output permutation.
  [[nodiscard]] bool takes_free_swaps() const {
    return options_.qubit_order == QubitOrder::free && options_.checkpoint.folder.empty() &&
           workflow::is_of_free_order(now_.circuit);
  }
  /// Translates the first circuit, and chooses the one with which the search begins.
  void prepare();
  /// Translates the first circuit, and approximates its rotations if the set lacks their angles and
  /// an epsilon permits it.
  [[nodiscard]] circuit::DerivedCircuit translated();
  void search();
  void search_with_free_swaps();
  /// Returns whether the search does not stop at this fraction (kStops).
  [[nodiscard]] bool leaves_out(double stop) const;
  /// Continues the search until this fraction of the time or of the steps is spent.
  void search_until(double stop);
  /// Returns the options of a search that continues until then.
  [[nodiscard]] OptimizeOptions options_until(double stop);
  /// Makes the certificate follow a search, so that what it finds is certified while it goes on.
  void certify_while_searching(optimizer::SearchListener& listener);
  /// Returns what the certificate begins with.
  [[nodiscard]] workflow::CertificateOptions certificate_options() const;
  /// Returns the qubits of `now_` on which those of the input end; empty if that is no matter.
  [[nodiscard]] OutputPermutation permutation_now() const;
  [[nodiscard]] circuit::DerivedCircuit simplified(const Circuit& circuit);
  [[nodiscard]] optimizer::PassContext context() const {
    return {set_, cost_, result_.coupling ? &*result_.coupling : nullptr, options_.stop};
  }
  /// Sets the journal of the result. Throws InternalError if a rewrite was not recorded, and
  /// UsageError if this may have been in an earlier search of the checkpoint.
  void set_journal();
  [[nodiscard]] workflow::CheckRequest check_request();
  /// Returns the circuit to which the result is equal: the input with its permutation and edges.
  [[nodiscard]] Circuit expected() const;
  /// Compares the result with the input, and falls back to another circuit if it has to.
  void check_or_fall_back();
  /// Removes the edges from the result, and states its permutation.
  void finish();

  const Circuit& circuit_;
  const GateSet& set_;
  const SuperoptimizeOptions& options_;
  workflow::StageClock stages_;
  const Cost cost_;
  const PermutedCircuit first_;  ///< the circuit with which the journal begins
  workflow::CheckpointedSearch checkpoint_;
  EitherStop end_search_;
  workflow::TableSource tables_;
  std::optional<workflow::ChosenRules> rules_;
  KnownStates known_at_start_;  ///< what changed before the search began
  /// Where the search is, derived from `first_`.
  circuit::DerivedCircuit now_ = circuit::DerivedCircuit::first({});
  double spent_ = 0;  ///< the fraction at which the search stopped last
  SuperoptimizeResult result_;
  /// Refers to other members. Empty unless derivations are recorded.
  std::optional<workflow::RunningCertificate> certificate_;
};

circuit::DerivedCircuit Superoptimization::translated() {
  try {
    return workflow::translated(first_.circuit, context());
  } catch (const InexpressibleGate& error) {
    if (!workflow::can_be_approximated(first_.circuit, context())) throw;
    if (options_.epsilon == 0) {
      throw InexpressibleGate(
          fmt::format("{}; with --epsilon, rotations are approximated", error.what()),
          error.operation());
    }
  }
  workflow::ApproximatedCircuit approximated = workflow::approximate_circuit(
      first_.circuit, context(),
      {.epsilon = options_.epsilon, .threads = options_.threads, .records = records()});
  result_.approximated_rotations = approximated.rotations;
  return std::move(approximated.derived);
}

void Superoptimization::prepare() {
  stages_.begin(SuperoptimizeStage::translate);
  const workflow::ChosenCoupling coupling = workflow::chosen_coupling(first_.circuit, options_);
  result_.coupling = coupling.map;
  now_ = translated();
  now_.circuit = in_version(std::move(now_.circuit), options_.qasm_version);
  result_.translated = now_.circuit;
  stages_.begin(SuperoptimizeStage::rules);
  workflow::require_coupled(result_.translated, coupling, options_.circuit_name);
  checkpoint_.require_suitable(result_.translated, set_, result_.coupling);
  rules_.emplace(set_, options_);
  stages_.begin(SuperoptimizeStage::search);
  try {
    if (auto simplified =
            workflow::simplified_start(first_.circuit, result_.translated, context())) {
      now_ = std::move(simplified->derived);
      known_at_start_ = simplified->known_states;
    }
  } catch (const std::bad_alloc&) {
    // The search begins with the plain translation.
  }
  now_ = checkpoint_.start(std::move(now_));
}

OptimizeOptions Superoptimization::options_until(double stop) {
  OptimizeOptions search = search_options(options_, result_, tables_, end_search_.token());
  if (options_.steps != 0) {
    const double steps = (stop - spent_) * static_cast<double>(options_.steps);
    search.steps = std::max<std::uint64_t>(static_cast<std::uint64_t>(steps), 1);
  } else {
    // What the search does depends on the time that it is given, whatever came before it has taken.
    const double reserve = stop == 1 ? seconds_for_check(options_) : 0;
    const double left = stop * options_.seconds - stages_.total_seconds() - reserve;
    search.seconds = (stop - spent_) * options_.seconds;
    search.seconds_spent = search.seconds - left;
  }
  search.continues = spent_ > 0 || checkpoint_.continues();
  spent_ = stop;
  return search;
}

OutputPermutation Superoptimization::permutation_now() const {
  if (options_.qubit_order == QubitOrder::keep) return {};
  return composed(first_.permutation, now_.permutation);
}

workflow::CertificateOptions Superoptimization::certificate_options() const {
  workflow::CertificateOptions certificate;
  certificate.circuits = {&first_.circuit, &first_.circuit};
  certificate.replay = replay_options(options_);
  // With steps, what is certified must not depend on the time.
  if (options_.steps == 0) certificate.share = kCertificateShare;
  if (options_.qubit_order == QubitOrder::free) {
    certificate.circuits.input = &circuit_;
    certificate.replay.swaps = swap_gates(options_);
    certificate.replay.edges = options_.edges;
    return certificate;
  }
  EquivalenceOptions direct;
  direct.memory_bytes = std::min(options_.check_memory_bytes, kComparisonMemory);
  direct.seed = options_.seed;
  direct.epsilon = options_.epsilon;
  certificate.compare = [this, direct](const Circuit& circuit, double seconds,
                                       const std::stop_token& stop) {
    EquivalenceOptions options = direct;
    options.seconds = seconds;
    options.stop = stop;
    return workflow::compare_directly(first_.circuit, circuit, options, seconds);
  };
  return certificate;
}

void Superoptimization::certify_while_searching(optimizer::SearchListener& listener) {
  if (options_.check == CheckPolicy::off || !now_.derivation.is_recorded()) return;
  std::shared_ptr<const circuit::DerivedCircuit> start;
  try {
    start = std::make_shared<circuit::DerivedCircuit>(now_);
  } catch (const std::bad_alloc&) {
    return;
  }
  if (!certificate_) certificate_.emplace(certificate_options());
  const std::uint64_t steps = now_.derivation.steps();
  const OutputPermutation permutation = permutation_now();
  certificate_->consider(
      {start->circuit.operations.size(), steps, permutation, [start] { return *start; }});
  listener.on_best = [this, steps, permutation,
                      before = now_.derivation](optimizer::UnformedCircuit best) {
    certificate_->consider(
        {best.operations, steps + best.steps, permutation, [before, form = std::move(best.form)] {
           circuit::DerivedCircuit formed = form();
           formed.derivation = before.then(std::move(formed.derivation));
           return formed;
         }});
  };
}

void Superoptimization::search_until(double stop) {
  OptimizeOptions search = options_until(stop);
  optimizer::SearchListener listener{.records = records(), .on_better = {}, .on_best = {}};
  checkpoint_.attach(search, listener, now_);
  certify_while_searching(listener);
  if (search.on_progress) {
    search.on_progress = [seconds = result_.seconds, popped = result_.circuits_popped,
                          report = std::move(search.on_progress)](OptimizeProgress progress) {
      progress.seconds += seconds;
      progress.circuits_popped += popped;
      report(progress);
    };
  }
  optimizer::SearchResult found =
      optimizer::search(now_.circuit, set_, rules_->rules(), search, listener);
  now_.append(std::move(found.best));
  workflow::add_search(result_, std::move(found.report));
}

circuit::DerivedCircuit Superoptimization::simplified(const Circuit& circuit) {
  OptimizeOptions quick = search_options(options_, result_, tables_, end_search_.token());
  quick.search = "simplify";
  quick.threads = 1;
  quick.on_progress = {};
  if (options_.steps == 0) quick.seconds = kSimplificationShare * options_.seconds;
  return optimizer::search(circuit, set_, rules_->rules(), quick,
                           {.records = records(), .on_better = {}, .on_best = {}})
      .best;
}

bool Superoptimization::leaves_out(double stop) const {
  const auto is_below = [&](double seconds) {
    return options_.steps == 0 && options_.seconds < seconds;
  };
  if (stop == kStops.back()) return false;
  if (is_below(kMinSecondsOfStops)) return true;
  if (stop != kStops.front()) return false;
  return is_below(kMinSecondsOfFirstStop) || result_.coupling ||
         now_.circuit.operations.size() > kMaxOperationsOfFirstStop;
}

void Superoptimization::search_with_free_swaps() {
  const auto take_free_swaps = [&] {
    const auto simplify = [this](const Circuit& circuit) { return simplified(circuit); };
    (void)workflow::take_free_swaps(now_, context(), simplify);
  };
  now_.append(simplified(now_.circuit));
  take_free_swaps();
  for (const double stop : kStops) {
    if (leaves_out(stop)) continue;
    search_until(stop);
    if (end_search_.token().stop_requested() || result_.stop_reason == StopReason::memory_limit)
      break;
    if (stop != kStops.back()) take_free_swaps();
  }
}

void Superoptimization::search() {
  try {
    takes_free_swaps() ? search_with_free_swaps() : search_until(1);
  } catch (const std::bad_alloc&) {
    result_.stop_reason = StopReason::memory_limit;
  }
  if (result_.stop_reason == StopReason::memory_limit && options_.on_warning) {
    options_.on_warning("there was no memory to continue the search, which ended early");
  }
  result_.known_states = known_at_start_;
  try {
    checkpoint_.finish(now_);
    result_.known_states += workflow::simplify_result(now_, context());
  } catch (const std::bad_alloc&) {
    // The result stays as it is.
  }
  result_.replay = replay_record(options_, result_, set_, rules_->rules());
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
      journal::write_journal(journal, first_.circuit, now_.derivation.history()).rewrites;
  result_.journal = std::move(journal).str();
}

workflow::CheckRequest Superoptimization::check_request() {
  workflow::CheckRequest request;
  request.policy = options_.check;
  request.coupling = result_.coupling;
  request.rules_name = workflow::name_of(options_.rules);
  request.equivalence.seconds =
      options_.check_seconds.value_or(default_check_seconds(options_.seconds, options_.steps));
  request.equivalence.memory_bytes = options_.check_memory_bytes;
  request.equivalence.seed = options_.seed;
  request.equivalence.epsilon = options_.epsilon;
  if (result_.seconds_before) request.checkpoint_name = options_.checkpoint.folder.string();
  // A stop during the search ends only the search; its result is still checked.
  if (!options_.stop.stop_requested()) request.equivalence.stop = options_.stop;
  if (options_.qubit_order == QubitOrder::free) {
    request.order = workflow::FreeOrderOfResult{&circuit_, permutation_now(), options_.edges};
  }
  if (!records() || !now_.derivation.is_recorded()) return request;
  if (!certificate_) certificate_.emplace(certificate_options());
  request.certificate = &*certificate_;
  request.history = now_.derivation.history();
  return request;
}

Circuit Superoptimization::expected() const {
  if (options_.qubit_order == QubitOrder::keep) return first_.circuit;
  const Circuit circuit =
      with_output_permutation(circuit_, permutation_now(), swap_gates(options_));
  return options_.edges.any() ? with_edges(circuit, options_.edges) : circuit;
}

void Superoptimization::check_or_fall_back() {
  result_.permutation = permutation_now();
  const workflow::CheckRequest request = check_request();
  std::optional<Circuit> compared;
  try {
    compared = expected();
  } catch (const std::bad_alloc&) {
    // The input is larger than what is left of the memory.
  }
  workflow::CheckOutcome outcome = compared
                                       ? workflow::check_result(*compared, now_.circuit, request)
                                       : workflow::unchecked_for_memory(now_.circuit, request);
  result_.check = std::move(outcome.check);
  certificate_.reset();
  if (outcome.other == nullptr) return;
  result_.uncertified_cost = cost_of(now_.circuit, cost_);
  now_ = outcome.other->found;
  result_.permutation = outcome.other->permutation;
  result_.known_states = known_at_start_;
  if (options_.record_journal) set_journal();
}

void Superoptimization::finish() {
  result_.stages = stages_.times();
  result_.circuit = std::move(now_.circuit);
  result_.numeric = now_.derivation.is_numeric();
  if (options_.edges.any()) {
    result_.circuit = without_edges(result_.circuit, options_.edges);
    result_.translated = without_edges(result_.translated, options_.edges);
  }
  if (options_.qubit_order == QubitOrder::keep) return;
  result_.circuit = with_stated_permutation(
      std::move(result_.circuit), composed(stated_permutation(circuit_), result_.permutation));
}

SuperoptimizeResult Superoptimization::run() {
  prepare();
  search();
  if (options_.record_journal) {
    stages_.begin(SuperoptimizeStage::journal);
    set_journal();
  }
  stages_.begin(SuperoptimizeStage::check);
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
  return Superoptimization(without, set, options).run();
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
  return Superoptimization(circuit, set, options).run();
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
