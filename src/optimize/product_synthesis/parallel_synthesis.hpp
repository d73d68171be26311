#pragma once

#include <optional>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/product_synthesis/network_cnot.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// Returns CNOTs after some of which a wire carries each parity of the products of a network, with
/// a short critical path, and which apply the linear map of the network. Returns nothing unless
/// each product has a basis of its forms of which at least two are bits of single wires, before the
/// linear map or after it.
///
/// All products commute, so their order is a schedule of jobs on three wires each: first those that
/// need the fewest CNOTs before the linear map, then the others. The next product is always the one
/// that is complete first, on the wires as they are free, with ties broken at random. This is
/// repeated until the budget is spent, or often enough.
[[nodiscard]] std::optional<std::vector<NetworkCnot>> synthesize_in_parallel(
    const ProductNetwork& network, const Budget& budget, FastRandom& random);

}  // namespace quartz::optimizer
