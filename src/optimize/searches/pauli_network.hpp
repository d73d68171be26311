#pragma once

#include "optimize/search/search.hpp"

namespace quartz::optimizer {

/// Returns a search that continues with networks of the Pauli rotations
/// (pauli_network/pauli_network.hpp), simplified, whatever they cost. It applies if all qubits are
/// coupled.
[[nodiscard]] SearchPointer make_network_start(const Problem& problem, SearchPointer simplify);

}  // namespace quartz::optimizer
