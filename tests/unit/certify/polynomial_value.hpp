#pragma once

#include "certify/path_sum/boolean_polynomial.hpp"

namespace quartz::certify {

/// Returns the value of the polynomial if variable k has the value of bit k.
inline bool value_of(const BooleanPolynomial& polynomial, unsigned bits) {
  bool value = false;
  for (const Monomial& monomial : polynomial.monomials()) {
    bool term = true;
    for (const Variable variable : monomial) term = term && ((bits >> variable) & 1U) != 0;
    value = value != term;
  }
  return value;
}

}  // namespace quartz::certify
