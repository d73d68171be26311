#include "certify/path_sum/path_sum_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "base/text/bound_text.hpp"
#include "certify/path_sum/path_sum.hpp"
#include "certify/path_sum/sum_of_problem.hpp"
#include "certify/problem/instance.hpp"
#include "certify/problem/numbers.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::certify {
namespace {

constexpr const char* kPathSumName = "exact path sum";

/// Names the inputs of the monomial, which are 1, and the conditions, which are true.
std::string describe_input(const Problem& problem, const Monomial& monomial) {
  std::string text;
  for (const Variable variable : monomial) {
    if (!text.empty()) text += " ";
    text += variable < problem.wires.size()
                ? problem.wires[variable].name + "=1"
                : fmt::format("condition {} true", variable - problem.wires.size());
  }
  return text.empty() ? "all qubits 0" : text + " (all others 0)";
}

bool only_conditions(const Monomial& monomial, Variable first_condition) {
  return std::all_of(monomial.begin(), monomial.end(),
                     [first_condition](Variable v) { return v >= first_condition; });
}

/// Returns the shortest monomial. If only its variables are 1, the polynomial is 1, since every
/// other monomial has another variable.
const Monomial& shortest(const std::vector<Monomial>& monomials) {
  return *std::min_element(
      monomials.begin(), monomials.end(),
      [](const Monomial& a, const Monomial& b) { return a.size() < b.size(); });
}

bool value_of(const Monomial& monomial, const std::vector<bool>& values) {
  return std::all_of(monomial.begin(), monomial.end(), [&](Variable v) { return values[v]; });
}

bool value_of(const BooleanPolynomial& function, const std::vector<bool>& values) {
  bool value = false;
  for (const Monomial& monomial : function.monomials()) {
    if (value_of(monomial, values)) value = !value;
  }
  return value;
}

/// Evaluates the few remaining sums by brute force for some inputs x. The amplitude of x after the
/// left circuit and the inverse of the right one must be the same number of size 1 for all x.
class AmplitudeProbe {
 public:
  AmplitudeProbe(const Problem& problem, const PathSum& sum, Variable first_path_variable)
      : problem_(problem),
        sum_(sum),
        path_variables_(sum.path_variables().begin(), sum.path_variables().end()),
        inputs_(first_path_variable),
        values_(path_variables_.back() + 1, false) {
    Bindings bindings;
    RandomBits random(1);
    for (const std::string& symbol : problem.symbols()) {
      bindings[symbol] = std::numbers::pi * (2 * uniform(random) - 1);
    }
    constant_ = sum.phase().constant_angle().value_modulo(2, bindings);
    for (const auto& [function, angle] : sum.phase().other_terms()) {
      others_.emplace_back(&function, angle.value_modulo(2, bindings));
    }
  }

  void set_input(RandomBits& random) {
    for (Variable v = 0; v < inputs_; ++v) {
      const bool is_zero = v < problem_.wires.size() && problem_.wires[v].starts_zero;
      values_[v] = !is_zero && (random() & 1U) != 0;
    }
  }

  [[nodiscard]] std::string describe_input() const {
    Monomial ones;
    for (Variable v = 0; v < inputs_; ++v) {
      if (values_[v]) ones.push_back(v);
    }
    return certify::describe_input(problem_, ones);
  }

  Complex amplitude(const Budget& budget) {
    Complex total = 0;
    for (std::uint64_t path = 0; path < (std::uint64_t{1} << path_variables_.size()); ++path) {
      if (budget.spent()) throw OutOfBudget();
      for (std::size_t i = 0; i < path_variables_.size(); ++i) {
        values_[path_variables_[i]] = ((path >> i) & 1U) != 0;
      }
      if (returns_to_input()) total += std::polar(1.0, phase());
    }
    return total * std::exp2(-0.5 * static_cast<double>(sum_.sqrt2_power()));
  }

 private:
  [[nodiscard]] bool returns_to_input() const {
    for (Wire wire = 0; wire < problem_.wires.size(); ++wire) {
      if (value_of(sum_.wires()[wire], values_) != values_[wire]) return false;
    }
    return true;
  }

  [[nodiscard]] double phase() const {
    Turns turns = 0;
    for (const auto& [monomial, coefficient] : sum_.phase().dyadic_terms()) {
      if (value_of(monomial, values_)) turns += coefficient;
    }
    double radians = radians_of(turns) + constant_;
    for (const auto& [function, angle] : others_) {
      if (value_of(*function, values_)) radians += angle;
    }
    return radians;
  }

