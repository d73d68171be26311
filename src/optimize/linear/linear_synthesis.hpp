#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "optimize/linear/linear_map.hpp"

namespace quartz::optimizer {

/// Returns CNOTs that apply a linear map, as few as several heuristics find, or nothing if that
/// takes `most` CNOTs or more.
///
/// The heuristics are elimination by sections of columns (Patel, Markov, Hayes,
/// arXiv quant-ph/0302002), which needs O(n^2 / log n) CNOTs, and a descent that chooses the CNOT
/// after which the rows of the map and of its inverse have the fewest ones, as a sum of logarithms
/// (de Brugiere, Baboulin, Valiron, Martiel, Allouche, arXiv 2201.06508), each on the map and on
/// its transpose.
[[nodiscard]] std::optional<std::vector<LinearCnot>> synthesize_linear_map(const LinearMap& map,
                                                                           std::size_t most);

}  // namespace quartz::optimizer
