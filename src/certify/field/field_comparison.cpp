#include "certify/field/field_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "certify/field/determinant_phase.hpp"
#include "certify/field/field_gate.hpp"
#include "certify/field/random_point.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::certify {
namespace {

using Element = PrimeField::Element;

constexpr const char* kPlainMethodName = "exact arithmetic modulo a random prime";
constexpr std::uint64_t kMaxTruthChoices = 256;
constexpr std::size_t kMaxWiresInField = 40;

/// Returns a state with a random entry for each basis state in which the wires that start in |0>
/// are 0.
std::vector<Element> random_field_state(const Problem& problem, const PrimeField& field,
                                        RandomBits& random) {
  std::size_t zero_wires = 0;
  for (Wire wire = 0; wire < problem.wires.size(); ++wire) {
    if (problem.wires[wire].starts_zero) zero_wires |= std::size_t{1} << wire;
  }
  // Entries are products of one random value for each wire: a multilinear polynomial vanishes at
  // random values only if it is zero (up to the stated probability), and products are quick to
  // draw.
  std::vector<Element> state(std::size_t{1} << problem.wires.size(), field.zero());
  state[0] = field.one();
  for (Wire wire = 0; wire < problem.wires.size(); ++wire) {
    const std::size_t bit = std::size_t{1} << wire;
    if ((zero_wires & bit) != 0) continue;
    const Element value = field.random_unit(random);
    for (std::size_t i = 0; i < bit; ++i) state[i | bit] = field.multiply(value, state[i]);
  }
  return state;
}

/// Returns the factor c with right = c left, if there is one.
std::optional<Element> factor_between(const PrimeField& field, std::span<const Element> left,
                                      std::span<const Element> right) {
  const auto first = std::find_if(left.begin(), left.end(), [](Element e) { return e != 0; });
  ensure(first != left.end(), "the image of a random state is not zero");
  const auto pivot = static_cast<std::size_t>(first - left.begin());
  const Element factor = field.multiply(right[pivot], field.inverse(left[pivot]));
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (field.multiply(factor, left[i]) != right[i]) return std::nullopt;
  }
  return factor;
}

/// What is known about the global phase of the right circuit relative to the left one.
struct PhaseHints {
  Angle expected;
  /// The phase up to a multiple of 2 pi / 2^wires, from the determinants.
  std::optional<Angle> by_determinants = {};
};

Angle determinant_step(const Problem& problem) {
  return Angle::pi_times(Rational(2, std::int64_t{1} << problem.wires.size()));
}

PhaseHints phase_hints(const Problem& problem, const Angle& expected) {
  PhaseHints hints{expected};
  if (problem.has_zero_wires()) return hints;
  try {
    const std::optional<Angle> left = determinant_phase(problem.left);
    const std::optional<Angle> right = determinant_phase(problem.right);
    if (left && right) hints.by_determinants = try_add(*right, -*left);
  } catch (const OverflowError&) {
    // The circuits can be compared without a hint.
  }
  return hints;
}

class FieldComparison {
 public:
  FieldComparison(const Problem& problem, AngleDenominators denominators, const Budget& budget,
                  std::uint64_t seed)
      : problem_(problem),
        budget_(budget),
        random_(seed),
        point_(std::move(denominators), random_),
        opaque_(random_()) {}

  [[nodiscard]] double log2_failure() const {
    Degree sum;
    for (const std::vector<Step>* steps : {&problem_.left, &problem_.right}) {
      for (const Step& step : *steps) {
        const Degree degree = degree_of(step.operation, point_);
        sum.width += degree.width;
        sum.coefficients += degree.coefficients;
      }
    }
    // The random state has one variable for each wire.
    sum.width += static_cast<double>(problem_.wires.size());
    return point_.log2_failure(sum) + std::log2(static_cast<double>(truth_choices(problem_)));
  }

