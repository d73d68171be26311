#pragma once

#include <vector>

#include "base/random.hpp"
#include "optimize/products/bit_matrix.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

inline LinearForm form_of(std::size_t wires, std::uint64_t bits) {
  LinearForm form(wires);
  for (std::size_t i = 0; i < wires && i < 64; ++i) form[i] = (bits >> i & 1U) != 0;
  return form;
}

inline Product product_of(std::size_t wires, std::uint64_t f, std::uint64_t g, std::uint64_t h) {
  return {{form_of(wires, f), form_of(wires, g), form_of(wires, h)}};
}

inline LinearForm random_form(FastRandom& random, std::size_t wires) {
  LinearForm form(wires);
  for (std::size_t i = 0; i < wires; ++i) form[i] = random.below(2) != 0;
  return form;
}

inline std::vector<Product> random_products(FastRandom& random, std::size_t wires,
                                            std::size_t number) {
  std::vector<Product> products;
  for (std::size_t i = 0; i < number; ++i) {
    products.push_back(
        {{random_form(random, wires), random_form(random, wires), random_form(random, wires)}});
  }
  return products;
}

inline BitMatrix random_invertible_matrix(FastRandom& random, std::size_t size) {
  while (true) {
    BitMatrix matrix;
    for (std::size_t i = 0; i < size; ++i) matrix.push_back(random_form(random, size));
    if (inverse(matrix)) return matrix;
  }
}

/// Returns the products with the sum of the rows of a matrix that a form has in place of the form.
inline std::vector<Product> in_variables(std::vector<Product> products, const BitMatrix& matrix) {
  for (Product& product : products) {
    for (LinearForm& form : product.forms) form = multiply(form, matrix);
  }
  return products;
}

/// Returns the products with other bases of the spaces that their forms span.
inline std::vector<Product> with_other_bases_of_spans(std::vector<Product> products,
                                                      FastRandom& random) {
  for (Product& product : products) {
    const BitMatrix change = random_invertible_matrix(random, 3);
    const BitMatrix forms(product.forms.begin(), product.forms.end());
    for (std::size_t i = 0; i < 3; ++i) product.forms[i] = multiply(change[i], forms);
  }
  return products;
}

}  // namespace quartz::optimizer
