#include "certify/methods/compare_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "base/text/bound_text.hpp"
#include "certify/field/field_comparison.hpp"
#include "certify/methods/attempts.hpp"
#include "certify/methods/known_parts.hpp"
#include "certify/methods/quick_attempt.hpp"
#include "certify/path_sum/path_sum_comparison.hpp"
#include "certify/pauli/pauli_rotations.hpp"
#include "certify/simulation/dense.hpp"
#include "certify/simulation/exact_unitary.hpp"
#include "certify/simulation/sparse.hpp"

namespace quartz::certify {
namespace {

/// Every column is compared if that touches at most this number of amplitudes: a second of exact
/// arithmetic, and a few seconds in double precision.
constexpr double kMaxExactUnitaryWork = 2e7;
constexpr double kMaxDenseUnitaryWork = 1e9;

/// Number of steps beyond which a path sum is tried after Pauli rotations: it is rarely reduced
/// completely, and its attempts take longer than rotations that decide.
constexpr std::size_t kMaxPathSumSteps = 30'000;
/// Path sums come first all the same if this many rotations might be merged with distant ones, as
/// in adders, where the second half of a circuit undoes most of the first, or if the tableau of
/// Clifford gates is not in the processor's cache: for 2048 wires it has 2 MiB.
constexpr std::size_t kFewDistant = 64;
constexpr std::size_t kMaxQuickTableauWires = 2048;

/// Amplitudes in the first search for a difference, and bytes that an amplitude of a sparse state
/// takes while a gate is applied.
constexpr std::size_t kFewAmplitudes = 1 << 12;
constexpr double kAmplitudeBytes = 4 * 24;

/// Returns whether some angle has as many digits as rounded numbers have. For exact methods,
/// circuits that differ by rounding are never equal.
bool has_rounded_angles(const Problem& part) {
  constexpr std::int64_t kManyDigits = 10'000'000'000;
  for (const std::vector<Step>* steps : {&part.left, &part.right}) {
    for (const Step& step : *steps) {
      for (const Angle& angle : step.operation.angles) {
        if (angle.radian_part().denominator() >= kManyDigits) return true;
        if (angle.is_constant() && !angle.terms().empty()) return true;
      }
    }
  }
  return false;
}

bool decided_numerically(const Problem& part, const Budget& budget, std::uint64_t seed,
                         Attempts& attempts) {
  return (dense_unitary_work(part) <= kMaxDenseUnitaryWork &&
          attempts.record(compare_dense_unitaries(part, budget.share(0.5)))) ||
         attempts.record(compare_random_states(part, budget, seed));
}

/// Compares a part within a tolerance above rounding errors. An exact method may find it equal, but
/// a difference that it finds may be small.
void try_methods_within_tolerance(const Problem& part, const Angle& phase_hint,
                                  const Budget& budget, std::uint64_t seed, Attempts& attempts) {
  const Comparison path_sum = compare_path_sums(part, budget.share(0.1));
  if (path_sum.outcome == Outcome::equal) {
    attempts.record(path_sum);
    return;
  }
  // No number bounds a difference for all values of a parameter.
  if (part.has_parameters()) {
    const Comparison in_field = compare_in_field(part, phase_hint, budget.share(0.5), seed);
    if (in_field.outcome == Outcome::equal) {
      attempts.record(in_field);
      return;
    }
  }
  decided_numerically(part, budget, seed, attempts);
}

/// `phase_hint`: the global phase that the right part is expected to have relative to the left one.
void try_methods(const Problem& part, const Angle& phase_hint, const Budget& budget,
                 std::uint64_t seed, Attempts& attempts) {
  if (part.is_approximate()) {
    try_methods_within_tolerance(part, phase_hint, budget, seed, attempts);
    return;
  }
  // A quick search finds most differences. It is followed by exact methods, quicker ones first, and
  // then by methods that bound a difference numerically.
  const auto quick = [&](double share) { return budget_of_quick_attempt(part, budget, share); };
  if (attempts.record(search_difference(part, quick(0.1), kFewAmplitudes, seed))) return;
  // Pauli rotations find no differences, so they come first only for large circuits.
  const bool is_large = part.left.size() + part.right.size() > kMaxPathSumSteps;
  bool is_left_to_rotations = is_large;  // whether they have not been tried to their end
  if (is_large && part.wires.size() <= kMaxQuickTableauWires) {
    const Comparison rotations = compare_pauli_rotations(part, budget.share(0.8), kFewDistant);
    if (attempts.record(rotations)) return;
    is_left_to_rotations = rotations.is_unfinished;
  }
  // Most path sums that can be reduced are reduced quickly. Others take long, and for few qubits a
  // state vector decides sooner.
  const Comparison quick_path_sum = compare_path_sums(part, quick(0.1));
  if (quick_path_sum.outcome != Outcome::unknown) {
    attempts.record(quick_path_sum);
    return;
  }
  if (is_left_to_rotations && attempts.record(compare_pauli_rotations(part, budget.share(0.8)))) {
    return;
  }
  // Small circuits that rotations decide are decided within milliseconds, and the methods below may
  // take half of the time without an answer. They find the phase, for which that may be too short.
  Comparison quick_rotations;
  if (!is_large) {
    quick_rotations = compare_pauli_rotations(part, quick(0.05));
    if (quick_rotations.exact_phase && attempts.record(quick_rotations)) return;
  }
  if (dense_unitary_work(part) <= kMaxExactUnitaryWork &&
      attempts.record(compare_exact_unitaries(part, budget.share(0.4)))) {
    return;
  }
  const bool looks_rounded = has_rounded_angles(part);
  if (looks_rounded && decided_numerically(part, budget.share(0.8), seed, attempts)) return;
  const Budget of_field = budget.share(share_of_field(part, budget));
  if (attempts.record(compare_in_field(part, phase_hint, of_field, seed))) return;
  if (attempts.record(quick_path_sum.shortage == Shortage::time
                          ? compare_path_sums(part, budget.share(0.4))
                          : quick_path_sum)) {
    return;
  }
  if (!is_large && !attempts.differs_exactly()) {
    const bool has_ended =
        quick_rotations.outcome == Outcome::unknown && quick_rotations.shortage == Shortage::none;
    if (attempts.record(has_ended ? quick_rotations
                                  : compare_pauli_rotations(part, budget.share(0.4)))) {
      return;
    }
  }
  if (!looks_rounded && decided_numerically(part, budget.share(0.8), seed, attempts)) return;
  const auto many_amplitudes = static_cast<std::size_t>(budget.memory_bytes / kAmplitudeBytes);
  attempts.record(search_difference(part, budget, many_amplitudes, seed + 1));
}

/// Returns the share of the budget that a part may take while this many are left. A millionth of a
/// minute ends each method before it has begun, so that no part is decided by the quick ones.
double share_of_part(std::size_t parts_left) {
  constexpr double kLeastShare = 1e-3;
  return std::max(1.0 / static_cast<double>(parts_left), kLeastShare);
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

/// The phase that the right circuit should have relative to the left one, and what is left of it
/// for parts whose exact phase is not known.
struct ExpectedPhase {
  Angle whole;
  std::optional<Angle> rest = whole;
  std::size_t inexact_parts = 0;
  std::optional<Problem> inexact_part = {};  ///< the first one
  std::optional<double> rounded = 0.0;       ///< sum of the phases of these parts

  void note(Problem part, const Comparison& result) {
    if (result.exact_phase) {
      if (rest) rest = try_add(*rest, -*result.exact_phase);
      return;
    }
    if (inexact_parts++ == 0) inexact_part = std::move(part);
    rounded = sum_of(rounded, result.phase);
  }
};

/// Sets the phase of the result if the parts without an exact phase have the expected one: one part
/// exactly, by a comparison in a field, which confirms phases but finds none, or all of them up to
/// rounding. Rounded phases alone suffice if no parameter is in the phase.
void confirm_phase(Comparison& whole, std::size_t parts, const ExpectedPhase& expected,
                   const Budget& budget, std::uint64_t seed) {
  if (!expected.inexact_part || !expected.rest) return;
  if (expected.rounded && !expected.whole.is_constant() && expected.rest->is_constant()) {
    const double error = std::abs(
        std::remainder(*expected.rounded - expected.rest->value_modulo(2), 2 * std::numbers::pi));
    if (whole.distance + error > kRoundingTolerance) return;
    whole.exact_phase = expected.whole;
    whole.distance += error;
  } else if (!expected.rounded && expected.inexact_parts == 1 && parts > 1) {
    const Comparison again =
        compare_in_field(*expected.inexact_part, *expected.rest, budget.share(0.5), seed);
    if (again.outcome == Outcome::equal && again.exact_phase) whole.exact_phase = expected.whole;
  }
}

}  // namespace

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

Comparison compare_problem(Problem problem, const Budget& budget, std::uint64_t seed) {
  const double epsilon = problem.epsilon;
  ExpectedPhase expected{-problem.phase};
  cancel_common_steps(problem);
  Comparison whole = equal_by("");
  whole.phase = 0.0;
  whole.exact_phase = Angle();
  ProblemParts parts(std::move(problem));
  KnownParts known;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    // Every method looks at the clock too late for parts of a few gates.
    if (i != 0 && budget.spent()) {
      return unknown_without(Shortage::time, "independent parts",
                             fmt::format("{} of {} were compared in the time", i, parts.size()));
    }
    Problem part = parts.take(i);
    std::optional<Comparison> same = known.find(part);
    if (!same) {
      Attempts attempts;
      try_methods(part, expected.rest.value_or(expected.whole),
                  budget.share(share_of_part(parts.size() - i)), seed, attempts);
      same = std::move(attempts).result();
      known.add(part, *same);
    }
    Comparison result = *std::move(same);
    if (result.outcome == Outcome::different) return result;
    if (result.outcome == Outcome::unknown) {
      whole = std::move(result);
      continue;
    }
    if (whole.outcome == Outcome::unknown) continue;
    add_part(whole, result);
    expected.note(std::move(part), result);
  }
  if (whole.outcome == Outcome::equal && epsilon == 0) {
    confirm_phase(whole, parts.size(), expected, budget, seed);
  }
  if (whole.outcome == Outcome::equal && whole.distance > tolerance_of(epsilon)) {
    return unknown_because(whole.method, "the distances of independent parts add up to " +
                                             upper_bound_text(whole.distance));
  }
  if (whole.method.empty()) whole.method = "same gates in the same order on every qubit";
  return whole;
}

}  // namespace quartz::certify
