#pragma once

#include <optional>
#include <vector>

#include "base/budget.hpp"
#include "optimize/product_synthesis/network_cnot.hpp"
#include "optimize/products/parity_phases.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// Returns CNOTs after some of which a wire carries each parity of the phases, and which apply the
/// linear map of the network; nothing if the products have no recursive structure
/// (recursive_structure.hpp) or the phases have parities that are not those of products. `phases`
/// are the phases of the network, with products expanded.
///
/// The method treats one group after the other, and first moves the elements of a group to wires
/// that hold nothing else. On these wires, all groups of a level have the same CNOTs: those of the
/// three parts of a group, and a few that lead from one part to the next. Also returns nothing if the budget is spent before the
/// network is complete.
[[nodiscard]] std::optional<std::vector<NetworkCnot>> synthesize_recursively(
    const ProductNetwork& network, const ParityPhases& phases, const Budget& budget);

}  // namespace quartz::optimizer
