#pragma once

#include <cstddef>
#include <vector>

#include "optimize/clifford_synthesis/map_reduction.hpp"

namespace quartz::optimizer {

/// Gates of a reduced map.
struct MapGates {
  std::vector<CliffordGate> gates;
  std::size_t cnots = 0;  ///< the number of those on two qubits, where blocks of them are merged
};

/// Returns gates that apply a reduced map up to Pauli operators.
///
/// Its exchange of qubits is made of SWAP gates, each of which follows a gate on the same qubits
/// where there is one: both together take two CNOTs. Between the gates on two qubits there are as
/// few gates on single ones as their axes need.
[[nodiscard]] MapGates gates_of(const ReducedMap& map);

}  // namespace quartz::optimizer
