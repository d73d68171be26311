#pragma once

#include <cstddef>
#include <optional>

#include "optimize/products/bit_matrix.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// The algebra F2[x] / f of polynomials modulo f over the integers modulo 2; elements are bits of
/// the powers of x below the degree of f.
class QuotientAlgebra {
 public:
  /// Takes the coefficients of f, the last of which is 1.
  explicit QuotientAlgebra(const LinearForm& modulus);

  [[nodiscard]] std::size_t degree() const { return degree_; }
  [[nodiscard]] LinearForm one() const { return unit_vector(degree_, 0); }
  [[nodiscard]] LinearForm times_x(LinearForm element) const;
  [[nodiscard]] LinearForm product(const LinearForm& left, const LinearForm& right) const;
  /// Returns the powers of x from 0 to a last one.
  [[nodiscard]] BitMatrix powers_of_x(std::size_t last) const;

  [[nodiscard]] bool is_field() const;
  /// Returns an element that generates a subfield of 2^degree elements; nothing if there is none.
  [[nodiscard]] std::optional<LinearForm> generator_of_subfield(std::size_t degree) const;
  /// Returns the coefficients of the polynomial of least degree that is zero at an element.
  [[nodiscard]] LinearForm minimal_polynomial(const LinearForm& element) const;

 private:
  /// Returns the matrix of a -> a^(2^exponent) + a.
  [[nodiscard]] BitMatrix artin_schreier(std::size_t exponent) const;

  std::size_t degree_;
  LinearForm tail_;  ///< f without its leading term
};

}  // namespace quartz::optimizer
