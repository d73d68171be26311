#include "workflow/stages/declared_gates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "optimize/passes/circuit_pass.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/declared_gate.hpp"
#include "quartz/workflow/options.hpp"
#include "workflow/result_check.hpp"
#include "workflow/search_total.hpp"
#include "workflow/stages/stage_times.hpp"

namespace quartz::workflow {
namespace {

/// Largest distance of the result that may come from rounding, as in EquivalenceOptions::epsilon.
constexpr double kMostRoundingOfCalls = 1e-9;
/// Fraction of its planned time that each part has at least.
constexpr double kLeastOfShare = 0.25;
/// Fraction of the time of the check for the parts. The rest is for the whole.
constexpr double kShareOfPartChecks = 0.6;
/// Most seconds in which the whole is compared with the input if all parts are proved already, so
/// that nothing but a mistake in putting them together is left to find.
constexpr double kMostSecondsOfProvedWhole = 1;

/// Returns the body of a gate as a circuit of its own, with the gate's parameters as free ones.
Circuit circuit_of(const DeclaredGate& gate) {
  Circuit body = make_circuit(gate.qubits, gate.operations);
  body.qasm_version = 3;
  for (const std::string& parameter : gate.parameters) body.parameters.push_back({parameter});
  body.global_phase = gate.global_phase;
  return body;
}

/// Returns the program with its calls as opaque gates.
Circuit program_of(const Circuit& circuit) {
  Circuit program = circuit;
  program.declared_gates.clear();
  return program;
}

/// Returns the program with calls that are the gates' again, whose bodies have become these.
Circuit put_together(Circuit program, std::vector<DeclaredGate> gates,
                     std::span<const Circuit> bodies) {
  std::set<GateKind> in_turns(program.gates_in_turns.begin(), program.gates_in_turns.end());
  for (std::size_t i = 0; i < gates.size(); ++i) {
    gates[i].operations = bodies[i].operations;
    gates[i].global_phase = bodies[i].global_phase;
    in_turns.insert(bodies[i].gates_in_turns.begin(), bodies[i].gates_in_turns.end());
  }
  program.gates_in_turns.assign(in_turns.begin(), in_turns.end());
  program.declared_gates = std::move(gates);
  return program;
}

/// Proofs of the parts, taken together. What a part may differ by counts once for each call.
class ProofOfParts {
 public:
  void add(const ResultCheck& check, double calls) {
    const EquivalenceReport& next = check.report;
    is_complete_ = is_complete_ && check.verified == true && next.distance.has_value() &&
                   next.verdict != EquivalenceVerdict::within_epsilon;
    if (!is_complete_) return;
    report_.verdict = std::max(report_.verdict, next.verdict);
    *report_.distance += calls * *next.distance;
    if (next.log2_failure) {
      // The probabilities add up, to at most twice the larger one.
      report_.log2_failure = report_.log2_failure
                                 ? std::max(*report_.log2_failure, *next.log2_failure) + 1
                                 : *next.log2_failure;
    }
    methods_.insert(next.method);
  }
  /// Makes the proof worthless.
  void withdraw() { is_complete_ = false; }

  /// Returns the report; nothing if a part is not proved.
  [[nodiscard]] std::optional<EquivalenceReport> report(std::size_t gates) const {
    if (!is_complete_ || *report_.distance > kMostRoundingOfCalls) return std::nullopt;
    EquivalenceReport report = report_;
    if (report.verdict == EquivalenceVerdict::equal) report.phase = 0;
    report.method = fmt::format("the program and {}, each by itself: {}",
                                counted(gates, "declared gate"), fmt::join(methods_, ", "));
    return report;
  }

 private:
  static EquivalenceReport report_of_nothing() {
    EquivalenceReport report;
    report.verdict = EquivalenceVerdict::equal;
    report.distance = 0;
    return report;
  }

  bool is_complete_ = true;
  EquivalenceReport report_ = report_of_nothing();
  std::set<std::string> methods_;
};

class SearchWithDeclaredGates {
 public:
  SearchWithDeclaredGates(const Circuit& circuit, const GateSet& set,
                          const SuperoptimizeOptions& options)
      : original_(circuit),
        set_(set),
        options_(options),
        circuit_(with_expressible_gates()),
        calls_(calls_of_declared_gates(circuit_)),
        weights_(weights_of_parts()) {}

