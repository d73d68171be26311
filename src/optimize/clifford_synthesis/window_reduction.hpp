#pragma once

#include <cstddef>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/clifford_synthesis/controlled_pauli_circuit.hpp"
#include "optimize/clifford_synthesis/neighbours.hpp"

namespace quartz::optimizer {

/// Replaces windows of consecutive gates of a circuit by as few others, or fewer, until a number of
/// windows in turn has led to no fewer CNOTs, or the budget is spent. A window leaves an exchange
/// of qubits behind it, which moves to the end of the circuit. The reductions of maps with few
/// gates find circuits that are nearly the shortest, unlike those of dense maps.
///
/// With neighbours, unless that is null, gates are on these only before and after. A window then
/// has gates on a few qubits that are connected, which can follow each other, and exchanges none.
void reduce_windows(ControlledPauliCircuit& circuit, const Neighbours* neighbours,
                    std::size_t patience, FastRandom& random, const Budget& budget);

}  // namespace quartz::optimizer
