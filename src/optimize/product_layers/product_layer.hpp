#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "flips/backend/flip_walks.hpp"
#include "optimize/product_layers/layer_coordinates.hpp"
#include "optimize/product_layers/quadratic_phase.hpp"
#include "optimize/products/product_network.hpp"
#include "optimize/rank_reduction/rank_reduction.hpp"

namespace quartz::optimizer {

/// A layer of rotations in coordinates: the product of the diagonal unitaries of `products`,
/// `phases` and `clifford`, of the rotations by other angles, and of e^{-i pi/8 eighths}.
struct ProductLayer {
  LayerCoordinates coordinates;
  std::vector<Product> products;
  std::vector<ParityPhase> phases;  ///< phases of single rotations by odd multiples of pi/4
  QuadraticPhase clifford;
  std::vector<std::uint32_t> other_rotations;
  int eighths = 0;  ///< modulo 16
};

[[nodiscard]] ProductLayer product_layer(const PulledRotations& circuit,
                                         const RotationLayer& layer);

/// Returns false if the number of products is the least possible, by a quick test.
[[nodiscard]] bool may_have_fewer_products(const ProductLayer& layer);

/// Returns layers with fewer products that are the same unitary: none, or one with as few products
/// as were found, and perhaps another one with more products whose forms are sparser. Each of them
/// is compared with the given layer on random states, with a probability of error below 10^-29.
/// Returns none if the budget is too small for that many products.
/// The device is as in sets_of_fewer_products().
[[nodiscard]] std::vector<ProductLayer> with_fewer_products(
    const ProductLayer& layer, const Budget& budget, FastRandom& random,
    const flips::FlipBackend* device = nullptr);

/// Returns the number of rotations by odd multiples of pi/4 that a layer takes, without those by
/// other angles than multiples of pi/4.
[[nodiscard]] std::size_t count_odd_rotations(const ProductLayer& layer);

/// Returns a layer that is the same unitary with fewer rotations by odd multiples of pi/4, or
/// nothing if none was found. The search (rank_reduction) begins with the layer itself and with
/// other layers that are the same unitary, and continues with more sets of as few products as the
/// first one of these has. The result has phases in place of products.
///
/// The result is compared as by with_fewer_products(). It depends on the layers and the random
/// numbers only, if the budget counts ticks.
[[nodiscard]] std::optional<ProductLayer> with_fewer_rotations(const ProductLayer& layer,
                                                               std::span<const ProductLayer> others,
                                                               const RankSearchLimits& limits,
                                                               const Budget& budget,
                                                               FastRandom& random);

/// Writes the Clifford phase of a layer as phases, with the fewest parities other than those that
/// have phases anyway.
void expand_clifford(ProductLayer& layer);

}  // namespace quartz::optimizer
