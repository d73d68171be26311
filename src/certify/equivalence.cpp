#include "quartz/certify/equivalence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <set>

#include "certify/field/field_comparison.hpp"
#include "certify/path_sum/path_sum_comparison.hpp"
#include "certify/pauli/pauli_rotations.hpp"
#include "certify/problem/comparison.hpp"
#include "certify/problem/problem.hpp"
#include "certify/problem/stretches.hpp"
#include "certify/simulation/branches.hpp"
#include "certify/simulation/dense.hpp"
#include "certify/simulation/exact_unitary.hpp"
#include "certify/simulation/sparse.hpp"
#include "qasm/gates/delay.hpp"
#include "qasm/text/opaque_symbol.hpp"
#include "quartz/base/errors.hpp"

namespace quartz {
namespace {

using namespace certify;

/// Every column is compared if that touches at most this number of amplitudes: a second of exact
/// arithmetic, and a few seconds in double precision.
constexpr double max_exact_unitary_work = 2e7;
constexpr double max_dense_unitary_work = 1e9;

/// Number of steps beyond which a path sum is hardly ever reduced completely.
constexpr std::size_t max_path_sum_steps = 500'000;

/// Amplitudes in the first search for a difference, and bytes that an amplitude of a sparse state
/// takes while a gate is applied.
constexpr std::size_t few_amplitudes = 1 << 12;
constexpr double amplitude_bytes = 4 * 24;

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

/// Collects the results of methods, tried in order until one decides.
class Attempts {
 public:
  /// Records the result of a method and returns whether it decides.
  bool decided_by(Comparison attempt) {
    if (attempt.outcome != Outcome::unknown) {
      result_ = std::move(attempt);
      return true;
    }
    differs_exactly_ = differs_exactly_ || attempt.differs_exactly;
    const std::string reason = attempt.method + ": " + attempt.reason;
    if (result_.reason.find(reason) != std::string::npos) return false;
    if (!result_.reason.empty()) result_.reason += "; ";
    result_.reason += reason;
    return false;
  }

  /// Returns whether an exact method found the circuits different. Exact methods can then no longer
  /// find them equal, but a difference within the tolerance may be due to rounded angles.
  [[nodiscard]] bool differs_exactly() const { return differs_exactly_; }

  /// Returns the decision, or all reasons why there is none.
  [[nodiscard]] Comparison result() && { return std::move(result_); }

 private:
  bool differs_exactly_ = false;
  Comparison result_ = unknown_because("no method decides", "");
};

/// Returns whether some angle has as many digits as rounded numbers have. For exact methods,
/// circuits that differ by rounding are never equal.
bool has_rounded_angles(const Problem& part) {
  constexpr std::int64_t many_digits = 10'000'000'000;
  for (const std::vector<Step>* steps : {&part.left, &part.right}) {
    for (const Step& step : *steps) {
      for (const Angle& angle : step.operation.angles) {
        if (angle.radian_part().denominator() >= many_digits) return true;
        if (angle.is_constant() && !angle.terms().empty()) return true;
      }
    }
  }
  return false;
}

bool decided_numerically(const Problem& part, const Budget& budget, std::uint64_t seed,
                         Attempts& attempts) {
  return (dense_unitary_work(part) <= max_dense_unitary_work &&
          attempts.decided_by(compare_dense_unitaries(part, budget.share(0.5)))) ||
         attempts.decided_by(compare_random_states(part, budget, seed));
}

/// `phase_hint`: the global phase that the right part is expected to have relative to the left one.
void try_methods(const Problem& part, const Angle& phase_hint, const Budget& budget,
                 std::uint64_t seed, Attempts& attempts) {
  // A quick search finds most differences. It is followed by exact methods, quicker ones first, and
  // then by methods that bound a difference numerically.
  if (attempts.decided_by(search_difference(part, budget.share(0.1), few_amplitudes, seed))) return;
  // Pauli rotations find no differences, so they come first only for large circuits.
  const bool is_large = part.left.size() + part.right.size() > max_path_sum_steps;
  if (is_large && attempts.decided_by(compare_pauli_rotations(part, budget.share(0.8)))) return;
  // Most path sums that can be reduced are reduced quickly. Others take long, and for few qubits a
  // state vector decides sooner.
  const Comparison quick_path_sum = compare_path_sums(part, budget.share(0.1));
  if (quick_path_sum.outcome != Outcome::unknown) {
    attempts.decided_by(quick_path_sum);
    return;
  }
  if (dense_unitary_work(part) <= max_exact_unitary_work &&
      attempts.decided_by(compare_exact_unitaries(part, budget.share(0.4)))) {
    return;
  }
  const bool looks_rounded = has_rounded_angles(part);
  if (looks_rounded && decided_numerically(part, budget.share(0.8), seed, attempts)) return;
  if (attempts.decided_by(compare_in_field(part, phase_hint, budget.share(0.5), seed))) return;
  if (attempts.decided_by(quick_path_sum.out_of_budget ? compare_path_sums(part, budget.share(0.4))
                                                       : quick_path_sum)) {
    return;
  }
  if (!is_large && !attempts.differs_exactly() &&
      attempts.decided_by(compare_pauli_rotations(part, budget.share(0.4)))) {
    return;
  }
  if (!looks_rounded && decided_numerically(part, budget.share(0.8), seed, attempts)) return;
  const auto many_amplitudes = static_cast<std::size_t>(budget.memory_bytes / amplitude_bytes);
  attempts.decided_by(search_difference(part, budget, many_amplitudes, seed + 1));
}

void add_method(std::string& methods, const std::string& method) {
  if (methods.find(method) != std::string::npos) return;
  if (!methods.empty()) methods += "; ";
  methods += method;
}

std::optional<double> sum_of(const std::optional<double>& a, const std::optional<double>& b) {
  return a.has_value() && b.has_value() ? std::optional(*a + *b) : std::nullopt;
}

/// Returns nothing if the exact sum overflows; the rounded sum remains available.
std::optional<Angle> sum_of(const std::optional<Angle>& a, const std::optional<Angle>& b) {
  return a.has_value() && b.has_value() ? try_add(*a, *b) : std::nullopt;
}

/// Makes the result of one part that of the whole, to which it is added.
void add_part(Comparison& whole, const Comparison& part) {
  add_method(whole.method, part.method);
  whole.phase = sum_of(whole.phase, part.phase);
  whole.exact_phase = sum_of(whole.exact_phase, part.exact_phase);
  whole.distance += part.distance;
  if (!part.log2_failure.has_value()) return;
  whole.log2_failure = whole.log2_failure.has_value()
                           ? log2_of_sum(*whole.log2_failure, *part.log2_failure)
                           : part.log2_failure;
}

/// The phase that the right circuit should have relative to the left one, and what is left of it
/// for parts whose exact phase is not known.
struct ExpectedPhase {
  Angle whole;
  std::optional<Angle> rest = whole;
  std::vector<std::size_t> inexact_parts = {};
  std::optional<double> rounded = 0.0;  ///< sum of the phases of these parts

