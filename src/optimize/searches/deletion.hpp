#pragma once

#include "optimize/search/search.hpp"

namespace quartz::optimizer {

/// Returns a search that deletes two-qubit gates from windows on three qubits
/// (instantiation/gate_deletion.hpp), and simplifies the result. It applies if the gate set has
/// all one-qubit gates and the cost counts gates on two qubits above all.
[[nodiscard]] SearchPointer make_deletion(const Problem& problem, SearchPointer simplify);

/// Returns whether the exactness and epsilon of a problem permit deletion to change its angles,
/// which takes no more than a look at them.
[[nodiscard]] bool may_delete_gates(const Problem& problem);

}  // namespace quartz::optimizer
