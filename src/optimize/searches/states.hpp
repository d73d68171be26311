#pragma once

#include "optimize/search/search.hpp"

namespace quartz::optimizer {

/// Returns a search that shortens the preparation of states: the gates behind resets, as far as
/// they act on up to kMaxPreparedQubits qubits together (instantiation/state_preparation.hpp). It
/// applies to circuits that begin with resets, if the gate set has all one-qubit gates and the
/// cost counts gates on two qubits above all.
[[nodiscard]] SearchPointer make_states(const Problem& problem, SearchPointer simplify);

}  // namespace quartz::optimizer