  SuperoptimizeResult run() {
    if (circuit_.declared_gates.empty()) return run_without_gates();
    search_gates();
    search_program();
    result_.circuit = put_together(std::move(result_.circuit), circuit_.declared_gates, found_);
    result_.translated =
        put_together(std::move(result_.translated), circuit_.declared_gates, translated_);
    count_plain_translation();
    keep_least_cost();
    check();
    if (options_.on_result) options_.on_result(result_);
    return std::move(result_);
  }

 private:
  /// Returns the circuit in which those gates are expanded whose bodies the set cannot express.
  [[nodiscard]] Circuit with_expressible_gates() const {
    std::set<std::string> inexpressible;
    for (const DeclaredGate& gate : original_.declared_gates) {
      try {
        (void)translate(circuit_of(gate), set_, options_.stop);
      } catch (const InexpressibleGate& error) {
        inexpressible.insert(gate.name);
        if (options_.on_warning) {
          options_.on_warning(
              fmt::format("calls of the gate '{}' are expanded, because its body "
                          "cannot be written in the gate set: {}",
                          gate.name, error.what()));
        }
      }
    }
    return with_expanded_calls(original_, inexpressible);
  }

  /// Returns how much of the time each body gets in comparison, and then the program. A body pays
  /// at each of its calls, but no search is as much longer as it is called more often.
  [[nodiscard]] std::vector<double> weights_of_parts() const {
    std::vector<double> weights;
    std::map<std::string, double> sizes;  // with their calls expanded
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      double& size = sizes[circuit_.declared_gates[i].name];
      size = 1;
      for (const Operation& operation : circuit_.declared_gates[i].operations) {
        const DeclaredGate* const called = called_gate(circuit_, operation);
        size += called == nullptr ? 1 : sizes.at(called->name);
      }
      weights.push_back(size * std::sqrt(calls_[i]));
    }
    weights.push_back(1 + static_cast<double>(circuit_.operations.size()));
    return weights;
  }

  SuperoptimizeResult run_without_gates() const {
    SuperoptimizeOptions plain = options_;
    plain.keep_gates = false;
    return superoptimize(circuit_, set_, plain);
  }

  [[nodiscard]] bool is_stopped() const { return options_.stop.stop_requested(); }

  /// Returns the options for a part, by its place among the weights. A gate that is never called is
  /// not searched, and after a request to stop nothing is.
  SuperoptimizeOptions part_of_options(std::size_t place) {
    const auto rest = weights_.begin() + static_cast<std::ptrdiff_t>(place);
    const double share = weights_[place] / std::accumulate(rest, weights_.end(), 0.0);
    const double all = std::accumulate(weights_.begin(), weights_.end(), 0.0);
    SuperoptimizeOptions part = options_;
    part.keep_gates = false;
    // What takes longer than planned, such as making a rule set, leaves the others a part of
    // theirs.
    part.seconds =
        std::max(share * seconds_left_, kLeastOfShare * weights_[place] / all * options_.seconds);
    part.steps = 0;
    if (options_.steps != 0 && share > 0) {
      part.steps =
          std::max<std::uint64_t>(static_cast<std::uint64_t>(share * double(steps_left_)), 1);
      steps_left_ -= std::min(steps_left_, part.steps);
    }
    if (is_stopped()) {
      part.seconds = 0;
      part.steps = 0;
      part.stop = {};
    }
    // What a part leaves undecided, the comparison of the whole may decide.
    if (part.check == CheckPolicy::required) part.check = CheckPolicy::normal;
    part.check_seconds =
        kShareOfPartChecks * seconds_of_check() * std::max(weights_[place] / all, 0.01);
    part.on_result = {};
    if (options_.on_progress) {
      // The costs of parts do not continue each other.
      part.on_progress = [this](const SuperoptimizeProgress& progress) {
        if (progress.search == nullptr) options_.on_progress(progress);
      };
    }
    return part;
  }

  [[nodiscard]] double seconds_of_check() const {
    return options_.check_seconds.value_or(
        default_check_seconds(options_.seconds, options_.steps, circuit_.operations.size()));
  }

