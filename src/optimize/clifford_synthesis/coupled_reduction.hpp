#pragma once

#include <optional>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/clifford_synthesis/controlled_pauli_circuit.hpp"
#include "optimize/clifford_synthesis/neighbours.hpp"

namespace quartz::optimizer {

/// Returns a circuit of a map whose gates are on neighbours only and which exchanges no qubits, or
/// nothing if the budget is spent before, or if the map joins qubits between which no path of
/// neighbours leads. Spends a tick for each qubit of each tree that is planned.
///
/// The qubits are finished one after the other, each at one end: the images of two of its axes are
/// moved to it along a tree of neighbours, from the leaves (D. Winderl et al., arXiv 2309.08972),
/// by the fewest gates for this tree (coupled_tree.hpp). The next qubit is always one without which
/// the others stay connected. It takes few gates, and has few of the pairs that are left, with ties
/// and choices of axes at random.
[[nodiscard]] std::optional<ControlledPauliCircuit> circuit_on_neighbours(
    const SymplecticMap& map, const Neighbours& neighbours, FastRandom& random,
    const Budget& budget);

}  // namespace quartz::optimizer
