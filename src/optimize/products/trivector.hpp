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

/// Returns whether two sets of products have the same sum of trivectors. The sums are compared in
/// 512 random triples of vectors, the same ones in each call. Different sums differ in each random
/// triple with a probability of at least 1/8, and so are taken for equal with one below 1e-29.
[[nodiscard]] bool have_same_sum(std::span<const Product> left, std::span<const Product> right);

/// Products of forms on the elements of a basis of linear forms.
struct ProductsInBasis {
  std::vector<LinearForm> basis;
  std::vector<Product> products;  ///< bit i of a form for element i of the basis

  [[nodiscard]] std::size_t dimension() const { return basis.size(); }
};

/// Returns products in a basis of the space that their forms span. The basis is made of forms that
/// occur in the products, the most frequent ones first, so that the products become sparse.
[[nodiscard]] ProductsInBasis in_basis(std::span<const Product> products);
/// Returns products of forms on the elements of a basis as products of forms on its wires.
[[nodiscard]] std::vector<Product> on_wires(const ProductsInBasis& products);

}  // namespace quartz::optimizer
