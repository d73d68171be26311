#include "optimize/product_reduction/algebra_products.hpp"

#include <utility>

#include "optimize/product_reduction/quotient_algebra.hpp"
#include "optimize/products/bit_matrix.hpp"
#include "optimize/products/coordinates.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {

namespace {

/// Returns the entries of y y^T on and below the diagonal, row by row.
LinearForm packed_square(const LinearForm& form) {
  const std::size_t size = form.size();
  LinearForm packed(size * (size + 1) / 2);
  for (std::size_t row = form.find_first(); row != LinearForm::npos; row = form.find_next(row)) {
    for (std::size_t column = form.find_first(); column <= row; column = form.find_next(column)) {
      packed.set(row * (row + 1) / 2 + column);
    }
  }
  return packed;
}

/// Returns, for each power of x, the symmetric matrix of its coefficient in x^(row + column).
std::vector<LinearForm> multiplication_table(const LinearForm& modulus) {
  const std::size_t size = modulus.size() - 1;
  const BitMatrix powers = QuotientAlgebra(modulus).powers_of_x(2 * size);
  std::vector<LinearForm> table(size, LinearForm(size * (size + 1) / 2));
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      const LinearForm& power = powers[row + column];
      for (std::size_t i = power.find_first(); i != LinearForm::npos; i = power.find_next(i)) {
        table[i].set(row * (row + 1) / 2 + column);
      }
    }
  }
  return table;
}

}  // namespace

std::vector<Product> products_of_forms(const AlgebraStructure& structure,
                                       std::span<const LinearForm> forms) {
  Coordinates squares;
  std::vector<Product> products;
  const LinearForm zero(structure.third.front().size());
  for (const LinearForm& form : forms) {
    if (!squares.extend(packed_square(form))) continue;
    products.push_back({{multiply(form, structure.first), multiply(form, structure.second), zero}});
  }
  const std::vector<LinearForm> table = multiplication_table(structure.modulus);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto sum = squares.of(table[i]);
    ensure(sum.has_value(), "the squares of forms do not span a multiplication table");
    for (std::size_t j = sum->find_first(); j != LinearForm::npos; j = sum->find_next(j)) {
      products[j].forms[2] ^= structure.third[i];
    }
  }
  std::erase_if(products, [](const Product& product) { return product.forms[2].none(); });
  return products;
}

}  // namespace quartz::optimizer
