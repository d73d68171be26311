#pragma once

#include <cstddef>
#include <vector>

#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// Returns linear forms on the coefficients of a polynomial with a number of terms, such that the
/// product of two polynomials is a linear function of the products of the forms' values:
/// Karatsuba's recursion with two parts, or with three where the number of terms is odd and a
/// multiple of 3. There are 3^k forms for 2^k terms. Most of them are sparse, unlike the fewer ones
/// of evaluation_forms.hpp.
[[nodiscard]] std::vector<LinearForm> recursive_forms(std::size_t terms);

}  // namespace quartz::optimizer