  const Problem& problem_;
  const PathSum& sum_;
  std::vector<Variable> path_variables_;
  Variable inputs_;
  std::vector<bool> values_;
  double constant_ = 0;
  std::vector<std::pair<const BooleanPolynomial*, double>> others_;
};

Comparison compare_amplitudes(const Problem& problem, const PathSum& sum,
                              Variable first_path_variable, const Budget& budget) {
  constexpr std::size_t kMaxSums = 12;
  constexpr int kInputs = 32;
  Comparison result = unknown_because(
      kPathSumName,
      fmt::format("{} sums are left that no rule eliminates", sum.path_variables().size()));
  if (sum.path_variables().size() > kMaxSums) return result;
  AmplitudeProbe probe(problem, sum, first_path_variable);
  RandomBits random(1);
  Complex first = 0;
  for (int i = 0; i < kInputs; ++i) {
    if (i > 0) probe.set_input(random);
    const Complex amplitude = probe.amplitude(budget);
    if (i == 0) first = amplitude;
    const bool has_size_one = std::abs(std::abs(amplitude) - 1) <= 10 * kRoundingTolerance;
    if (has_size_one && std::abs(amplitude - first) <= 10 * kRoundingTolerance) continue;
    result.outcome = Outcome::different;
    result.method = "path sum, some amplitudes of which in double precision";
    result.reason = fmt::format(
        "input {}: the left circuit followed by the inverse of the right one returns it with "
        "amplitude {}",
        probe.describe_input(), describe(amplitude));
    if (i > 0)
      result.reason += fmt::format(", the input with all qubits 0 with {}", describe(first));
    return result;
  }
  return result;
}

/// Describes an input whose phase differs visibly from that of the input with all qubits 0 for some
/// values of the parameters; returns an empty string if none is found. Tries the monomials of the
/// phase, and all qubits 1.
std::string find_phase_difference(const Problem& problem, const PathSum& sum,
                                  Variable first_condition) {
  constexpr std::size_t kMaxInputs = 32;
  std::vector<Monomial> inputs;
  Monomial all_ones;
  for (Variable v = 0; v < first_condition; ++v) {
    if (!problem.wires[v].starts_zero) all_ones.push_back(v);
  }
  inputs.push_back(all_ones);
  for (const auto& [function, angle] : sum.phase().other_terms()) {
    if (inputs.size() >= kMaxInputs) break;
    inputs.push_back(shortest(function.monomials()));
  }
  RandomBits random(1);
  const Bindings bindings = random_bindings(problem, random, ranges_to_search(problem).back());
  const PhasePolynomial& phase = sum.phase();
  for (const Monomial& input : inputs) {
    std::vector<bool> values(first_condition, false);
    bool is_input = true;
    for (const Variable v : input) {
      if (v < first_condition && !problem.wires[v].starts_zero) {
        values[v] = true;
      } else {
        is_input = false;
      }
    }
    if (!is_input) continue;
    // All conditions are false, so monomials with conditions are 0.
    const auto holds = [&](const Monomial& monomial) {
      return std::all_of(monomial.begin(), monomial.end(),
                         [&](Variable v) { return v < first_condition && values[v]; });
    };
    Turns turns = 0;
    for (const auto& [monomial, coefficient] : phase.dyadic_terms()) {
      if (!monomial.empty() && holds(monomial)) turns += coefficient;
    }
    double difference = radians_of(turns);
    for (const auto& [function, angle] : phase.other_terms()) {
      const auto ones =
          std::count_if(function.monomials().begin(), function.monomials().end(), holds);
      if (ones % 2 != 0) difference += angle.value_modulo(2, bindings);
    }
    difference = std::remainder(difference, 2 * std::numbers::pi);
    const double rounding =
        phase.rounding() + 4e-14 * static_cast<double>(phase.other_terms().size());
    if (std::abs(difference) <= kRoundingTolerance + rounding) continue;
    std::string text = "input " + describe_input(problem, input);
    for (const auto& [symbol, value] : bindings) {
      if (!problem.outcome_symbols.contains(symbol)) {
        text += fmt::format(", {}={:.17g}", symbol, value);
      }
    }
    return fmt::format(
        "{}: the phase between the outputs differs by {:.9g} from that of the input with all "
        "qubits "
        "0",
        text, -difference);
  }
  return "";
}

/// Reason if the branches of the two circuits do not correspond (see certify/problem.hpp).
constexpr const char* kOutcomeInPhase = "the phase depends on a measured bit";

/// Returns whether the function depends on no variables but conditions.
bool only_conditions(const BooleanPolynomial& function, Variable first_condition) {
  return std::ranges::all_of(function.monomials(), [&](const Monomial& monomial) {
    return only_conditions(monomial, first_condition);
  });
}

Comparison differing(Comparison result, std::string reason) {
  result.outcome = Outcome::different;
  result.reason = std::move(reason);
  return result;
}

/// Describes an input that changes the value of a wire; empty if all wires keep their values.
std::string find_changed_wire(const Problem& problem, const PathSum& sum,
                              const std::vector<BooleanPolynomial>& inputs) {
  for (Wire wire = 0; wire < inputs.size(); ++wire) {
    const BooleanPolynomial difference = sum.wires()[wire] ^ inputs[wire];
    if (difference.is_zero()) continue;
    return fmt::format(
        "input {}: after the left circuit and the inverse of the right one, {} has changed",
        describe_input(problem, shortest(difference.monomials())), problem.wires[wire].name);
  }
  return "";
}

/// Returns the monomials of the dyadic terms that depend on other variables than conditions.
std::vector<Monomial> input_dependence(const PhasePolynomial& phase, Variable first_condition) {
  std::vector<Monomial> dependence;
  for (const auto& [monomial, coefficient] : phase.dyadic_terms()) {
    if (!only_conditions(monomial, first_condition)) dependence.push_back(monomial);
  }
  return dependence;
}

/// Returns whether the phase depends on no variable.
bool is_constant(const PhasePolynomial& phase) {
  return phase.other_terms().empty() &&
         std::ranges::all_of(phase.dyadic_terms(),
                             [](const auto& term) { return term.first.empty(); });
}

/// Stores the constant phase between equal circuits.
void set_phase(const PhasePolynomial& phase, Comparison& result) {
  const Angle& constant = phase.constant_angle();
  if (constant.is_constant()) {
    result.phase = -(radians_of(phase.constant_turns()) + constant.value_modulo(2));
  }
  if (const auto turns = angle_of(phase.constant_turns())) {
    if (const auto sum = try_add(*turns, constant)) result.exact_phase = -*sum;
  }
}

/// Derives the verdict if no path variable is left.
Comparison read_off(const Problem& problem, const PathSum& sum,
                    const std::vector<BooleanPolynomial>& inputs, Variable first_condition) {
  ensure(sum.sqrt2_power() == 0, "a unitary without branching has entries of size 1");
  const PhasePolynomial& phase = sum.phase();
  Comparison result = equal_by(kPathSumName);
  if (phase.rounding() > 0) {
    result.method = fmt::format("path sum, with angles rounded by at most {} in all",
                                upper_bound_text(phase.rounding()));
    result.distance = phase.rounding();
  }
  std::string reason = find_changed_wire(problem, sum, inputs);
  if (!reason.empty()) return differing(std::move(result), std::move(reason));
  for (const auto& [function, angle] : phase.other_terms()) {
    if (!only_conditions(function, first_condition)) {
      reason = find_phase_difference(problem, sum, first_condition);
      if (!reason.empty()) return differing(std::move(result), std::move(reason));
      return unknown_because(kPathSumName, "the remaining angles cannot be compared");
    }
    if (problem.depends_on_outcome(angle)) return unknown_because(kPathSumName, kOutcomeInPhase);
  }
  const std::vector<Monomial> dependence = input_dependence(phase, first_condition);
  if (!dependence.empty()) {
    const Monomial& input = shortest(dependence);
    const double difference = -radians_of(phase.dyadic_terms().at(input));
    if (phase.rounding() > 0 && std::abs(difference) < kRoundingTolerance) {
      return unknown_because(kPathSumName,
                             "the remaining phase is too small to distinguish from rounding");
    }
    return differing(std::move(result),
                     fmt::format("input {}: the phase between the outputs differs by {:.9g} from "
                                 "that of the input with all qubits 0",
                                 describe_input(problem, input), difference));
  }
  if (problem.depends_on_outcome(phase.constant_angle())) {
    return unknown_because(kPathSumName, kOutcomeInPhase);
  }
  if (is_constant(phase)) set_phase(phase, result);
  return result;
}

}  // namespace

Comparison compare_path_sums(const Problem& problem, const Budget& budget) {
  return compared_by_sum(kPathSumName, budget, [&] {
    const SumVariables variables(problem);
    PathSum sum = identity_sum(problem, variables, budget);
    apply_steps(sum, problem.left, budget);
    apply_inverse_steps(sum, problem.right, budget);
    sum.reduce(true);
    sum.remove_constant_phases();
    if (sum.phase().rounding() > kRoundingTolerance) {
      return unknown_because(kPathSumName, "too many rounded angles");
    }
    if (!sum.path_variables().empty()) {
      return compare_amplitudes(problem, sum, variables.first_path, budget);
    }
    return read_off(problem, sum, inputs_of(problem), variables.first_condition);
  });
}

}  // namespace quartz::certify
