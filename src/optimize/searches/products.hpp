#pragma once

#include "optimize/search/search.hpp"

namespace quartz::optimizer {

/// Returns a search that continues with a circuit of fewer products (product_layers), simplified,
/// whatever it costs. Has no result if there are no fewer.
[[nodiscard]] SearchPointer make_product_start(const Problem& problem, SearchPointer simplify);

/// Returns a search that begins with the given products of a circuit beside each other, which makes
/// the circuit less deep. Has no result for circuits of other kinds.
[[nodiscard]] SearchPointer make_parallel_start(const Problem& problem, SearchPointer simplify);

}  // namespace quartz::optimizer