  void search_gates() {
    for (std::size_t i = 0; i < circuit_.declared_gates.size(); ++i) {
      const Circuit body = circuit_of(circuit_.declared_gates[i]);
      SuperoptimizeOptions part = options_of_gate(i);
      const bool has_variants = calls_[i] > 0 && calls_others(body);
      if (has_variants) part = half_of(part);
      SuperoptimizeResult found = search_gate(body, part);
      translated_.push_back(std::move(found.translated));
      has_merged_runs_ = has_merged_runs_ || found.plain_translation.has_value();
      if (has_variants) {
        const Circuit whole =
            with_expanded_calls(with_gates_before(body, circuit_.declared_gates, i));
        take_whole_if_cheaper(found, search_gate(whole, part), i);
      }
      proof_.add(found.check, calls_[i]);
      warn_of_uncertified(found, part.circuit_name);
      found_.push_back(std::move(found.circuit));
    }
  }

  [[nodiscard]] bool calls_others(const Circuit& body) const {
    return std::ranges::any_of(body.operations, [&](const Operation& operation) {
      return called_gate(circuit_, operation) != nullptr;
    });
  }

  [[nodiscard]] SuperoptimizeOptions options_of_gate(std::size_t i) {
    SuperoptimizeOptions part = part_of_options(i);
    part.assumptions = {};
    part.qubit_order = QubitOrder::keep;
    part.qasm_version = 0;
    part.circuit_name = fmt::format("the gate '{}'", circuit_.declared_gates[i].name);
    return part;
  }

  static SuperoptimizeOptions half_of(SuperoptimizeOptions options) {
    options.seconds /= 2;
    options.steps = (options.steps + 1) / 2;
    *options.check_seconds /= 2;
    return options;
  }

  /// Returns a body that calls the gates before the one with this number.
  static Circuit with_gates_before(Circuit body, std::span<const DeclaredGate> gates,
                                   std::size_t number) {
    body.declared_gates.assign(gates.begin(), gates.begin() + static_cast<std::ptrdiff_t>(number));
    return body;
  }

  /// Optimizes a body, and adds what the search reports to what those before it have reported.
  SuperoptimizeResult search_gate(const Circuit& body, const SuperoptimizeOptions& options) {
    SuperoptimizeResult found = superoptimize(body, set_, options);
    seconds_left_ = std::max(seconds_left_ - seconds_of_search(found.stages), 0.0);
    add_stages(bodies_.stages, found.stages);
    bodies_.numeric = bodies_.numeric || found.numeric;
    add_search(bodies_, found);
    return found;
  }

  /// Takes a body whose calls of other gates were expanded before the search, if it costs less:
  /// what one gate ends with may cancel what the next one begins with.
  void take_whole_if_cheaper(SuperoptimizeResult& found, SuperoptimizeResult whole,
                             std::size_t number) const {
    const Circuit with_calls =
        put_together(found.circuit,
                     with_gates_before({}, circuit_.declared_gates, number).declared_gates, found_);
    const Cost cost = options_.cost.value_or(set_.default_cost);
    if (cost_of(whole.circuit, cost) < cost_of(with_calls, cost)) found = std::move(whole);
  }

  void warn_of_uncertified(const SuperoptimizeResult& found, const std::string& name) const {
    if (!found.uncertified_cost || !options_.on_warning) return;
    options_.on_warning(fmt::format(
        "a cheaper circuit was found for {}, which could not be certified in the time of the check",
        name));
  }

  void search_program() {
    result_ = superoptimize(program_of(circuit_), set_, part_of_options(weights_.size() - 1));
    proof_.add(result_.check, 1);
    warn_of_uncertified(result_, options_.circuit_name);
    std::vector<StageTime> stages = std::move(bodies_.stages);
    add_stages(stages, result_.stages);
    SuperoptimizeResult program = result_;
    const bool is_numeric = bodies_.numeric || result_.numeric;
    static_cast<OptimizeResult&>(result_) = static_cast<OptimizeResult&&>(bodies_);
    add_search(result_, program);
    result_.circuit = std::move(program.circuit);
    result_.numeric = is_numeric;
    result_.stages = std::move(stages);
    result_.run_record.options = recorded_options(options_);
    result_.run_record.class_tables = result_.class_tables;
    if (is_stopped()) result_.stop_reason = StopReason::interrupted;
    // These are about one circuit.
    result_.uncertified_cost.reset();
    result_.products.reset();
    result_.repetitions.reset();
    result_.local_optimality.reset();
  }

