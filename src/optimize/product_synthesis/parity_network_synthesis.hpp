#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/product_synthesis/network_cnot.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// What a parity network has to do (Amy, Azimzadeh, Mosca, arXiv 1712.01859).
struct ParityNetworkTask {
  std::size_t wires = 0;
  /// Parities of the inputs that some wire must carry at some time. No two are equal.
  std::vector<LinearForm> parities;
  std::vector<LinearForm> outputs;  ///< the parity that each wire must carry at the end
};

/// Returns CNOTs that do the task, the fewest that were found; nothing if the budget is spent
/// before any were found.
[[nodiscard]] std::optional<std::vector<NetworkCnot>> synthesize_parity_network(
    const ParityNetworkTask& task, const Budget& budget, FastRandom& random);

}  // namespace quartz::optimizer
