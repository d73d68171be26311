#include "verify/exponential_claim.hpp"

#include <cstdlib>
#include <iterator>
#include <map>
#include <numeric>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::verify {
namespace {

/// Calls visit(symbol, coefficient) for every part of the angle except its multiple of pi.
template <typename Visitor>
void for_each_symbol(const Angle& angle, Visitor&& visit) {
  if (!angle.radian_part().is_zero()) visit(std::string(), angle.radian_part());
  for (const Angle::Term& term : angle.terms()) visit(term.symbol, term.coefficient);
}

/// Returns the largest rational of which both are integer multiples.
Rational greatest_common_divisor(const Rational& a, const Rational& b) {
  const Rational denominator =
      Rational(a.denominator() / std::gcd(a.denominator(), b.denominator())) *
      Rational(b.denominator());
  return {std::gcd((a * denominator).numerator(), (b * denominator).numerator()),
          denominator.numerator()};
}

/// Collects the common units of the exponents, then writes the exponents as integers.
class Exponents {
 public:
  Exponents(unsigned largest_order, int largest_multiple)
      : largest_order_(largest_order), largest_multiple_(largest_multiple) {}

  void collect(const Angle& exponent) {
    for_each_symbol(exponent, [&](const std::string& name, const Rational& coefficient) {
      Rational& unit = units_[name];
      unit = greatest_common_divisor(unit, coefficient);
    });
    const std::int64_t denominator = exponent.pi_part().denominator();
    if (denominator > largest_order_ / 2) too_fine(denominator);
    order_ = std::lcm(order_, 2 * denominator);
    if (order_ > largest_order_) too_fine(denominator);
  }

  [[nodiscard]] unsigned order() const { return static_cast<unsigned>(order_); }
  [[nodiscard]] std::vector<ExponentialSymbol> symbols() const {
    std::vector<ExponentialSymbol> list;
    for (const auto& [name, unit] : units_) list.push_back({name, unit});
    return list;
  }

  [[nodiscard]] ExponentialTerm term(int coefficient, int sqrt2_power,
                                     const Angle& exponent) const {
    ExponentialTerm term{coefficient, sqrt2_power, 0, {}};
    const Rational turns = exponent.reduced_modulo(Rational(2)).pi_part();
    term.root = static_cast<unsigned>((turns * Rational(order_ / 2)).numerator());
    term.multiples.resize(units_.size(), 0);
    for_each_symbol(exponent, [&](const std::string& name, const Rational& coefficient_of_name) {
      const auto found = units_.find(name);
      const Rational multiple = coefficient_of_name / found->second;
      ensure(multiple.is_integer(), "exponents are multiples of their unit");
      if (std::llabs(multiple.numerator()) > largest_multiple_) {
        throw OverflowError("the angles of a claim are too large multiples of their common unit");
      }
      term.multiples[static_cast<std::size_t>(std::distance(units_.begin(), found))] =
          static_cast<int>(multiple.numerator());
    });
    return term;
  }

 private:
  [[noreturn]] static void too_fine(std::int64_t denominator) {
    throw OverflowError("multiples of pi/" + std::to_string(denominator) +
                        " are too fine for this proof");
  }

  std::int64_t largest_order_;
  std::int64_t largest_multiple_;
  std::int64_t order_ = 8;
  std::map<std::string, Rational> units_;
};

/// Returns the gate's matrix entries with the operation's own angles in the exponents.
std::vector<MatrixEntry> matrix_of(const Operation& operation) {
  const Gate& row = gate(operation.gate);
  std::vector<MatrixEntry> matrix = row.matrix;
  const std::map<std::string, Angle> angles = angles_by_name(row, operation.angles);
  if (angles.empty()) return matrix;
  for (MatrixEntry& entry : matrix) {
    for (PhaseTerm& term : entry.terms) term.exponent = term.exponent.substitute(angles);
  }
  return matrix;
}

using Matrices = std::vector<std::vector<MatrixEntry>>;

Matrices matrices_of(std::span<const Operation> operations, Exponents& exponents) {
  Matrices matrices;
  for (const Operation& operation : operations) {
    matrices.push_back(matrix_of(operation));
    for (const MatrixEntry& entry : matrices.back()) {
      for (const PhaseTerm& term : entry.terms) exponents.collect(term.exponent);
    }
  }
  return matrices;
}

std::vector<ExponentialGate> gates_of(std::span<const Operation> operations,
                                      const Matrices& matrices, const ClaimCore& core,
                                      const Exponents& exponents) {
  std::vector<ExponentialGate> gates;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    ExponentialGate& placed = gates.emplace_back();
    for (const Qubit qubit : operations[i].qubits) placed.positions.push_back(core.position(qubit));
    for (const MatrixEntry& entry : matrices[i]) {
      ExponentialEntry& written = placed.entries.emplace_back();
      written.row = entry.row;
      written.column = entry.column;
      for (const PhaseTerm& term : entry.terms) {
        written.terms.push_back(exponents.term(term.coefficient, term.sqrt2_power, term.exponent));
      }
    }
  }
  return gates;
}

}  // namespace

ExponentialClaim exponential_claim(const ClaimCore& core, const Angle& phase,
                                   unsigned largest_order, int largest_multiple) {
  Exponents exponents(largest_order, largest_multiple);
  const Matrices left = matrices_of(core.left, exponents);
  const Matrices right = matrices_of(core.right, exponents);
  exponents.collect(phase);
  ExponentialClaim claim;
  claim.order = exponents.order();
  claim.symbols = exponents.symbols();
  claim.left = gates_of(core.left, left, core, exponents);
  claim.right = gates_of(core.right, right, core, exponents);
  claim.phase = exponents.term(1, 0, phase);
  return claim;
}

}  // namespace quartz::verify