  void note(std::size_t part, const Comparison& result) {
    if (result.exact_phase) {
      if (rest) rest = try_add(*rest, -*result.exact_phase);
      return;
    }
    inexact_parts.push_back(part);
    rounded = sum_of(rounded, result.phase);
  }
};

/// Sets the phase of the result if the parts without an exact phase have the expected one: one part
/// exactly, by a comparison in a field, which confirms phases but finds none, or all of them up to
/// rounding. Rounded phases alone suffice if no parameter is in the phase.
void confirm_phase(Comparison& whole, const std::vector<Problem>& parts,
                   const ExpectedPhase& expected, const Budget& budget, std::uint64_t seed) {
  if (expected.inexact_parts.empty() || !expected.rest) return;
  if (expected.rounded && !expected.whole.is_constant() && expected.rest->is_constant()) {
    const double error = std::abs(
        std::remainder(*expected.rounded - expected.rest->value_modulo(2), 2 * std::numbers::pi));
    if (whole.distance + error > tolerance) return;
    whole.exact_phase = expected.whole;
    whole.distance += error;
  } else if (!expected.rounded && expected.inexact_parts.size() == 1 && parts.size() > 1) {
    const Comparison again =
        compare_in_field(parts[expected.inexact_parts[0]], *expected.rest, budget.share(0.5), seed);
    if (again.outcome == Outcome::equal && again.exact_phase) whole.exact_phase = expected.whole;
  }
}

/// Compares all parts: the result is equal if all parts are, and different if one is.
Comparison compare_problem(Problem problem, const Budget& budget, std::uint64_t seed) {
  ExpectedPhase expected{-problem.phase};
  cancel_common_steps(problem);
  Comparison whole = equal_by("");
  whole.phase = 0.0;
  whole.exact_phase = Angle();
  std::vector<Problem> parts = split_problem(std::move(problem));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Attempts attempts;
    try_methods(parts[i], expected.rest.value_or(expected.whole),
                budget.share(1.0 / static_cast<double>(parts.size() - i)), seed, attempts);
    Comparison result = std::move(attempts).result();
    if (result.outcome == Outcome::different) return result;
    if (result.outcome == Outcome::unknown) whole = std::move(result);
    if (whole.outcome == Outcome::unknown) continue;
    add_part(whole, result);
    expected.note(i, result);
  }
  if (whole.outcome == Outcome::equal) confirm_phase(whole, parts, expected, budget, seed);
  if (whole.outcome == Outcome::equal && whole.distance > tolerance) {
    return unknown_because(
        whole.method,
        fmt::format("the distances of independent parts add up to {:.1e}", whole.distance));
  }
  if (whole.method.empty()) whole.method = "same gates in the same order on every qubit";
  return whole;
}

EquivalenceReport equal_report(const Comparison& comparison, const Angle& extra_phase) {
  EquivalenceReport report;
  report.method = comparison.method;
  report.distance = comparison.distance;
  report.log2_failure = comparison.log2_failure;
  if (const auto exact = sum_of(comparison.exact_phase, extra_phase)) {
    const Angle phase = exact->reduced_symmetric(2);
    if (phase.is_constant()) report.phase = reduced_phase(phase.value_modulo(2));
    if (phase.is_zero()) report.phase = 0;
  } else if (comparison.phase.has_value() && extra_phase.is_constant()) {
    report.phase = reduced_phase(*comparison.phase + extra_phase.value_modulo(2));
  }
  const bool no_phase =
      report.phase.has_value() &&
      (*report.phase == 0 || comparison.distance + std::abs(*report.phase) <= tolerance);
  if (no_phase && *report.phase != 0) {
    *report.distance += std::abs(*report.phase);
    report.method += fmt::format("; global phases equal within {:.0e}", std::abs(*report.phase));
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
    if (!qasm::is_delay(operation.classical->opaque_name)) {
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
      return qasm::expression_of_symbol(symbol).has_value();
    });
  };
  return is_expression(circuit.global_phase) ||
         std::any_of(
             circuit.operations.begin(), circuit.operations.end(), [&](const Operation& operation) {
               return std::any_of(operation.angles.begin(), operation.angles.end(), is_expression);
             });
}

