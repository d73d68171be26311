#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "optimize/folding/boolean_functions.hpp"
#include "quartz/algebra/angle.hpp"

namespace quartz::optimizer {

/// The operator of a growing circuit as a sum over paths: a sum over the values of Boolean
/// variables, with a phase for each assignment, of the operators that lead from the basis state of
/// the input variables to the basis state on the wires. Each wire has a Boolean function of the
/// variables, and so has each term of the phase.
///
/// A Hadamard gate on a wire with the function f begins a variable y, the new value of the wire,
/// and adds pi * y * f to the phase. If a variable v has left all wires, and the terms with it add
/// up to pi * v * (u xor g) with a variable u that g does not contain, then the sum over v is zero
/// unless u = g: v is eliminated, and g replaces u. So the sum finds the Boolean function that
/// Hadamard and phase gates compute together, such as the AND of a Toffoli gate in Clifford+T gates
/// (Amy, Owhadi, Zhang, Lunderville, arXiv 2410.23493; the rule is that of Amy, arXiv 1805.06908).
///
/// All of this is exact. Functions that get too large, and effects that are not known, are replaced
/// by new variables.
class SumOverPaths {
 public:
  using Term = std::uint32_t;

  explicit SumOverPaths(std::size_t wires);

  // --- gates ---
  [[nodiscard]] const BooleanFunction& on(std::size_t wire) const { return wires_[wire]; }
  /// Replaces the value of a wire by its exclusive or with a function.
  void add(std::size_t wire, const BooleanFunction& function);
  void swap(std::size_t a, std::size_t b) { std::swap(wires_[a], wires_[b]); }
  void hadamard(std::size_t wire);
  /// An operator that is diagonal on the wire and whose phase is not known.
  void read(std::size_t wire);
  /// An operator of which nothing is known: the wire has a new value.
  void overwrite(std::size_t wire);
  /// Returns the conjunction of functions, or nothing if it is too large.
  [[nodiscard]] std::optional<BooleanFunction> conjunction(const BooleanFunction& a,
                                                           const BooleanFunction& b);

  // --- the phase ---
  /// Adds angle * function to the phase. Constants are left out of the function, which changes the
  /// sign of the angle and the global phase. The term stays open as long as other terms may merge
  /// with it: until one of its variables is eliminated.
  Term add_rotation(const Angle& angle, const BooleanFunction& function);
  /// Adds a term that does not merge with others.
  void add_phase(const Angle& angle, const BooleanFunction& function);
  /// Two open terms that have the same function, the earlier one first.
  struct Coincidence {
    Term first;
    Term second;
    bool is_negative;  ///< whether one of them is a term of the complement
  };
  /// Returns the next pair that was found and is still one; nothing if there is none. What becomes
  /// of a pair decides about those that were found with it.
  [[nodiscard]] std::optional<Coincidence> take_coincidence();
  /// The two terms of a coincidence in the order in which they merge.
  struct Merge {
    Term into;  ///< gets the angles of both
    Term from;  ///< is removed
  };
  void merge(const Merge& terms);
  /// Keeps both terms; only the second one may still merge with later ones.
  void keep_apart(const Coincidence& pair);

 private:
  struct PhaseTerm {
    /// The angle in units of pi / kHalfTurn modulo a turn, or nothing if it is no such multiple.
    std::optional<std::int64_t> units;
    BooleanFunction function;  ///< without a constant
    bool is_complemented = false;
    bool is_open = false;
  };
  struct VariableState {
    std::uint32_t wires = 0;  ///< on how many wires it is
    /// Includes all wires that it is on, if it may be eliminated or replaced.
    std::vector<std::uint32_t> on_wires;
    bool is_summed = false;  ///< whether it may be eliminated: no input and in no unknown operator
    bool is_input = false;
    std::vector<Term> terms;  ///< includes all terms that contain it
  };
  /// The sum of the terms that contain a variable, as a multilinear polynomial.
  using Polynomial = std::unordered_map<MonomialNumber, std::int64_t>;

  static constexpr std::int64_t kHalfTurn = std::int64_t{1} << 24U;
  static constexpr std::size_t kMaxMonomials = 64;
  static constexpr std::size_t kMaxDegree = 12;
  static constexpr std::size_t kMaxTermsOfVariable = 256;
  static constexpr std::size_t kMaxPolynomial = 512;

  [[nodiscard]] static std::optional<std::int64_t> units_of(const Angle& angle);
  [[nodiscard]] bool is_too_large(const BooleanFunction& function) const {
    return function.size() > kMaxMonomials || functions_.degree(function) > kMaxDegree;
  }
  [[nodiscard]] Variable new_variable(bool is_summed);
  void set(std::size_t wire, BooleanFunction function);
  /// Marks the variables of a function as parts of something unknown.
  void hide(const BooleanFunction& function);
  Term add_term(std::optional<std::int64_t> units, BooleanFunction function, bool is_open);
  void index(Term term);
  void open(Term term);
  void close(Term term);

  void eliminate(std::vector<Variable> candidates);
  /// Eliminates a variable if that is possible. Returns the variables of what has changed.
  [[nodiscard]] std::vector<Variable> try_elimination(Variable variable);
  [[nodiscard]] std::vector<Term> terms_with(Variable variable);
  /// Returns the wires with functions of a variable.
  [[nodiscard]] std::vector<std::uint32_t> wires_with(Variable variable);
  /// Returns the function q for which the terms add up to pi * variable * q, if there is one.
  [[nodiscard]] std::optional<BooleanFunction> factor(Variable variable,
                                                      std::span<const Term> terms);
  /// Adds units * function. Returns false if the polynomial gets too large.
  [[nodiscard]] bool add_to(Polynomial& sum, std::int64_t units, const BooleanFunction& function);
  /// Returns a variable u such that q = u xor (a function without it), the newest one.
  [[nodiscard]] std::optional<Variable> solved_variable(const BooleanFunction& q);
  /// Returns whether no function gets too large if the variable is replaced.
  [[nodiscard]] bool can_substitute(Variable variable, const BooleanFunction& value,
                                    std::span<const Term> terms);
  void substitute(Variable variable, const BooleanFunction& value, std::span<const Term> terms);

  BooleanFunctions functions_;
  std::vector<VariableState> variables_;
  std::vector<BooleanFunction> wires_;
  std::vector<PhaseTerm> terms_;
  std::unordered_map<BooleanFunction, Term, boost::hash<BooleanFunction>> open_;
  std::deque<std::pair<Term, Term>> coincidences_;
};

}  // namespace quartz::optimizer
