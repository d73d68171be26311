#pragma once

#include <vector>

#include "optimize/products/network_cnot.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// Reduces a linear map on any number of wires, given by its rows, towards a permutation by CNOTs
/// that add one row to another. Each of them is one after which the rows of the map and of its
/// inverse have the fewest ones, as a sum of logarithms (de Brugiere et al., arXiv 2201.06508), as
/// in linear/linear_synthesis.hpp for up to 64 wires. Ends at a permutation or at another local
/// minimum. Changes the rows, and returns the CNOTs: the control is the row that is added to that
/// of the target. A step takes O(n^2).
[[nodiscard]] std::vector<NetworkCnot> descend_towards_permutation(std::vector<LinearForm>& rows);

}  // namespace quartz::optimizer
