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

/// Smallest distance for which a product is approximated at once. A hundredth of the distance takes
/// ten times as long, and this one some 2 s on a core.
inline constexpr double kSmallestProductEpsilon = 1e-12;

/// Options of approximate_product.
struct ProductOptions {
  /// Smallest distance for which the product is approximated at once; kSmallestProductEpsilon if
  /// this is smaller.
  double smallest_at_once = kSmallestProductEpsilon;
  /// Ends the search with Stopped.
  std::stop_token stop = {};
};

/// Returns Clifford+T gates within operator-norm distance `epsilon` of a product, up to a global
/// phase. A product for which that is better is approximated at once, with the fewest T gates,
/// unless epsilon is below the smallest distance for that: one word takes as many T gates as one
/// rotation. Otherwise the rotations are approximated one by one. The result depends on the product
/// and the distances only, and is in normal form as that of approximate_rotation.
///
/// Throws UsageError as approximate_rotation does, and for factors that are not permitted; throws
/// Stopped once a stop is requested.
[[nodiscard]] RotationApproximation approximate_product(const OneQubitProduct& product,
                                                        double epsilon,
                                                        const ProductOptions& options = {});

/// Options of approximate_products.
struct ProductsOptions {
  unsigned threads = 1;
  /// Seconds that all searches may take on one core, as estimated before they begin: with more
  /// products or smaller distances, fewer divisions of the budget are tried, and fewer products are
  /// approximated at once. The result depends on this number, and not on the time that passes.
  double seconds = 60;
  /// Ends the searches with Stopped.
  std::stop_token stop = {};
};

/// Returns approximations of products whose distances add up to at most `epsilon`, as
/// approximate_rotations does for rotations. The result depends on the products, on `epsilon` and
/// on the seconds.
[[nodiscard]] std::vector<RotationApproximation> approximate_products(
    std::span<const OneQubitProduct> products, double epsilon, const ProductsOptions& options = {});

}  // namespace quartz
