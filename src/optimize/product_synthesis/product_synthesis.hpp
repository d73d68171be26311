#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "circuit/phased_gates.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// What the synthesis of networks minimizes.
struct SynthesisWeights {
  std::uint64_t cnot = 1;
  std::uint64_t rotation = 1;
};

/// Returns at most `most` different circuits of CNOTs (cx) and rz gates that equal a network, the
/// cheapest first, global phase included; none if the budget is spent before one is found. The
/// angles are multiples of pi/4. The search takes the whole budget, or until it finds nothing
/// better.
///
/// Every circuit is compared with the network exactly, by its linear map and its phase polynomial;
/// throws InternalError if they differ. Throws InternalError too if the outputs of the network are
/// not independent.
[[nodiscard]] std::vector<circuit::PhasedGates> synthesize_product_network(
    const ProductNetwork& network, const SynthesisWeights& weights, std::size_t most,
    const Budget& budget, FastRandom& random);

}  // namespace quartz::optimizer