  /// Counts the whole if the translation of a part has merged runs.
  void count_plain_translation() {
    if (!has_merged_runs_ && !result_.plain_translation) return;
    const Circuit expanded = with_expanded_calls(circuit_);
    result_.plain_translation =
        optimizer::counts_of_plain_translation(expanded, {.set = set_, .cost = result_.cost});
  }

  /// Depths of parts do not add up, so that cheaper parts may make a whole that costs more than the
  /// translation. The result is the translation then.
  void keep_least_cost() {
    if (cost_of(result_.circuit, result_.cost) <= cost_of(result_.translated, result_.cost)) return;
    result_.circuit = result_.translated;
    result_.permutation = {};
    proof_.withdraw();
  }

  /// Compares the whole with the input, both with all calls expanded.
  [[nodiscard]] EquivalenceReport compare_whole(double seconds) const {
    EquivalenceOptions limits;
    limits.seconds = seconds;
    limits.memory_bytes = options_.check_memory_bytes;
    limits.seed = options_.seed;
    if (!is_stopped()) limits.stop = options_.stop;
    try {
      Circuit before = with_expanded_calls(original_);
      Circuit after = with_expanded_calls(result_.circuit);
      if (options_.assumptions.any()) {
        before = with_assumptions(before, options_.assumptions);
        after = with_assumptions(after, options_.assumptions);
      }
      return compare_directly(before, after, limits, seconds);
    } catch (const InputError& error) {  // too many operations
      EquivalenceReport report;
      report.witness = error.what();
      return report;
    }
  }

  void check() {
    result_.check = {};
    if (options_.check == CheckPolicy::off) return;
    const std::optional<EquivalenceReport> parts = proof_.report(found_.size());
    const double rest = (1 - kShareOfPartChecks) * seconds_of_check();
    EquivalenceReport whole;
    whole.witness = "the order of the qubits is free";
    if (options_.qubit_order == QubitOrder::keep) {
      whole = compare_whole(parts ? std::min(rest, kMostSecondsOfProvedWhole) : rest);
    }
    if (whole.verdict == EquivalenceVerdict::not_equal) {
      throw InternalError(
          fmt::format("the result with declared gates is not equal to the input and was not "
                      "written: {}; please report this with the input file and the options",
                      whole.witness));
    }
    const bool is_decided = whole.verdict != EquivalenceVerdict::undecided;
    result_.check.verified = parts.has_value() || is_decided;
    result_.check.report = parts && !is_decided ? *parts : std::move(whole);
    if (*result_.check.verified) {
      result_.check.text = text_of_verdict(result_.check.report);
      return;
    }
    result_.check.text = fmt::format("undecided: {}", result_.check.report.witness);
    if (options_.check == CheckPolicy::required) {
      throw Unverified("the result could not be verified: " + result_.check.text);
    }
  }

  const Circuit& original_;
  const GateSet& set_;
  const SuperoptimizeOptions& options_;
  const Circuit circuit_;  ///< the input without the gates that must be expanded
  const std::vector<double> calls_;
  const std::vector<double> weights_;
  double seconds_left_ = options_.seconds;
  std::uint64_t steps_left_ = options_.steps;
  std::vector<Circuit> found_;
  std::vector<Circuit> translated_;
  bool has_merged_runs_ = false;  ///< whether a translation of `translated_` has
  ProofOfParts proof_;
  SuperoptimizeResult bodies_;  ///< what the searches of the bodies report together
  SuperoptimizeResult result_;
};

}  // namespace

SuperoptimizeResult superoptimize_with_declared_gates(const Circuit& circuit, const GateSet& set,
                                                      const SuperoptimizeOptions& options) {
  return SearchWithDeclaredGates(circuit, set, options).run();
}

}  // namespace quartz::workflow
