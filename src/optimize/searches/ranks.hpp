#pragma once

#include "optimize/search/search.hpp"

namespace quartz::optimizer {

/// Returns a search that continues with a circuit of fewer rotations by odd multiples of pi/4
/// (rank_reduction), simplified, whatever it costs. Has no result if there are no fewer. It applies
/// if the first objective charges more for T than for S.
[[nodiscard]] SearchPointer make_rank_start(const Problem& problem, SearchPointer simplify);

/// Returns a search that does the same in circuits with products of which there could be fewer, and
/// reduces the products first.
[[nodiscard]] SearchPointer make_product_rank_start(const Problem& problem, SearchPointer simplify);

}  // namespace quartz::optimizer
