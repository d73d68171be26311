#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/product_synthesis/network_cnot.hpp"
#include "optimize/products/parity_phases.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// Maximum number of wires of a network that is synthesized product by product.
inline constexpr std::size_t kMaxWiresInSequence = 1024;

/// Returns CNOTs after some of which a wire carries each parity of the phases, and which apply the
/// linear map of the network. `phases` are the phases of the network, with products expanded.
///
/// The products are carried out one after the other, always one of those that need the fewest
/// CNOTs: these bring its forms to three wires, and then visit its parities there. The wires are
/// not restored, because the next products are expressed in what the wires carry; the CNOTs of the
/// linear map at the end restore them. The choice among several products, and several sequences
/// for each, is the one after which the other products and the linear map are nearest, with some
/// noise.
///
/// Many products are carried out in clusters (product_cluster.hpp). The forms of a cluster span a
/// space of few dimensions. CNOTs bring a basis of this space to as many wires (span_reduction.hpp),
/// where few CNOTs lead from one form to the next. This is repeated with
/// other noise until the budget is spent, or often enough. Returns nothing if the budget is spent
/// before the first network is complete. The network has at most kMaxWiresInSequence wires.
[[nodiscard]] std::optional<std::vector<NetworkCnot>> synthesize_in_sequence(
    const ProductNetwork& network, const ParityPhases& phases, const Budget& budget,
    FastRandom& random);

}  // namespace quartz::optimizer
