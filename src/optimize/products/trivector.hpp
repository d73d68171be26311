#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// A product of forms f, g and h is, modulo Clifford gates, the trivector f ^ g ^ h over the
/// integers modulo 2, and a set of products is the sum of its trivectors. All forms of a call have
/// the same number of wires.

/// Returns whether three forms are linearly independent. The product of dependent forms is a
/// Clifford gate, and its trivector is zero.
[[nodiscard]] bool is_independent(const Product& product);

/// Returns whether two sets of products have the same sum of trivectors. The test is exact: it
/// compares all coefficients, and takes O(wires^2 / 64) operations for each wire of each product.
[[nodiscard]] bool have_same_sum(std::span<const Product> left, std::span<const Product> right);

/// Returns a basis of the space that the forms of all products span, made of forms that occur in
/// the products, the most frequent ones first.
[[nodiscard]] std::vector<LinearForm> basis_of_forms(std::span<const Product> products);

}  // namespace quartz::optimizer
