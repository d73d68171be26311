#pragma once

#include "optimize/search/search.hpp"

namespace quartz::optimizer {

/// Returns a search that resynthesizes the Clifford blocks of a circuit which consists of large
/// ones for a good part. It has no result for other circuits, and if no block becomes cheaper.
/// Makes the circuit simpler first, by `simplification`, and the result at last, by `simplify`.
[[nodiscard]] SearchPointer make_clifford_start(const Problem& problem,
                                                SearchPointer simplification,
                                                SearchPointer simplify);

}  // namespace quartz::optimizer
