#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "certify/path_sum/boolean_polynomial.hpp"
#include "certify/path_sum/phase_polynomial.hpp"
#include "certify/problem/comparison.hpp"
#include "certify/problem/monomial_gate.hpp"
#include "certify/problem/problem.hpp"

namespace quartz::certify {

/// The image of a basis state x under gates, as a path sum (Amy, arXiv 1805.06908): the sum over
/// bits y of 2^{-k/2} e^{i phase(x, y)} |wires(x, y)>, with a new y for each Hadamard gate, and
/// rules that eliminate sums without changing the state. Its functions throw OutOfBudget and
/// Unsupported.
class PathSum {
 public:
  /// `inputs[w]` is the function on wire w. Variables below `first_path_variable` are inputs.
  PathSum(std::vector<BooleanPolynomial> inputs, Variable first_condition,
          Variable first_path_variable, const Budget& budget)
      : wires_(std::move(inputs)),
        phase_(budget),
        budget_(budget),
        first_condition_(first_condition),
        first_path_variable_(first_path_variable),
        next_variable_(first_path_variable) {
    for (Wire wire = 0; wire < wires_.size(); ++wire) count_wire(wire, 1);
  }

  void apply(const Step& step);
  /// Thrown if the sum is zero.
  struct Vanishes {};
  /// Applies the inverse, by the mirror image of the steps of `apply`.
  void apply_inverse(const Step& step);
  /// Projects onto the states in which the wire has the given value. The result of a projection can
  /// be zero, which a gate never makes of a state: project() or a later reduce() then throws
  /// Vanishes.
  void project(Wire wire, bool value);
  /// Replaces the function on a wire, which must be a constant, by another one.
  void set_constant(Wire wire, bool value);
  /// Eliminates all sums that it can. Expensive rules are used only if `thorough` is true.
  void reduce(bool thorough);
  /// Removes phases by angles that are no multiples of pi / 2^k, if is_constant_sum() proves that
  /// their sum changes nothing.
  void remove_constant_phases() { phase_.remove_constant_sum(); }

  [[nodiscard]] const std::vector<BooleanPolynomial>& wires() const { return wires_; }
  [[nodiscard]] const PhasePolynomial& phase() const { return phase_; }
  /// Returns the path variables that are left.
  [[nodiscard]] const std::set<Variable>& path_variables() const { return path_variables_; }
  /// Returns the k of the factor 2^{-k/2} of the sum.
  [[nodiscard]] std::int64_t sqrt2_power() const { return sqrt2_power_; }

 private:
  /// What must be 1 for a gate to be applied; nothing if it always is.
  using Guard = std::optional<BooleanPolynomial>;
  [[nodiscard]] Guard guard_of(const Step& step) const;
  void apply(const Operation& operation, const Guard& guard);
  void apply_inverse(const Operation& operation, const Guard& guard);
  [[nodiscard]] Decomposition expand(const Operation& operation) const;
  void apply_hadamard(Wire wire);
  void apply_monomial(const MonomialAction& action, const std::vector<BooleanPolynomial>& operands,
                      std::span<const Wire> wires);
  void add_phases(const std::vector<Angle>& phases, const std::vector<BooleanPolynomial>& operands);
  void apply_phase(const Angle& phase, const Guard& guard);
  [[nodiscard]] BooleanPolynomial named(const BooleanPolynomial& function);
  void set_wire(Wire wire, BooleanPolynomial value);
  void count_wire(Wire wire, int sign);

  /// The largest number of monomials of an expression by which a rule may replace a variable, and
  /// their largest degree.
  struct Limits {
    std::size_t monomials = 0;
    std::size_t degree = 0;
  };
  /// All terms of the phase that contain a variable y, as own * y + pi * y * partner.
  struct OwnPhase {
    Turns own = 0;  ///< 0 or plus or minus a quarter turn
    BooleanPolynomial partner;
  };
  /// Returns nothing if the phase has another form or y is in an output.
  [[nodiscard]] std::optional<OwnPhase> phase_of(Variable variable);
  bool reduce_variable(Variable variable, const Limits& limits);
  /// A way to sum out a variable, and the approximate number of terms that it adds.
  struct Elimination {
    std::optional<Variable> solved;  ///< another variable, replaced by an expression in the others
    std::size_t growth = 0;
  };
  [[nodiscard]] std::optional<Elimination> elimination_of(const OwnPhase& phase,
                                                          const Limits& limits);
  void sum_out_quarter(Variable variable, const BooleanPolynomial& partner, Turns own);
  void sum_out_half(Variable variable, const BooleanPolynomial& partner,
                    std::optional<Variable> solved);
  std::size_t places_of(Variable variable);
  void substitute(Variable variable, const BooleanPolynomial& value);
  bool reduce_changed(const Limits& limits);
  bool reduce_cheapest(const Limits& limits);
  bool simplify_outputs();
  [[nodiscard]] std::vector<BooleanPolynomial> independent_constraints();
  bool add_linear_consequences();

  std::vector<BooleanPolynomial> wires_;
  PhasePolynomial phase_;
  const Budget& budget_;
  Expansions expansions_;
  Variable first_condition_;
  Variable first_path_variable_;
  Variable next_variable_;
  std::set<Variable> path_variables_;
  std::map<Variable, std::uint32_t> wire_uses_;  ///< number of monomials of wires with the variable
  std::set<Variable> to_try_;
  std::int64_t sqrt2_power_ = 0;
  bool is_projected_ = false;
};

}  // namespace quartz::certify
