#pragma once

#include <cstdint>
#include <vector>

#include "optimize/products/network_cnot.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// Returns CNOTs that apply a linear map with these rows, on any number of wires.
///
/// A descent chooses the CNOT after which the columns of what is left of the map, and the rows of
/// its inverse, have the fewest ones (de Brugiere, Baboulin, Valiron, Martiel, Allouche, arXiv
/// 2201.06508). Elimination does the rest. On up to 64 wires, the heuristics of
/// linear/linear_synthesis.hpp are tried as well. Throws InternalError if the rows are dependent.
[[nodiscard]] std::vector<NetworkCnot> cnots_of_linear_map(const std::vector<LinearForm>& rows);

/// Returns the rows of the inverse of a linear map. Throws InternalError if there is none.
[[nodiscard]] std::vector<LinearForm> inverse_of(std::vector<LinearForm> rows);

}  // namespace quartz::optimizer
