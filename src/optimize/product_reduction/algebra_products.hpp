#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "optimize/algebras/algebra_structure.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// A formula for the products in an algebra F2[x] / f: a b is the sum over i of values[i] if
/// first[i](a) second[i](b) = 1. Forms and values are bits of the powers of x.
struct BilinearFormula {
  std::vector<LinearForm> first;
  std::vector<LinearForm> second;
  std::vector<LinearForm> values;
};

/// Returns the formula in which both forms are y, for forms y whose squares y y^T span the
/// multiplication table; forms that are not needed are left out. Throws InternalError if the
/// squares do not span it.
[[nodiscard]] BilinearFormula formula_of_forms(const LinearForm& modulus,
                                               std::span<const LinearForm> forms);

/// Returns the products of the forms of a formula for a sum of trivectors with this structure.
[[nodiscard]] std::vector<Product> products_of_formula(const AlgebraStructure& structure,
                                                       const BilinearFormula& formula);

/// Returns the products of a formula after multiplication of both factors by random elements of the
/// algebra, and of the values by their inverse: of as many draws, the one whose forms have the
/// fewest bits.
[[nodiscard]] std::vector<Product> lightest_products(const AlgebraStructure& structure,
                                                     const BilinearFormula& formula,
                                                     std::size_t draws, FastRandom& random);

}  // namespace quartz::optimizer
