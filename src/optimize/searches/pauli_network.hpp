#pragma once

#include "optimize/search/search.hpp"

namespace quartz::optimizer {

/// What make_network_start() is composed of.
struct NetworkStartParts {
  SearchPointer simplification;  ///< simplifies the circuit first
  SearchPointer simplify;        ///< simplifies a network
  SearchPointer trial;           ///< shows which start leads further
};

/// Returns a search that simplifies, and then continues with a network of the Pauli rotations
/// (pauli_network/pauli_network.hpp) if that costs much less, and still less after a trial of both.
/// Returns the simplification itself if networks do not apply: they need that all qubits are
/// coupled.
[[nodiscard]] SearchPointer make_network_start(const Problem& problem, NetworkStartParts parts);

}  // namespace quartz::optimizer
