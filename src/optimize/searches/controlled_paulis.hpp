#pragma once

#include "optimize/search/search.hpp"

namespace quartz::optimizer {

/// Returns a search that merges Pauli operators under the same two controls in windows on three
/// qubits, wherever that makes a window cheaper.
[[nodiscard]] SearchPointer make_controlled_paulis(const Problem& problem);

}  // namespace quartz::optimizer
