#include "optimize/product_reduction/algebra_products.hpp"

#include <utility>

#include "optimize/algebras/quotient_algebra.hpp"
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

/// Returns the matrix of the multiplication by an element.
BitMatrix multiplication_by(const QuotientAlgebra& algebra, LinearForm element) {
  BitMatrix rows;
  for (std::size_t i = 0; i < algebra.degree(); ++i) {
    rows.push_back(element);
    element = algebra.times_x(element);
  }
  return rows;
}

std::size_t weight_of(std::span<const Product> products) {
  std::size_t weight = 0;
  for (const Product& product : products) {
    for (const LinearForm& form : product.forms) weight += form.count();
  }
  return weight;
}

/// Returns the formula for (u a) (v b) / (u v), where the matrices are the multiplications by u, v
/// and 1 / (u v).
BilinearFormula scaled(const BilinearFormula& formula, const BitMatrix& by_first,
                       const BitMatrix& by_second, const BitMatrix& by_inverse) {
  return {multiply(formula.first, transpose(by_first)),
          multiply(formula.second, transpose(by_second)), multiply(formula.values, by_inverse)};
}

}  // namespace

BilinearFormula formula_of_forms(const LinearForm& modulus, std::span<const LinearForm> forms) {
  Coordinates squares;
  std::vector<LinearForm> independent;
  for (const LinearForm& form : forms) {
    if (squares.extend(packed_square(form))) independent.push_back(form);
  }
  const std::vector<LinearForm> table = multiplication_table(modulus);
  std::vector<LinearForm> values(independent.size(), LinearForm(table.size()));
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto sum = squares.of(table[i]);
    ensure(sum.has_value(), "the squares of forms do not span a multiplication table");
    for (std::size_t j = sum->find_first(); j != LinearForm::npos; j = sum->find_next(j)) {
      values[j].set(i);
    }
  }
  BilinearFormula formula;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].none()) continue;
    formula.first.push_back(independent[i]);
    formula.values.push_back(values[i]);
  }
  formula.second = formula.first;
  return formula;
}

std::vector<Product> products_of_formula(const AlgebraStructure& structure,
                                         const BilinearFormula& formula) {
  std::vector<Product> products;
  for (std::size_t i = 0; i < formula.values.size(); ++i) {
    products.push_back({{multiply(formula.first[i], structure.first),
                         multiply(formula.second[i], structure.second),
                         multiply(formula.values[i], structure.third)}});
  }
  return products;
}

std::vector<Product> lightest_products(const AlgebraStructure& structure,
                                       const BilinearFormula& formula, std::size_t draws,
                                       FastRandom& random) {
  const QuotientAlgebra algebra(structure.modulus);
  const auto random_element = [&] {
    LinearForm element(algebra.degree());
    for (std::size_t i = 0; i < algebra.degree(); ++i) element[i] = random.below(2) != 0;
    return element;
  };
  std::vector<Product> best = products_of_formula(structure, formula);
  std::size_t least = weight_of(best);
  for (std::size_t draw = 0; draw < draws; ++draw) {
    const BitMatrix by_first = multiplication_by(algebra, random_element());
    const BitMatrix by_second = multiplication_by(algebra, random_element());
    const auto by_inverse = inverse(multiply(by_first, by_second));
    if (!by_inverse) continue;
    auto products =
        products_of_formula(structure, scaled(formula, by_first, by_second, *by_inverse));
    const std::size_t weight = weight_of(products);
    if (draw > 0 && weight >= least) continue;
    least = weight;
    best = std::move(products);
  }
  return best;
}

}  // namespace quartz::optimizer