  Comparison run(const PhaseHints& hints, double log2_failure) {
    Comparison result = equal_by(field_method_name(log2_failure));
    result.log2_failure = log2_failure;
    std::optional<Element> common;
    bool one_phase = true;
    for_each_truth(problem_, [&](const std::vector<bool>& truth) {
      const std::optional<Element> factor = compare(truth);
      if (!factor.has_value()) {
        result = unknown_because(kPlainMethodName, "the circuits differ for exact angles");
        result.differs_exactly = true;
        return false;
      }
      if (!phase_is_free_of_outcomes(truth, *factor)) {
        result = unknown_because(kPlainMethodName, "the phase depends on a measured bit");
        return false;
      }
      one_phase = one_phase && (!common.has_value() || *common == *factor);
      common = *factor;
      return true;
    });
    if (result.outcome == Outcome::equal && one_phase) {
      result.exact_phase = phase_of(*common, hints);
      if (result.exact_phase.has_value() && result.exact_phase->is_constant()) {
        result.phase = result.exact_phase->value_modulo(2);
      }
    }
    return result;
  }

 private:
  std::optional<Element> compare(const std::vector<bool>& truth) {
    const PrimeField& field = point_.field();
    std::vector<Element> left = random_field_state(problem_, field, random_);
    std::vector<Element> right = left;
    const Element left_scale = run_steps(problem_.left, truth, left);
    const Element right_scale = run_steps(problem_.right, truth, right);
    const std::optional<Element> factor = factor_between(field, left, right);
    if (!factor.has_value()) return std::nullopt;
    return field.multiply(*factor, field.multiply(right_scale, field.inverse(left_scale)));
  }

  /// Returns the number by which the state is to be multiplied after that.
  [[nodiscard]] Element run_steps(const std::vector<Step>& steps, const std::vector<bool>& truth,
                                  std::span<Element> state) const {
    const FieldGates prepared = make_field_gates(steps, truth, point_, opaque_);
    for (const FieldGate& gate : prepared.gates) {
      if (budget_.spent()) throw OutOfBudget();
      gate.apply(point_.field(), state);
    }
    return prepared.scale;
  }

  /// Returns whether the phase does not depend on outcomes. A phase between two isometries may
  /// depend on them, and then the branches do not correspond (certify/problem.hpp). A phase between
  /// two unitaries cannot, since their determinants depend only on the gates.
  bool phase_is_free_of_outcomes(const std::vector<bool>& truth, Element factor) {
    if (problem_.outcome_symbols.empty()) return true;
    point_.redraw(problem_.outcome_symbols, random_);
    const std::optional<Element> other = compare(truth);
    return other.has_value() && *other == factor;
  }

  /// Returns the angle phi with e^{i phi} = factor, if it is found.
  [[nodiscard]] std::optional<Angle> phase_of(Element factor, const PhaseHints& hints) const {
    if (point_.exponential(hints.expected) == factor) return hints.expected;
    if (auto phase = phase_near(factor, hints.expected)) return phase;
    if (!hints.by_determinants) return std::nullopt;
    // Proportional unitaries have one of these phases, and no two of them are equal. To try all
    // takes as long as to apply a gate.
    const Angle step = determinant_step(problem_);
    const Element turn = point_.exponential(step);
    Element candidate = point_.exponential(*hints.by_determinants);
    for (std::int64_t k = 0; k < std::int64_t{1} << problem_.wires.size(); ++k) {
      if (candidate == factor) return try_add(*hints.by_determinants, step * Rational(k));
      candidate = point_.field().multiply(candidate, turn);
    }
    return std::nullopt;
  }

  /// Returns the angle if it is among the multiples of pi that occur, possibly plus the part of the
  /// hint that is not a multiple of pi.
  [[nodiscard]] std::optional<Angle> phase_near(Element factor, const Angle& hint) const {
    constexpr int kLargestOrder = 1 << 12;
    const PrimeField::Integer& order = point_.denominators().order();
    if (order > kLargestOrder) return std::nullopt;
    const auto turns = static_cast<std::int64_t>(order);
    const Angle rest = hint - Angle::pi_times(hint.pi_part());
    Element candidate = point_.field().one();
    const Element of_rest = point_.exponential(rest);
    for (std::int64_t k = 0; k < turns; ++k) {
      const Angle multiple = Angle::pi_times(Rational(2 * k, turns));
      if (candidate == factor) return multiple;
      if (point_.field().multiply(candidate, of_rest) == factor) return multiple + rest;
      candidate = point_.field().multiply(candidate, point_.root_of_unity());
    }
    return std::nullopt;
  }

