#include "certify/field/random_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algebra/exact_radians.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::certify {
namespace {

using Element = PrimeField::Element;
using Integer = PrimeField::Integer;
using boost::multiprecision::cpp_rational;

Integer scaled_to_integer(const cpp_rational& value, const Integer& denominator) {
  const cpp_rational scaled = value * denominator;
  ensure(boost::multiprecision::denominator(scaled) == 1,
         "the denominators of all angles were collected");
  return boost::multiprecision::numerator(scaled);
}

/// Returns the matrix of a gate at the point, in row-major order.
std::vector<Element> gate_matrix(const Operation& operation, const RandomPoint& point,
                                 bool conjugate) {
  const Gate& row = gate(operation.gate);
  const std::map<std::string, Angle> angles = angles_by_name(row, operation.angles);
  const PrimeField& field = point.field();
  std::vector<Element> matrix(std::size_t{row.dimension()} * row.dimension(), field.zero());
  for (const MatrixEntry& entry : row.matrix) {
    Element& sum = matrix[std::size_t{entry.row} * row.dimension() + entry.column];
    for (const PhaseTerm& term : entry.terms) {
      const Angle exponent = term.exponent.substitute(angles);
      sum = field.add(sum, field.multiply(point.scaled(term.coefficient, term.sqrt2_power),
                                          conjugate ? point.conjugate_exponential(exponent)
                                                    : point.exponential(exponent)));
    }
  }
  return matrix;
}

/// Returns the inverse by elimination, or nothing for a singular matrix.
std::optional<std::vector<Element>> inverse_matrix(std::vector<Element> matrix, std::size_t size,
                                                   const PrimeField& field) {
  std::vector<Element> inverse(size * size, field.zero());
  for (std::size_t i = 0; i < size; ++i) inverse[i * size + i] = field.one();
  for (std::size_t column = 0; column < size; ++column) {
    std::size_t pivot = column;
    while (pivot < size && matrix[pivot * size + column] == 0) ++pivot;
    if (pivot == size) return std::nullopt;
    for (std::size_t k = 0; k < size; ++k) {
      std::swap(matrix[pivot * size + k], matrix[column * size + k]);
      std::swap(inverse[pivot * size + k], inverse[column * size + k]);
    }
    const Element scale = field.inverse(matrix[column * size + column]);
    for (std::size_t k = 0; k < size; ++k) {
      matrix[column * size + k] = field.multiply(scale, matrix[column * size + k]);
      inverse[column * size + k] = field.multiply(scale, inverse[column * size + k]);
    }
    for (std::size_t i = 0; i < size; ++i) {
      const Element factor = matrix[i * size + column];
      if (i == column || factor == 0) continue;
      for (std::size_t k = 0; k < size; ++k) {
        matrix[i * size + k] =
            field.subtract(matrix[i * size + k], field.multiply(factor, matrix[column * size + k]));
        inverse[i * size + k] = field.subtract(inverse[i * size + k],
                                               field.multiply(factor, inverse[column * size + k]));
      }
    }
  }
  return inverse;
}

std::vector<Element> transposed(const std::vector<Element>& matrix, std::size_t size) {
  std::vector<Element> result(matrix.size());
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) result[j * size + i] = matrix[i * size + j];
  }
  return result;
}

}  // namespace

void AngleDenominators::include(const Angle& angle) {
  using boost::multiprecision::lcm;
  order_ = lcm(order_,
               2 * Integer(boost::multiprecision::denominator(algebra::exact_pi_multiple(angle))));
  if (!angle.radian_part().is_zero() || !angle.is_pi_multiple()) {
    radians_ =
        lcm(radians_, Integer(boost::multiprecision::denominator(algebra::exact_radians(angle))));
  }
  const std::vector<std::string> names = angle.symbols();
  for (const Angle::Term& term : angle.terms()) {
    if (!std::binary_search(names.begin(), names.end(), term.symbol)) continue;
    Integer& denominator = symbols_.try_emplace(term.symbol, 1).first->second;
    denominator = lcm(denominator, Integer(term.coefficient.denominator()));
  }
}

RandomPoint::RandomPoint(AngleDenominators denominators, RandomBits& random)
    : denominators_(std::move(denominators)), field_(denominators_.order(), random) {
  const Element eighth = field_.power(field_.root_of_unity(), denominators_.order() / 8);
  inverse_sqrt2_ = field_.inverse(field_.add(eighth, field_.inverse(eighth)));
  radian_ = field_.random_unit(random);
  for (const auto& [symbol, denominator] : denominators_.of_symbols()) {
    symbols_[symbol] = field_.random_unit(random);
  }
}

void RandomPoint::redraw(const std::set<std::string>& symbols, RandomBits& random) {
  for (auto& [symbol, value] : symbols_) {
    if (symbols.contains(symbol)) value = field_.random_unit(random);
  }
  exponentials_.clear();
}

