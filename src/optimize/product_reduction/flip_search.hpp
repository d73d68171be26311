#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"

namespace quartz::optimizer {

/// A product of three linear forms on up to 64 bits, as words.
using WordProduct = std::array<std::uint64_t, 3>;

/// Which flips a search makes.
enum class FlipKind {
  /// a b x + a c y = a (b + c) x + a c (x + y), where a is the same form of both products. The
  /// forms
  /// of all products stand in the order of three slots: each form is in one of three spaces whose
  /// sum is
  /// direct. Flips preserve this order.
  kGraded,
  /// The same for any form a in the spans of both products, and any bases of the spans.
  kUngraded,
};

/// Returns products with the same sum of trivectors, never more: a random walk of flips (Kauers and
/// Moosbauer, "Flip graphs for matrix multiplication"), in which products disappear whenever the
/// spans of two share a plane. After many flips without fewer products, one more product is allowed
/// (Arai, Ichikawa, Hukushima, "Adaptive flip graph algorithm for matrix multiplication"). The
/// search ends at the sufficient number, with the budget, or when it has not found fewer products
/// for long.
[[nodiscard]] std::vector<WordProduct> flipped_products(std::vector<WordProduct> products,
                                                        FlipKind kind, std::size_t sufficient,
                                                        const Budget& budget, FastRandom& random);

}  // namespace quartz::optimizer
