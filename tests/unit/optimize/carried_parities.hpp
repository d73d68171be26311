#pragma once

#include <set>
#include <vector>

#include "optimize/product_synthesis/network_cnot.hpp"
#include "optimize/product_synthesis/product_synthesis.hpp"
#include "optimize/products/bit_matrix.hpp"
#include "optimize/products/parity_phases.hpp"

namespace quartz::optimizer {

/// Returns whether CNOTs apply the map of a network, and carry each parity of its phases.
inline bool carries_out(const std::vector<NetworkCnot>& cnots, const ProductNetwork& network,
                        const ParityPhases& phases) {
  std::vector<LinearForm> carried = identity_matrix(network.wires);
  std::set<LinearForm> seen(carried.begin(), carried.end());
  for (const NetworkCnot& cnot : cnots) {
    carried[cnot.target] ^= carried[cnot.control];
    seen.insert(carried[cnot.target]);
  }
  for (const auto& [form, eighths] : phases) {
    if (!seen.contains(form)) return false;
  }
  return carried == network.outputs;
}

}  // namespace quartz::optimizer
