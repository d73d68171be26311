#pragma once

#include "optimize/search/search.hpp"

namespace quartz::optimizer {

/// Returns a search that makes a network of CNOTs of the Pauli rotations of each segment
/// (pauli_network/pauli_network.hpp), simplifies the result, and keeps it if it costs less. It
/// applies if all qubits are coupled.
[[nodiscard]] SearchPointer make_pauli_network(const Problem& problem, SearchPointer simplify);

}  // namespace quartz::optimizer
