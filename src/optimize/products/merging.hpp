#pragma once

#include <span>
#include <vector>

#include "base/random.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// Returns products with the same sum of trivectors (trivector.hpp), after these reductions:
/// products of dependent forms are removed, products with equal spans cancel in pairs, and two
/// products whose spans share a plane {a, b} become one, a b x + a b y = a b (x + y), as long as
/// there are any. Takes time proportional to the number of products. The random numbers only serve
/// to hash.
[[nodiscard]] std::vector<Product> with_merged_products(std::span<const Product> products,
                                                        FastRandom& random);

/// Returns the products with other bases of the spans of their forms: those of the most frequent
/// forms among all seven of each span, the given forms first where several are equally frequent.
/// Slots of forms that other bases hide appear again.
[[nodiscard]] std::vector<Product> with_frequent_forms(std::span<const Product> products,
                                                       FastRandom& random);

}  // namespace quartz::optimizer
