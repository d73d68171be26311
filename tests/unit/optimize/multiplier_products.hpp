#pragma once

#include <vector>

#include "random_products.hpp"

namespace quartz::optimizer {

/// Returns the schoolbook products of a multiplication of polynomials modulo another one, given by
/// the exponents of its terms: a_i, b_j and the coefficient of x^(i + j), on three times as many
/// wires as its degree, the first exponent.
inline std::vector<Product> multiplier_products(const std::vector<std::size_t>& modulus) {
  const std::size_t degree = modulus.front();
  std::vector<LinearForm> powers;
  for (std::size_t i = 0; i < 2 * degree - 1; ++i) {
    LinearForm power(3 * degree);
    if (i < degree) {
      power.set(2 * degree + i);
    } else {
      for (std::size_t term = 1; term < modulus.size(); ++term) {
        power ^= powers[i - degree + modulus[term]];
      }
    }
    powers.push_back(power);
  }
  std::vector<Product> products;
  for (std::size_t i = 0; i < degree; ++i) {
    for (std::size_t j = 0; j < degree; ++j) {
      LinearForm a(3 * degree);
      LinearForm b(3 * degree);
      a.set(i);
      b.set(degree + j);
      products.push_back({{a, b, powers[i + j]}});
    }
  }
  return products;
}

}  // namespace quartz::optimizer
