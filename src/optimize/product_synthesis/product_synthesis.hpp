#pragma once

#include <optional>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "circuit/phased_gates.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// Returns a circuit of CNOTs (cx) and rz gates that equals a network, global phase included, with
/// as few CNOTs as are found; nothing if the budget is spent before one is found. The angles are
/// multiples of pi/4. The search takes the whole budget, or until it finds nothing better.
///
/// Every circuit is compared with the network exactly, by its linear map and its phase polynomial;
/// throws InternalError if they differ. Throws InternalError too if the outputs of the network are
/// not independent.
[[nodiscard]] std::optional<circuit::PhasedGates> synthesize_product_network(
    const ProductNetwork& network, const Budget& budget, FastRandom& random);

/// Returns a circuit of the same kind whose products are carried out beside each other as far as
/// they share no wires (parallel_synthesis.hpp), so that its depth is small; nothing for networks
/// of other products.
[[nodiscard]] std::optional<circuit::PhasedGates> synthesize_parallel_products(
    const ProductNetwork& network, const Budget& budget, FastRandom& random);

}  // namespace quartz::optimizer
