#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/products/network_cnot.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// What placements of products have to do.
struct PlacementTask {
  std::size_t wires = 0;
  std::vector<Product> products;
  /// Parities of the inputs that some wire must carry at some time; no two are equal. Most of them
  /// are sums of the forms of a product.
  std::vector<LinearForm> parities;
  std::vector<LinearForm> outputs;  ///< the parity that each wire must carry at the end
};

/// Returns CNOTs that do the task, the fewest that were found; nothing if the budget is spent
/// before any were found.
///
/// The CNOTs bring the forms of one product after the other onto three wires, where a few more
/// CNOTs run through their sums. In contrast to a parity network (parity_network_synthesis.hpp),
/// the choice of a CNOT looks ahead to products rather than to each of their seven parities, which
/// is better for products of large forms.
[[nodiscard]] std::optional<std::vector<NetworkCnot>> place_products(const PlacementTask& task,
                                                                     const Budget& budget,
                                                                     FastRandom& random);

}  // namespace quartz::optimizer
