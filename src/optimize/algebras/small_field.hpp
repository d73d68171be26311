#pragma once

#include <cstdint>

namespace quartz::optimizer {

/// The finite field of 2^degree elements: polynomials over the integers modulo 2, as bits, modulo
/// the irreducible polynomial of this degree that is the smallest number.
class SmallField {
 public:
  using Element = std::uint32_t;
  /// Maximum degree, for which the search for the polynomial takes a millisecond.
  static constexpr unsigned kMaxDegree = 16;

  explicit SmallField(unsigned degree);

  [[nodiscard]] unsigned degree() const { return degree_; }
  [[nodiscard]] Element size() const { return Element{1} << degree_; }
  /// Returns the polynomial, which has the bit of the degree.
  [[nodiscard]] Element modulus() const { return modulus_; }
  [[nodiscard]] Element product(Element left, Element right) const;
  /// Returns the element to the power 2^exponent.
  [[nodiscard]] Element frobenius(Element element, unsigned exponent) const;

 private:
  unsigned degree_;
  Element modulus_;
};

}  // namespace quartz::optimizer
