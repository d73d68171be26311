#pragma once

#include <cstdint>
#include <vector>

#include "optimize/product_synthesis/network_cnot.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// Returns CNOTs that apply a linear map with these rows, on any number of wires. Groups of wires
/// that do not depend on each other are treated one by one.
///
/// Two descents choose the CNOT after which the columns of what is left of the map, and the rows of
/// its inverse, have the fewest ones, as a sum of numbers or of logarithms (de Brugiere, Baboulin,
/// Valiron, Martiel, Allouche, arXiv 2201.06508); elimination does the rest. Elimination by
/// sections of columns is tried as well. Up to 64 wires have the heuristics of
/// linear/linear_synthesis.hpp. Throws InternalError if the rows are dependent.
[[nodiscard]] std::vector<NetworkCnot> cnots_of_linear_map(const std::vector<LinearForm>& rows);

/// Returns the rows of the inverse of a linear map. Throws InternalError if there is none.
[[nodiscard]] std::vector<LinearForm> inverse_of(std::vector<LinearForm> rows);

}  // namespace quartz::optimizer