  const Problem& problem_;
  const Budget& budget_;
  RandomBits random_;
  RandomPoint point_;
  OpaqueMatrices opaque_;
};

/// Returns why the comparison is not started, if so.
std::optional<Comparison> refusal_of_field(const Problem& problem, const Budget& budget) {
  const double dimension = std::exp2(static_cast<double>(problem.wires.size()));
  if (problem.wires.size() > kMaxWiresInField ||
      2 * sizeof(Element) * dimension > budget.memory_bytes) {
    return unknown_without(Shortage::memory, kPlainMethodName,
                           "too many qubits for the memory allowed");
  }
  if (truth_choices(problem) > kMaxTruthChoices) {
    return unknown_because(kPlainMethodName, "too many conditions to try all truth values");
  }
  if (seconds_in_field(problem) > budget.seconds_left()) {
    return unknown_without(Shortage::time, kPlainMethodName,
                           "too many qubits and gates for the time left");
  }
  return std::nullopt;
}

/// Compares several times, with different primes, if angles with many digits make a single
/// comparison too uncertain.
Comparison compare_repeatedly(const Problem& problem, const AngleDenominators& denominators,
                              const PhaseHints& hints, const Budget& budget, std::uint64_t seed) {
  constexpr double kMaxRuns = 4;
  FieldComparison first(problem, denominators, budget, seed);
  const double log2_failure = first.log2_failure();
  if (!(log2_failure * kMaxRuns <= kMaxLog2Failure)) {
    return unknown_because(kPlainMethodName, "the angles have too many digits");
  }
  const auto runs = static_cast<unsigned>(std::ceil(kMaxLog2Failure / log2_failure));
  Comparison result = first.run(hints, runs * log2_failure);
  for (unsigned run = 1; run < runs && result.outcome == Outcome::equal; ++run) {
    result =
        FieldComparison(problem, denominators, budget, seed + run).run(hints, runs * log2_failure);
  }
  return result;
}

}  // namespace

double seconds_in_field(const Problem& problem) {
  const double dimension = std::exp2(static_cast<double>(problem.wires.size()));
  const double runs =
      static_cast<double>(truth_choices(problem)) * (problem.outcome_symbols.empty() ? 1 : 2);
  const auto steps = static_cast<double>(problem.left.size() + problem.right.size());
  return dimension * steps * runs * kSecondsPerFieldUpdate;
}

std::string field_method_name(double log2_failure) {
  return fmt::format(
      "exact arithmetic modulo a random 126-bit prime, wrong with probability below 2^{:.0f}",
      std::ceil(log2_failure));
}

Comparison compare_in_field(const Problem& problem, const Angle& phase_hint, const Budget& budget,
                            std::uint64_t seed) {
  if (auto refusal = refusal_of_field(problem, budget)) return *std::move(refusal);
  try {
    AngleDenominators denominators;
    const PhaseHints hints = phase_hints(problem, phase_hint);
    denominators.include(hints.expected);
    if (hints.by_determinants) {
      denominators.include(*hints.by_determinants);
      denominators.include(determinant_step(problem));
    }
    for (const std::vector<Step>* steps : {&problem.left, &problem.right}) {
      for (const Step& step : *steps) {
        if (budget.spent()) throw OutOfBudget();
        include_angles(step.operation, denominators);
      }
    }
    return compare_repeatedly(problem, denominators, hints, budget, seed);
  } catch (const Unsupported& unsupported) {
    return unknown_because(kPlainMethodName, unsupported.what + " is not supported");
  } catch (const OutOfBudget&) {
    return out_of_time(kPlainMethodName);
  } catch (const OverflowError& error) {
    return unknown_because(kPlainMethodName, error.what());
  }
}

}  // namespace quartz::certify
