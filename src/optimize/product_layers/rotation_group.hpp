#pragma once

#include <boost/container/static_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "optimize/product_layers/pulled_rotations.hpp"

namespace quartz::optimizer {

/// Rotations that are one unit: a single rotation, or the seven rotations by odd multiples of pi/4
/// of a product. In a product, the first three axes are independent, and the others are, up to
/// their signs, the products of the first and the second, the first and the third, the second and
/// the third, and all three.
using RotationGroup = boost::container::static_vector<std::uint32_t, 7>;

[[nodiscard]] inline bool is_product(const RotationGroup& group) { return group.size() == 7; }

/// Returns groups in an order in which their rotations equal those of the circuit: as many products
/// as were found, and all other rotations alone.
///
/// A product is found if its rotations are near each other, with few unmatched rotations by odd
/// multiples of pi/4 between them, and can be moved next to each other: each of them must commute
/// with those that it passes.
[[nodiscard]] std::vector<RotationGroup> group_rotations(const PulledRotations& circuit);

/// Groups of rotations that all commute with each other.
struct RotationLayer {
  std::vector<RotationGroup> groups;
  std::vector<std::uint32_t> basis;  ///< rotations whose axes span those of the layer
};

/// Returns layers whose rotations, one layer after the other, equal those of the groups. Each group
/// is in the earliest layer to which it can be moved.
[[nodiscard]] std::vector<RotationLayer> layers_of(const PulledRotations& circuit,
                                                   const std::vector<RotationGroup>& groups);
/// Returns layers as layers_of(), with each group in the earliest or each group in the latest layer
/// to which it can be moved, except for a few or for many of them, which are in layers between.
[[nodiscard]] std::vector<RotationLayer> random_layers_of(const PulledRotations& circuit,
                                                          const std::vector<RotationGroup>& groups,
                                                          FastRandom& random);

}  // namespace quartz::optimizer
