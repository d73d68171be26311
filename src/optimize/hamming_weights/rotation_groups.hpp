#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/hamming_weights/angle_families.hpp"
#include "optimize/pauli_network/rotation_sequence.hpp"

namespace quartz::optimizer {

/// Groups of rotations, as indices.
using RotationGroups = std::vector<std::vector<std::size_t>>;

/// Returns the cost of a rotation by the base angle of a family, doubled a number of times.
using FamilyCost = std::function<double(std::size_t family, std::size_t doublings)>;

/// Returns groups of rotations that commute with each other. In the order of the groups, the
/// rotations are the same unitary as in that of the sequence. A rotation is in the last group in
/// which it can be, or in an earlier one with others of its family: which of these, is searched at
/// random, so that the rotations that are left of the groups after their sums (sum_steps) cost
/// little. The budget is for this search.
[[nodiscard]] RotationGroups rotation_groups(std::span<const Rotation> rotations,
                                             const AngleFamilies& families, const FamilyCost& cost,
                                             const Budget& budget, FastRandom& random);

}  // namespace quartz::optimizer
