#include "optimize/algebras/small_field.hpp"

#include <bit>

#include "quartz/base/errors.hpp"

namespace quartz::optimizer {

namespace {

using Element = SmallField::Element;

Element remainder(Element value, Element divisor) {
  while (std::bit_width(value) >= std::bit_width(divisor)) {
    value ^= divisor << (std::bit_width(value) - std::bit_width(divisor));
  }
  return value;
}

bool is_irreducible(Element polynomial) {
  for (Element divisor = 2; 2 * std::bit_width(divisor) <= std::bit_width(polynomial) + 1;
       ++divisor) {
    if (remainder(polynomial, divisor) == 0) return false;
  }
  return true;
}

}  // namespace

SmallField::SmallField(unsigned degree) : degree_(degree), modulus_(Element{1} << degree) {
  ensure(degree >= 1 && degree <= kMaxDegree, "a small field has a wrong degree");
  while (!is_irreducible(modulus_)) ++modulus_;
}

Element SmallField::product(Element left, Element right) const {
  Element result = 0;
  for (; right != 0; right >>= 1U) {
    if ((right & 1U) != 0) result ^= left;
    left <<= 1U;
    if ((left >> degree_ & 1U) != 0) left ^= modulus_;
  }
  return result;
}

Element SmallField::frobenius(Element element, unsigned exponent) const {
  for (unsigned i = 0; i < exponent; ++i) element = product(element, element);
  return element;
}

}  // namespace quartz::optimizer
