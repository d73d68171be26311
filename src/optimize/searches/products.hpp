#pragma once

#include "optimize/search/search.hpp"

namespace quartz::optimizer {

/// What make_product_start() is composed of.
struct ProductStartParts {
  SearchPointer simplification;  ///< simplifies the given circuit
  SearchPointer simplify;        ///< simplifies the circuit with fewer products
  SearchPointer trial;           ///< shows which start leads further
};

/// Returns a search that continues with a circuit of fewer products (product_layers) if there is
/// one that costs less, after a trial of it and of the simplified circuit. Otherwise it changes
/// nothing, but keeps the best circuit of the trials.
[[nodiscard]] SearchPointer make_product_start(const Problem& problem, ProductStartParts parts);

}  // namespace quartz::optimizer