/// Compares circuits with measurements and resets by their branches.
Comparison compare_instruments(const Circuit& left, const Circuit& right, const Budget& budget,
                               std::uint64_t seed) {
  Attempts attempts;
  if (!attempts.decided_by(search_branch_difference(left, right, budget.share(0.5), seed))) {
    attempts.decided_by(compare_branches_in_field(left, right, budget, seed));
  }
  return std::move(attempts).result();
}

/// Compares circuits with kept statements by what is between these. A difference there proves
/// nothing, because a statement may skip it.
EquivalenceReport decide_by_stretches(const Circuit& left, const Circuit& right,
                                      const EquivalenceOptions& options, const Budget& budget) {
  EquivalenceReport report;
  report.method = "kept statements";
  auto paired = pair_stretches(left, right);
  if (const auto* reason = std::get_if<std::string>(&paired)) {
    report.witness = *reason;
    return report;
  }
  const auto& pairs = std::get<std::vector<StretchPair>>(paired);
  Comparison whole = equal_by("the same statements in the same order");
  whole.phase = 0.0;
  whole.exact_phase = Angle();
  Angle phase;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    auto posed = pose_problem(pairs[i].left, pairs[i].right);
    if (auto* reason = std::get_if<std::string>(&posed)) {
      report.witness = *reason;
      return report;
    }
    auto& problem = std::get<Problem>(posed);
    phase.add_phase(problem.phase);
    const Comparison result =
        compare_problem(std::move(problem),
                        budget.share(1.0 / static_cast<double>(pairs.size() - i)), options.seed);
    if (result.outcome != Outcome::equal) {
      report.witness =
          fmt::format("the operations before statement {} may differ: {}", i + 1, result.reason);
      return report;
    }
    add_part(whole, result);
  }
  report = equal_report(whole, phase);
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

EquivalenceReport decide(const Circuit& left, const Circuit& right,
                         const EquivalenceOptions& options) {
  EquivalenceReport report;
  if (!same_sizes(left, right)) {
    report.verdict = EquivalenceVerdict::not_equal;
    report.method = "sizes";
    report.witness =
        fmt::format("the left circuit has {} qubits and {} classical bits, the right one {} and {}",
                    left.qubit_count(), left.bit_count(), right.qubit_count(), right.bit_count());
    return report;
  }
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
    comparison =
        compare_problem(std::move(*problem), budget.share(families_decide ? 1 : 0.5), options.seed);
    if (comparison.outcome == Outcome::equal) return equal_report(comparison, phase);
  } else {
    comparison.reason = std::get<std::string>(posed);
  }
  if (!families_decide) {
    const std::string reason = comparison.reason;
    comparison = compare_instruments(left, right, budget, options.seed);
    if (comparison.outcome == Outcome::unknown && !reason.empty()) {
      comparison.reason = reason + "; " + comparison.reason;
    }
  }
  withdraw_unproved_difference(left, right, comparison);
  report.method = comparison.method;
  report.witness = comparison.reason;
  if (comparison.outcome == Outcome::different) report.verdict = EquivalenceVerdict::not_equal;
  if (comparison.outcome == Outcome::equal) {
    report.verdict = EquivalenceVerdict::equal_up_to_phase;
    report.distance = comparison.distance;
    report.log2_failure = comparison.log2_failure;
  }
  return report;
}

}  // namespace

std::string_view to_string(EquivalenceVerdict verdict) {
  switch (verdict) {
    case EquivalenceVerdict::equal:
      return "equal";
    case EquivalenceVerdict::equal_up_to_phase:
      return "equal up to global phase";
    case EquivalenceVerdict::not_equal:
      return "not equal";
    case EquivalenceVerdict::undecided:
      return "undecided";
  }
  throw InternalError("unknown equivalence verdict");
}

EquivalenceReport check_equivalence(const Circuit& left, const Circuit& right,
                                    const EquivalenceOptions& options) {
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

}  // namespace quartz
