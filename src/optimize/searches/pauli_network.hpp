#pragma once

#include "optimize/search/search.hpp"

namespace quartz::optimizer {

/// Returns a search that simplifies by `simplification` and then continues with a network of the
/// Pauli rotations (pauli_network/pauli_network.hpp), simplified by `simplify`, if that costs much
/// less. Returns `simplification` itself if networks do not apply: they need that all qubits are
/// coupled.
[[nodiscard]] SearchPointer make_network_start(const Problem& problem, SearchPointer simplification,
                                               SearchPointer simplify);

}  // namespace quartz::optimizer
