#pragma once

#include <cstddef>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "flips/chain/word_product.hpp"

namespace quartz::optimizer {

using flips::FlipKind;
using flips::kMaxWordDimension;
using flips::WordProduct;

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
