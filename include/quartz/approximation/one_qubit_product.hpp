#pragma once

#include <compare>
#include <span>
#include <stop_token>
#include <vector>

#include "quartz/approximation/rotation.hpp"

namespace quartz {

/// A factor of a product of gates on one qubit.
struct OneQubitFactor {
  GateKind gate{};  ///< rz, or one of h, s, sdg, t, tdg, x and z
  Angle angle;      ///< angle of rz; 0 for the other gates

  friend auto operator<=>(const OneQubitFactor&, const OneQubitFactor&) = default;
};

/// The factors in the order in which they are applied.
using OneQubitProduct = std::vector<OneQubitFactor>;

/// Returns whether a gate without parameters may be a factor.
[[nodiscard]] bool is_factor_of_products(GateKind gate);

/// Returns whether one word for the whole product takes fewer T gates than words for its rotations:
/// it has a rotation by no multiple of pi/4, and more rotations or T gates.
[[nodiscard]] bool is_better_at_once(const OneQubitProduct& product);

/// Smallest distance for which a product is approximated at once. A tenth of the distance takes ten
/// times as long, and this one 0.4 s on a core.
inline constexpr double kSmallestProductEpsilon = 5e-8;

/// Returns Clifford+T gates within operator-norm distance `epsilon` of a product, up to a global
/// phase. A product for which that is better is approximated at once, with the fewest T gates,
/// unless epsilon is below `smallest_at_once` or kSmallestProductEpsilon: one word takes as many T
/// gates as one rotation. Otherwise the rotations are approximated one by one. The result depends
/// on the arguments only, and is in normal form as that of approximate_rotation.
///
/// Throws UsageError as approximate_rotation does, and for factors that are not permitted.
[[nodiscard]] RotationApproximation approximate_product(
    const OneQubitProduct& product, double epsilon,
    double smallest_at_once = kSmallestProductEpsilon);

/// Returns approximations of products whose distances add up to at most `epsilon`, as
/// approximate_rotations does for rotations. If there are many different products, only those with
/// larger distances are approximated at once, so that they do not take longer each.
[[nodiscard]] std::vector<RotationApproximation> approximate_products(
    std::span<const OneQubitProduct> products, double epsilon, unsigned threads = 1,
    const std::stop_token& stop = {});

}  // namespace quartz
