#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "flips/chain/flip_chain.hpp"

namespace quartz::flips {

/// Returns products as a set of a chain. Throws InternalError for more than kMaxChainProducts.
[[nodiscard]] ProductSet product_set(std::span<const WordProduct> products);
[[nodiscard]] std::vector<WordProduct> products_of(const ProductSet& set);
/// Returns the states in which the chains of a seed start.
[[nodiscard]] std::vector<ChainState> chain_states(std::uint64_t seed, std::uint32_t chains);
/// Returns the sum of the flips of chains.
[[nodiscard]] std::uint64_t flips_of(std::span<const ChainState> states);

}  // namespace quartz::flips
