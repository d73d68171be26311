#include "quartz/certify/equivalence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <set>

#include "algebra/expression_symbol.hpp"
#include "base/text/bound_text.hpp"
#include "certify/methods/attempts.hpp"
#include "certify/methods/compare_cases.hpp"
#include "certify/methods/compare_problem.hpp"
#include "certify/path_sum/ancilla_comparison.hpp"
#include "certify/path_sum/outcome_comparison.hpp"
#include "certify/problem/comparison.hpp"
#include "certify/problem/problem.hpp"
#include "certify/problem/stretches.hpp"
#include "certify/simulation/ancilla_samples.hpp"
#include "certify/simulation/branches.hpp"
#include "certify/simulation/instruments.hpp"
#include "certify/simulation/outcome_operators.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/declared_gate.hpp"

namespace quartz {
namespace {

using namespace certify;

bool is_wall_with_meaning(const Operation& operation) {
  return operation.is_boundary() && operation.kind != OperationKind::barrier;
}

bool has_only_unitary_boundaries(const Circuit& circuit) {
  return std::all_of(circuit.operations.begin(), circuit.operations.end(), [](const auto& o) {
    return !is_wall_with_meaning(o) || (o.kind == OperationKind::opaque && o.conditions().empty());
  });
}

std::vector<std::vector<Qubit>> barriers(const Circuit& circuit) {
  std::vector<std::vector<Qubit>> result;
  for (const Operation& operation : circuit.operations) {
    if (operation.kind != OperationKind::barrier) continue;
    std::vector<Qubit>& qubits =
        result.emplace_back(operation.qubits.begin(), operation.qubits.end());
    std::sort(qubits.begin(), qubits.end());
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<std::string> notes_on(const Circuit& left, const Circuit& right) {
  std::vector<std::string> notes;
  if (left.qubit_registers != right.qubit_registers) {
    notes.emplace_back(
        "the qubit registers have different names or sizes; qubits are matched by number");
  }
  if (left.bit_registers != right.bit_registers) {
    notes.emplace_back(
        "the classical registers have different names or sizes; bits are matched by number");
  }
  if (barriers(left) != barriers(right)) {
    notes.emplace_back("the barriers differ; they have no effect on states");
  }
  return notes;
}

bool same_sizes(const Circuit& left, const Circuit& right) {
  return left.qubit_count() == right.qubit_count() && left.bit_count() == right.bit_count();
}

/// Returns the phase in (-pi, pi].
double reduced_phase(double phase) {
  const double reduced = std::remainder(phase, 2 * std::numbers::pi);
  return reduced <= -std::numbers::pi ? std::numbers::pi : reduced;
}

EquivalenceReport equal_report(const Comparison& comparison, const Angle& extra_phase,
                               double epsilon) {
  EquivalenceReport report;
  if (is_beyond_rounding(comparison.distance, epsilon)) {
    report.verdict = EquivalenceVerdict::within_epsilon;
    report.method = comparison.method;
    report.distance = comparison.distance;
    report.log2_failure = comparison.log2_failure;
    return report;
  }
  report.method = comparison.method;
  report.distance = comparison.distance;
  report.log2_failure = comparison.log2_failure;
  if (const auto exact =
          comparison.exact_phase ? try_add(*comparison.exact_phase, extra_phase) : std::nullopt) {
    const Angle phase = exact->reduced_symmetric(2);
    if (phase.is_constant()) report.phase = reduced_phase(phase.value_modulo(2));
    if (phase.is_zero()) report.phase = 0;
  } else if (comparison.phase.has_value() && extra_phase.is_constant()) {
    report.phase = reduced_phase(*comparison.phase + extra_phase.value_modulo(2));
  }
  const bool no_phase =
      report.phase.has_value() &&
      (*report.phase == 0 || comparison.distance + std::abs(*report.phase) <= kRoundingTolerance);
  if (no_phase && *report.phase != 0) {
    *report.distance += std::abs(*report.phase);
    report.method += "; global phases equal within " + upper_bound_text(std::abs(*report.phase));
    report.phase = 0;
  }
  report.verdict = no_phase ? EquivalenceVerdict::equal : EquivalenceVerdict::equal_up_to_phase;
  return report;
}

/// Returns the names of the opaque operations that may be gates: all except delays.
std::set<std::string> opaque_names(const Circuit& circuit) {
  std::set<std::string> names;
  for (const Operation& operation : circuit.operations) {
    if (operation.kind != OperationKind::opaque) continue;
    if (operation.classical->opaque_kind != OpaqueKind::delay) {
      names.insert(operation.classical->opaque_name);
    }
  }
  return names;
}

/// Returns the name of an opaque operation that only one of the circuits has, if there is one. It
/// may be defined elsewhere as what the other circuit does, so a difference proves nothing.
std::optional<std::string> unmatched_opaque_name(const Circuit& left, const Circuit& right) {
  const std::set<std::string> in_left = opaque_names(left);
  const std::set<std::string> in_right = opaque_names(right);
  std::vector<std::string> unmatched;
  std::set_symmetric_difference(in_left.begin(), in_left.end(), in_right.begin(), in_right.end(),
                                std::back_inserter(unmatched));
  return unmatched.empty() ? std::nullopt : std::optional(unmatched.front());
}

/// Returns whether an angle is not linear in the free parameters.
bool has_expressions(const Circuit& circuit) {
  const auto is_expression = [](const Angle& angle) {
    const std::vector<std::string> symbols = angle.symbols();
    return std::any_of(symbols.begin(), symbols.end(), [](const std::string& symbol) {
      return algebra::expression_of_symbol(symbol).has_value();
    });
  };
  return is_expression(circuit.global_phase) ||
         std::any_of(
             circuit.operations.begin(), circuit.operations.end(), [&](const Operation& operation) {
               return std::any_of(operation.angles.begin(), operation.angles.end(), is_expression);
             });
}

/// Compares circuits with measurements and resets by their branches.
Comparison compare_by_branches(const Circuit& left, const Circuit& right,
                               const EquivalenceOptions& options, const Budget& budget) {
  Attempts attempts;
  if (options.epsilon == 0 &&
      attempts.record(search_branch_difference(left, right, budget.share(0.3), options.seed))) {
    return std::move(attempts).result();
  }
  Comparison exact = compare_branches_in_field(left, right, budget.share(0.5), options.seed);
  // Circuits that differ may still be within epsilon.
  if (options.epsilon > 0 && exact.outcome == Outcome::different) {
    exact = unknown_because(exact.method, exact.reason);
  }
  if (attempts.record(std::move(exact))) return std::move(attempts).result();
  attempts.record(compare_instruments(left, right, options.epsilon, budget));
  return std::move(attempts).result();
}

/// Compares circuits with kept statements by what is between these. A difference there proves
/// nothing, because a statement may skip it. Nothing is permitted beyond rounding errors either,
/// because a loop repeats them.
EquivalenceReport decide_by_stretches(const Circuit& left, const Circuit& right,
                                      const EquivalenceOptions& options, const Budget& budget) {
  EquivalenceReport report;
  report.method = "kept statements";
  auto paired = pair_stretches(left, right);
  if (const auto* fault = std::get_if<Fault>(&paired)) {
    report.witness = fault->reason();
    return report;
  }
  const auto& pairs = std::get<std::vector<StretchPair>>(paired);
  Comparison whole = equal_by("the same statements in the same order");
  whole.phase = 0.0;
  whole.exact_phase = Angle();
  Angle phase;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    auto posed = pose_problem(pairs[i].left, pairs[i].right);
    if (const auto* fault = std::get_if<Fault>(&posed)) {
      report.witness = fault->reason();
      return report;
    }
    auto& problem = std::get<Problem>(posed);
    phase.add_phase(problem.phase);
    const Comparison result =
        compare_families(std::move(problem),
                         budget.share(1.0 / static_cast<double>(pairs.size() - i)), options.seed);
    if (result.outcome != Outcome::equal) {
      report.witness =
          fmt::format("the operations before statement {} may differ: {}", i + 1, result.reason);
      report.shortage = result.shortage;
      return report;
    }
    add_part(whole, result);
  }
  report = equal_report(whole, phase, 0);
  // How often a loop is executed is known only when it ends, so the phase is no single number.
  if (report.verdict == EquivalenceVerdict::equal_up_to_phase) report.phase.reset();
  return report;
}

/// Makes a difference unknown that may be due to what only the names of operations and of symbols
/// say.
void withdraw_unproved_difference(const Circuit& left, const Circuit& right,
                                  Comparison& comparison) {
  if (const auto name = unmatched_opaque_name(left, right);
      name.has_value() && comparison.outcome == Outcome::different) {
    comparison = unknown_because(
        "opaque operations",
        fmt::format("'{}' has no definition and is in one of the circuits only: compare them with "
                    "the gate set that defines it",
                    *name));
  }
  if (comparison.outcome == Outcome::different &&
      (has_expressions(left) || has_expressions(right))) {
    comparison = unknown_because("expressions of parameters",
                                 "expressions that are not linear in the free parameters are "
                                 "compared as if they were independent, and differ then");
  }
}

bool has_ancillas(const Circuit& left, const Circuit& right) {
  return left.qubit_count() <= right.qubit_count() && left.bit_count() <= right.bit_count() &&
         !same_sizes(left, right);
}

/// Returns the report of circuits of other sizes.
EquivalenceReport report_on_sizes(const Circuit& left, const Circuit& right) {
  EquivalenceReport report;
  report.verdict = EquivalenceVerdict::not_equal;
  report.method = "sizes";
  report.witness =
      fmt::format("the left circuit has {} and {}, the right one {} and {}",
                  counted(left.qubit_count(), "qubit"), counted(left.bit_count(), "classical bit"),
                  right.qubit_count(), right.bit_count());
  return report;
}

/// Returns the report of circuits that are equal up to a phase at most, which has no meaning.
EquivalenceReport report_without_phase(const Circuit& left, const Circuit& right,
                                       Comparison comparison, double epsilon) {
  withdraw_unproved_difference(left, right, comparison);
  EquivalenceReport report;
  report.method = std::move(comparison.method);
  report.witness = std::move(comparison.reason);
  report.shortage = comparison.shortage;
  if (comparison.outcome == Outcome::different) report.verdict = EquivalenceVerdict::not_equal;
  if (comparison.outcome == Outcome::equal) {
    report.verdict = is_beyond_rounding(comparison.distance, epsilon)
                         ? EquivalenceVerdict::within_epsilon
                         : EquivalenceVerdict::equal_up_to_phase;
    report.distance = comparison.distance;
    report.log2_failure = comparison.log2_failure;
  }
  return report;
}

/// Compares a circuit with one that has ancillas.
Comparison compare_circuits_with_ancillas(const Circuit& left, const Circuit& right,
                                          const EquivalenceOptions& options) {
  Budget budget = Budget::of_seconds(options.seconds, options.stop);
  budget.memory_bytes = options.memory_bytes;
  Attempts attempts;
  auto posed = pose_problem_with_ancillas(left, right);
  const auto* problem = std::get_if<Problem>(&posed);
  const bool is_unitary = has_only_unitary_boundaries(left);
  const auto try_path_sum = [&](const Budget& part) {
    Comparison result = certify::compare_with_ancillas(*problem, part);
    // An exact method does not see whether a difference is permitted, and families do not decide
    // what measurements, resets and conditions of the left circuit do.
    if ((options.epsilon > 0 || !is_unitary) && result.outcome == Outcome::different) {
      result = unknown_because(std::move(result.method), std::move(result.reason));
    }
    return attempts.record(std::move(result));
  };
  const auto try_numbers = [&] {
    if (!is_unitary || problem == nullptr) {
      return attempts.record(compare_instruments(left, right, options.epsilon, budget.share(0.5)));
    }
    return attempts.record(
        options.epsilon > 0
            ? compare_outcome_operators(left, right, options.epsilon, budget.share(0.5))
            : search_ancilla_difference(left, right, budget.share(0.1), options.seed));
  };
  if (problem == nullptr) {
    if (!try_numbers()) {
      attempts.record(unknown_because("path sums", std::get<Fault>(posed).reason()));
    }
  } else {
    // What one path sum decides, it mostly decides soon.
    (void)(try_path_sum(budget.share(0.05)) || try_numbers() || try_path_sum(budget.share(0.2)) ||
           attempts.record(compare_by_outcomes(*problem, budget.share(0.8))) ||
           try_path_sum(budget));
  }
  return std::move(attempts).result();
}

EquivalenceReport decide_with_ancillas(const Circuit& left, const Circuit& right,
                                       const EquivalenceOptions& options) {
  if (has_kept_statements(left) || has_kept_statements(right)) {
    EquivalenceReport report;
    report.method = "ancillas";
    report.witness = "circuits with loops or other statements are not compared with ancillas";
    return report;
  }
  return report_without_phase(left, right, compare_circuits_with_ancillas(left, right, options),
                              options.epsilon);
}

EquivalenceReport decide(const Circuit& left, const Circuit& right,
                         const EquivalenceOptions& options) {
  if (options.ancillas && has_ancillas(left, right)) {
    return decide_with_ancillas(left, right, options);
  }
  if (!same_sizes(left, right)) return report_on_sizes(left, right);
  Budget budget = Budget::of_seconds(options.seconds, options.stop);
  budget.memory_bytes = options.memory_bytes;
  if (has_kept_statements(left) || has_kept_statements(right)) {
    return decide_by_stretches(left, right, options, budget);
  }
  // A difference of the families of unitaries implies a difference of the circuits only if there
  // are no measurements, resets and conditions (certify/problem.hpp).
  const bool families_decide =
      has_only_unitary_boundaries(left) && has_only_unitary_boundaries(right);
  auto posed = pose_problem(left, right);
  Comparison comparison = unknown_because("measurements and resets", "");
  if (auto* problem = std::get_if<Problem>(&posed)) {
    const Angle phase = problem->phase;
    problem->epsilon = options.epsilon;
    comparison = compare_families(std::move(*problem), budget.share(families_decide ? 1 : 0.5),
                                  options.seed);
    if (comparison.outcome == Outcome::equal) {
      return equal_report(comparison, phase, options.epsilon);
    }
  } else {
    comparison.reason = std::get<Fault>(posed).reason();
  }
  if (!families_decide) {
    const std::string reason = comparison.reason;
    const Shortage shortage = comparison.shortage;
    comparison = compare_by_branches(left, right, options, budget);
    if (comparison.outcome == Outcome::unknown && !reason.empty()) {
      comparison.reason += fmt::format(
          "; the unitaries between measurements, resets and conditions were not found equal, which "
          "does not mean that the circuits differ: {}",
          reason);
      comparison.shortage = shortage_of_both(comparison.shortage, shortage);
    }
  }
  return report_without_phase(left, right, std::move(comparison), options.epsilon);
}

}  // namespace

std::string_view to_string(EquivalenceVerdict verdict) {
  switch (verdict) {
    case EquivalenceVerdict::equal:
      return "equal";
    case EquivalenceVerdict::equal_up_to_phase:
      return "equal up to global phase";
    case EquivalenceVerdict::within_epsilon:
      return "equal within epsilon";
    case EquivalenceVerdict::not_equal:
      return "not equal";
    case EquivalenceVerdict::undecided:
      return "undecided";
  }
  throw InternalError("unknown equivalence verdict");
}

std::string_view to_string(Shortage shortage) {
  switch (shortage) {
    case Shortage::none:
      return "";
    case Shortage::time:
      return "time";
    case Shortage::memory:
      return "memory";
  }
  throw InternalError("unknown shortage");
}

EquivalenceReport check_equivalence(const Circuit& left, const Circuit& right,
                                    const EquivalenceOptions& options) {
  if (!(options.epsilon >= 0 && options.epsilon <= 1)) {
    throw UsageError(fmt::format("epsilon must be in [0, 1], not {}", options.epsilon));
  }
  if (!left.declared_gates.empty() || !right.declared_gates.empty()) {
    return check_equivalence(with_expanded_calls(left), with_expanded_calls(right), options);
  }
  EquivalenceReport report;
  try {
    report = decide(left, right, options);
  } catch (const OverflowError& error) {
    report.method = "exact angles";
    report.witness = error.what();
  }
  if (same_sizes(left, right)) report.notes = notes_on(left, right);
  return report;
}

EquivalenceReport chained(EquivalenceReport first, const EquivalenceReport& second) {
  const auto sum = [](const std::optional<double>& left, const std::optional<double>& right) {
    return left && right ? std::optional(*left + *right) : std::nullopt;
  };
  first.verdict = std::max(first.verdict, second.verdict);
  first.shortage = certify::shortage_of_both(first.shortage, second.shortage);
  first.method += ", and from there: " + second.method;
  first.phase = sum(first.phase, second.phase);
  if (first.phase) first.phase = std::remainder(*first.phase, 2 * std::numbers::pi);
  first.distance = sum(first.distance, second.distance);
  if (first.log2_failure && second.log2_failure) {
    // The probabilities add up, to at most twice the larger one.
    first.log2_failure = std::max(*first.log2_failure, *second.log2_failure) + 1;
  } else if (second.log2_failure) {
    first.log2_failure = second.log2_failure;
  }
  first.notes.insert(first.notes.end(), second.notes.begin(), second.notes.end());
  return first;
}

}  // namespace quartz
