#pragma once

#include <cstddef>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/clifford_synthesis/controlled_pauli_circuit.hpp"

namespace quartz::optimizer {

/// Replaces windows of consecutive gates of a circuit by as few others, or fewer, until a number of
/// windows in turn has led to no fewer CNOTs, or the budget is spent. A window leaves an exchange
/// of qubits behind it, which moves to the end of the circuit. The reductions of maps with few
/// gates find circuits that are nearly the shortest, unlike those of dense maps.
void reduce_windows(ControlledPauliCircuit& circuit, std::size_t patience, FastRandom& random,
                    const Budget& budget);

}  // namespace quartz::optimizer