Element RandomPoint::exponential(const Angle& angle) const {
  const auto [known, is_new] = exponentials_.try_emplace(angle, 0);
  if (is_new) known->second = compute_exponential(angle);
  return known->second;
}

Element RandomPoint::compute_exponential(const Angle& angle) const {
  const Integer half_turns = denominators_.order() / 2;
  Element result = field_.power(field_.root_of_unity(),
                                scaled_to_integer(algebra::exact_pi_multiple(angle), half_turns));
  if (angle.is_pi_multiple()) return result;
  const Integer radians =
      scaled_to_integer(algebra::exact_radians(angle), denominators_.of_radians());
  if (radians != 0) result = field_.multiply(result, field_.power(radian_, radians));
  for (const Angle::Term& term : angle.terms()) {
    const auto value = symbols_.find(term.symbol);
    if (value == symbols_.end()) continue;  // the symbol is a literal
    const Integer exponent = scaled_to_integer(algebra::exact_value(term.coefficient),
                                               denominators_.of_symbols().at(term.symbol));
    result = field_.multiply(result, field_.power(value->second, exponent));
  }
  return result;
}

Element RandomPoint::scaled(int coefficient, int sqrt2_power) const {
  const Element integer = field_.from_integer(coefficient);
  return sqrt2_power == 0 ? integer
                          : field_.multiply(integer, field_.power(inverse_sqrt2_, sqrt2_power));
}

double RandomPoint::degree(const Angle& angle) const {
  double sum = static_cast<double>(boost::multiprecision::abs(
      scaled_to_integer(algebra::exact_radians(angle), denominators_.of_radians())));
  for (const Angle::Term& term : angle.terms()) {
    const auto denominator = denominators_.of_symbols().find(term.symbol);
    if (denominator == denominators_.of_symbols().end()) continue;
    sum += static_cast<double>(boost::multiprecision::abs(
        scaled_to_integer(algebra::exact_value(term.coefficient), denominator->second)));
  }
  return sum;
}

double RandomPoint::log2_failure(const Degree& degree) const {
  // A minor of two columns has twice the degree. At most (logarithm of the norm) / (bits - 1) prime
  // ideals of more than 2^(bits - 1) divide a coefficient, and the prime is drawn from at least
  // 2^(bits - 1) / (order * 2^7) of them.
  const double points = 2 * (degree.width + 1);
  const double ideals = degree.coefficients * static_cast<double>(denominators_.order());
  return std::max(std::log2(points), std::log2(std::max(ideals, 1.0))) + 2 - PrimeField::kBits;
}

std::vector<Element> OpaqueMatrices::of(const Operation& operation, const PrimeField& field,
                                        bool conjugate) const {
  RandomBits random(opaque_hash(operation, seed_));
  const std::size_t size = std::size_t{1} << operation.qubits.size();
  while (true) {
    std::vector<Element> matrix(size * size);
    for (Element& entry : matrix) entry = field.random_unit(random);
    std::optional<std::vector<Element>> inverse = inverse_matrix(matrix, size, field);
    if (!inverse.has_value()) continue;
    return conjugate ? transposed(*inverse, size) : matrix;
  }
}

std::vector<Element> field_matrix(const Operation& operation, const RandomPoint& point,
                                  const OpaqueMatrices& opaque, bool conjugate) {
  return operation.kind == OperationKind::opaque ? opaque.of(operation, point.field(), conjugate)
                                                 : gate_matrix(operation, point, conjugate);
}

void include_angles(const Operation& operation, AngleDenominators& denominators) {
  if (operation.kind == OperationKind::opaque) return;
  const Gate& row = gate(operation.gate);
  const std::map<std::string, Angle> angles = angles_by_name(row, operation.angles);
  for (const MatrixEntry& entry : row.matrix) {
    for (const PhaseTerm& term : entry.terms)
      denominators.include(term.exponent.substitute(angles));
  }
}

Degree degree_of(const Operation& operation, const RandomPoint& point) {
  const double dimension = std::exp2(static_cast<double>(operation.qubits.size()));
  // Entries of an opaque operation are variables, and those of its inverse are quotients of
  // polynomials whose degree is its dimension.
  if (operation.kind == OperationKind::opaque) return {dimension, 2 * dimension};
  const Gate& row = gate(operation.gate);
  const std::map<std::string, Angle> angles = angles_by_name(row, operation.angles);
  Degree degree;
  double terms = 0;
  for (const MatrixEntry& entry : row.matrix) {
    for (const PhaseTerm& term : entry.terms) {
      degree.width = std::max(degree.width, 2 * point.degree(term.exponent.substitute(angles)));
      terms += std::abs(term.coefficient) * std::exp2(0.5 * term.sqrt2_power);
    }
  }
  degree.coefficients = std::log2(terms);
  return degree;
}

}  // namespace quartz::certify
