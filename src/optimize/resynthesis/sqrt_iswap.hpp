#pragma once

#include <optional>

#include "optimize/resynthesis/weyl_decomposition.hpp"

namespace quartz::optimizer {

/// One-qubit gates that extend two gates exp(i pi/8 (XX + YY)) to a two-qubit unitary, up to phase.
struct SqrtIswapLayers {
  LocalGates before;
  LocalGates between;
  LocalGates after;
};

/// Decomposes with two square roots of iSWAP. Returns nothing for coordinates with a < b + |c|,
/// which take three. The gates in between are those of theorem 1 in Huang et al., arXiv 2105.06074.
[[nodiscard]] std::optional<SqrtIswapLayers> sqrt_iswap_layers(const WeylDecomposition& weyl);

}  // namespace quartz::optimizer
