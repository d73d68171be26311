#pragma once

#include <cstddef>
#include <optional>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/clifford_synthesis/controlled_pauli_circuit.hpp"

namespace quartz::optimizer {

/// How many reductions are continued side by side.
struct BeamSize {
  std::size_t kept = 1;       ///< reductions that are kept whenever a qubit was finished
  std::size_t continued = 1;  ///< different ways in which each of them is continued
};

/// Returns a circuit of a map with as few CNOTs as possible, or nothing if the budget is spent
/// before. Spends a tick for the gains of each pair of qubits.
///
/// The qubits are finished one after the other (reduction_step.hpp), each in several ways. Those
/// reductions are kept that have the fewest gates, together with an estimate of the gates that the
/// rest of the map will take: a beam search.
[[nodiscard]] std::optional<ControlledPauliCircuit> circuit_of_map(const SymplecticMap& map,
                                                                   const BeamSize& size,
                                                                   FastRandom& random,
                                                                   const Budget& budget);

}  // namespace quartz::optimizer
