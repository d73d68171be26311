#pragma once

#include <cstddef>
#include <cstdint>

#include "base/random.hpp"
#include "optimize/products/bit_matrix.hpp"

namespace quartz::optimizer {

/// Returns the linear map of random CNOTs, four for each wire.
inline BitMatrix random_map(FastRandom& random, std::size_t wires) {
  BitMatrix rows = identity_matrix(wires);
  for (std::size_t i = 0; i < 4 * wires; ++i) {
    const std::uint32_t control = random.below(static_cast<std::uint32_t>(wires));
    const std::uint32_t target = random.below(static_cast<std::uint32_t>(wires));
    if (control != target) rows[target] ^= rows[control];
  }
  return rows;
}

}  // namespace quartz::optimizer
