#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"

namespace quartz::optimizer {

/// Most elements of a basis whose forms are words.
inline constexpr std::size_t kMaxWordDimension = 64;

/// A product of three linear forms on up to 64 bits, as words.
using WordProduct = std::array<std::uint64_t, 3>;

/// Which flips a search makes.
enum class FlipKind {
  /// a b x + a c y = a (b + c) x + a c (x + y), where a is the same form of both products. There
  /// are
  /// three slots of forms, spaces whose sum is direct, and the forms of each product are in the
  /// order
  /// of the slots. Flips preserve this order.
  kGraded,
  /// This kind makes the same flips for any form a in the spans of both products, and any bases of
  /// the spans.
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

/// Returns other products with the same sum, `most` at most if the budget suffices: adds products
/// now and then, flips at random, and flips further until there are few enough.
[[nodiscard]] std::vector<WordProduct> redrawn_products(std::vector<WordProduct> products,
                                                        FlipKind kind, std::size_t most,
                                                        const Budget& budget, FastRandom& random);

}  // namespace quartz::optimizer
