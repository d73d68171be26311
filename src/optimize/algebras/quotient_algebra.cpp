#include "optimize/algebras/quotient_algebra.hpp"

#include "optimize/products/coordinates.hpp"

namespace quartz::optimizer {

QuotientAlgebra::QuotientAlgebra(const LinearForm& modulus)
    : degree_(modulus.size() - 1), tail_(modulus) {
  tail_.resize(degree_);
}

LinearForm QuotientAlgebra::times_x(LinearForm element) const {
  const bool overflows = element.test(degree_ - 1);
  element <<= 1;
  if (overflows) element ^= tail_;
  return element;
}

LinearForm QuotientAlgebra::product(const LinearForm& left, const LinearForm& right) const {
  LinearForm result(degree_);
  LinearForm shifted = left;
  for (std::size_t i = 0; i < degree_; ++i) {
    if (right.test(i)) result ^= shifted;
    shifted = times_x(shifted);
  }
  return result;
}

BitMatrix QuotientAlgebra::powers_of_x(std::size_t last) const {
  BitMatrix powers{one()};
  while (powers.size() <= last) powers.push_back(times_x(powers.back()));
  return powers;
}

BitMatrix QuotientAlgebra::artin_schreier(std::size_t exponent) const {
  const BitMatrix powers = powers_of_x(2 * degree_);
  BitMatrix squares;
  for (std::size_t i = 0; i < degree_; ++i) squares.push_back(powers[2 * i]);
  BitMatrix result = squares;
  for (std::size_t i = 1; i < exponent; ++i) result = multiply(result, squares);
  for (std::size_t i = 0; i < degree_; ++i) result[i].flip(i);
  return result;
}

bool QuotientAlgebra::is_field() const {
  // Squaring is injective if f has no square factor; it fixes a field F2 for each other factor.
  BitMatrix squares = artin_schreier(1);
  if (kernel(squares).size() != 1) return false;
  for (std::size_t i = 0; i < degree_; ++i) squares[i].flip(i);
  return kernel(squares).empty();
}

std::optional<LinearForm> QuotientAlgebra::generator_of_subfield(std::size_t degree) const {
  if (degree == 1) return one();
  const BitMatrix subfield = kernel(artin_schreier(degree));
  if (subfield.size() != degree) return std::nullopt;
  // The sums of the first elements of a basis include a generator, since the proper subfields of
  // the subfield do not cover it.
  for (std::size_t sums = 1; sums < std::size_t{1} << degree; ++sums) {
    LinearForm element(degree_);
    for (std::size_t i = 0; i < degree; ++i) {
      if ((sums >> i & 1U) != 0) element ^= subfield[i];
    }
    if (minimal_polynomial(element).size() == degree + 1) return element;
  }
  return std::nullopt;
}

LinearForm QuotientAlgebra::minimal_polynomial(const LinearForm& element) const {
  Coordinates coordinates;
  LinearForm power = one();
  while (coordinates.extend(power)) power = product(power, element);
  LinearForm polynomial = coordinates.of(power).value();
  polynomial.push_back(true);
  return polynomial;
}

}  // namespace quartz::optimizer
