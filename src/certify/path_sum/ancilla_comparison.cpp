#include "certify/path_sum/ancilla_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "certify/path_sum/path_sum.hpp"
#include "certify/path_sum/sum_of_problem.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::certify {
namespace {

constexpr const char* kAncillaMethod = "exact path sum over the outcomes of ancillas";

/// What is left of a path sum, compared with a sum that maps each input to itself.
class AncillaVerdict {
 public:
  AncillaVerdict(const Problem& problem, const PathSum& sum, Variable first_condition)
      : problem_(problem), sum_(sum), first_condition_(first_condition) {
    for (Wire wire = 0; wire < problem.wires.size(); ++wire) {
      const auto& monomials = sum.wires()[wire].monomials();
      if (!problem.wires[wire].is_discarded || monomials.size() != 1) continue;
      if (monomials[0].size() == 1) wire_of_bit_.emplace(monomials[0][0], wire);
    }
  }

  [[nodiscard]] Comparison verdict() const {
    const std::string difference = find_difference();
    if (difference.empty()) {
      Comparison result = equal_by(kAncillaMethod);
      result.distance = sum_.phase().rounding();
      return result;
    }
    // Without interference, each term of the sum is an amplitude. A condition that the circuits
    // share may be one that never holds.
    const bool is_decided = problem_.conditions().empty() &&
                            std::ranges::all_of(sum_.path_variables(), [&](Variable bit) {
                              return wire_of_bit_.contains(bit);
                            });
    if (!is_decided || sum_.phase().rounding() > 0)
      return unknown_because(kAncillaMethod, difference);
    return different_by(kAncillaMethod, difference);
  }

 private:
  [[nodiscard]] bool is_input(Variable variable) const { return variable < first_condition_; }

  /// Returns a monomial that contains an input, the shortest one, or null.
  template <typename Monomials>
  [[nodiscard]] const Monomial* with_input(const Monomials& monomials) const {
    const Monomial* best = nullptr;
    for (const Monomial& monomial : monomials) {
      if (std::ranges::none_of(monomial, [&](Variable v) { return is_input(v); })) continue;
      if (best == nullptr || monomial.size() < best->size()) best = &monomial;
    }
    return best;
  }

  /// Names the inputs and the outcomes of a monomial, which are 1.
  [[nodiscard]] std::string describe(const Monomial& monomial) const {
    std::string text;
    for (const Variable variable : monomial) {
      if (!text.empty()) text += " ";
      const auto outcome = wire_of_bit_.find(variable);
      if (is_input(variable)) {
        text += problem_.wires[variable].name + "=1";
      } else if (outcome != wire_of_bit_.end()) {
        text += fmt::format("({})=1", problem_.wires[outcome->second].name);
      } else {
        text += "a condition or a path";
      }
    }
    return text.empty() ? "all qubits 0" : text + " (all others 0)";
  }

  /// Describes in what the sum is other than it has to be; returns an empty text for nothing.
  [[nodiscard]] std::string find_difference() const {
    for (Wire wire = 0; wire < problem_.wires.size(); ++wire) {
      const WireInfo& info = problem_.wires[wire];
      if (info.is_discarded) {
        if (const Monomial* input = with_input(sum_.wires()[wire].monomials())) {
          return fmt::format("{} tells something about the input: {}", info.name, describe(*input));
        }
        continue;
      }
      BooleanPolynomial change = sum_.wires()[wire];
      if (!info.starts_zero) change ^= BooleanPolynomial::variable(wire);
      if (change.is_zero()) continue;
      const auto shortest = std::ranges::min_element(change.monomials(), {}, &Monomial::size);
      return fmt::format(
          "input and outcomes {}: after the right circuit and the inverse of the left one, {} has "
          "changed",
          describe(*shortest), info.name);
    }
    return find_phase_difference();
  }

  [[nodiscard]] std::string find_phase_difference() const {
    std::vector<Monomial> dyadic;
    for (const auto& [monomial, coefficient] : sum_.phase().dyadic_terms()) {
      dyadic.push_back(monomial);
    }
    std::ranges::sort(dyadic);
    if (const Monomial* input = with_input(dyadic)) {
      return fmt::format("input and outcomes {}: the phase between the outputs differs by {:.9g}",
                         describe(*input), radians_of(sum_.phase().dyadic_terms().at(*input)));
    }
    for (const auto& [function, angle] : sum_.phase().other_terms()) {
      if (with_input(function.monomials()) != nullptr) {
        return "the phase depends on the input by angles that are no multiples of pi / 2^k";
      }
      if (problem_.depends_on_outcome(angle)) return "the phase depends on a measured bit";
    }
    if (problem_.depends_on_outcome(sum_.phase().constant_angle())) {
      return "the phase depends on a measured bit";
    }
    return "";
  }

  const Problem& problem_;
  const PathSum& sum_;
  Variable first_condition_;
  std::map<Variable, Wire> wire_of_bit_;  ///< discarded wires that carry one path variable
};

}  // namespace

Comparison compare_with_ancillas(const Problem& problem, const Budget& budget) {
  return compared_by_sum(kAncillaMethod, budget, [&] {
    const SumVariables variables(problem);
    PathSum sum = identity_sum(problem, variables, budget);
    apply_steps(sum, problem.right, budget);
    apply_inverse_steps(sum, problem.left, budget);
    sum.reduce(true);
    sum.remove_constant_phases();
    if (sum.phase().rounding() > kRoundingTolerance) {
      return unknown_because(kAncillaMethod, "too many rounded angles");
    }
    return AncillaVerdict(problem, sum, variables.first_condition).verdict();
  });
}

}  // namespace quartz::certify
