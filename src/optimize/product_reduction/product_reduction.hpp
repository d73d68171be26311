#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "flips/backend/flip_walks.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// Returns a number that no set of products with the same sum of trivectors falls below if these
/// products are a smallest set: a third of the dimension of the span of their forms, rounded up.
[[nodiscard]] std::size_t lower_bound_of_products(std::span<const Product> products);

/// Returns products with the same sum of trivectors (trivector.hpp), never more than are given.
/// They apply the same unitary up to CZ and Z gates on linear forms, which the caller restores.
///
/// All forms have the same number of wires. Products that share no forms with others are treated
/// apart, and a part that has reached its lower bound is left at once. Flips of a large part are
/// made on `device` if there is one. The result depends on the products, the random numbers and
/// whether there is a device only, if the budget counts ticks: a tick is about a microsecond.
[[nodiscard]] std::vector<Product> with_fewer_products(std::span<const Product> products,
                                                       const Budget& budget, FastRandom& random,
                                                       const flips::FlipBackend* device = nullptr);

/// Returns sets of products that all have the sum of trivectors of the given ones and at most as
/// many products: the set that with_fewer_products() returns, and where a multiplication of
/// polynomials modulo another one is found, a second set of more products with sparser forms, those
/// of Karatsuba's recursion. Which of them makes the smaller circuit is for the caller to try.
[[nodiscard]] std::vector<std::vector<Product>> sets_of_fewer_products(
    std::span<const Product> products, const Budget& budget, FastRandom& random,
    const flips::FlipBackend* device = nullptr);

}  // namespace quartz::optimizer
