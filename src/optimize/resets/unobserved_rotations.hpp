#pragma once

#include "optimize/resets/simplified_gates.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::optimizer {

/// Removes rotations that no measurement can see, wherever they are between Clifford gates. All
/// other operations stay.
///
/// The last gates of a circuit, with nothing but measurements and resets behind them on their
/// qubits, are a sequence of Pauli rotations followed by a Clifford operator C. A rotation has no
/// effect if its operator commutes with those of all rotations behind it that have one, and with
/// C^dagger Z C for the Z of each qubit that is measured before it is reset: it then moves to the
/// end, where it acts on qubits that are discarded, and as Z on others that are only measured.
/// Nothing is known of what happens behind a barrier.
///
/// The history has the rotations at the end as gates, which are then removed. Rotations that would
/// act as Z on three or more qubits, and on no discarded one, stay, because no gate is such a
/// rotation. The time grows with the square of the number of rotations, which is limited.
[[nodiscard]] SimplifiedGates without_unobserved_rotations(const Circuit& circuit);

}  // namespace quartz::optimizer
