#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parity_chains/chain/chain_memory.hpp"

namespace quartz::parity_chains {

/// Different points of an affine space, an even number of them (optimize/rank_reduction).
using Points = std::vector<std::uint64_t>;

/// What the chains of a walk start from.
struct ParityWalkStart {
  /// Tables with the same cubic form: the chains start from one after the other in turn.
  std::vector<Points> tables;
  std::uint32_t dimension = 0;  ///< bits of the points, the last of which is set in all of them
  bool is_pure = false;         ///< whether the squares of the parities have the sum zero
  std::uint64_t seed = 0;
};

/// Returns whether chains can walk from a start: its tables and dimensions are not too large, and
/// no table is empty.
[[nodiscard]] bool fits_chains(const ParityWalkStart& start);
/// Returns the shape of the chains, which have room for some points more than the largest table.
/// Throws InternalError if the start does not fit.
[[nodiscard]] ChainShape shape_of(const ParityWalkStart& start);
/// Returns the table of a chain. Throws InternalError if it is too large for the shape.
[[nodiscard]] ChainTable chain_table(const Points& points, const ChainShape& shape);
[[nodiscard]] Points points_of(const ChainTable& table);
/// Returns the tables from which a number of chains start.
[[nodiscard]] std::vector<ChainTable> chain_tables(const ParityWalkStart& start,
                                                   std::uint32_t chains);
/// Returns the states in which the chains of a seed start.
[[nodiscard]] std::vector<ChainState> chain_states(std::uint64_t seed, std::uint32_t chains);
/// Returns the sum of the candidates of chains.
[[nodiscard]] std::uint64_t candidates_of(std::span<const ChainState> states);

/// Calls a function template with the number of rows for which has_dependent_row() is compiled, the
/// least one that a dimension needs.
template <typename Function>
void for_rows(std::uint32_t dimension, const Function& function) {
  if (dimension <= 16) {
    function.template operator()<16>();
  } else if (dimension <= 32) {
    function.template operator()<32>();
  } else {
    function.template operator()<static_cast<int>(kMaxDimension)>();
  }
}

}  // namespace quartz::parity_chains
