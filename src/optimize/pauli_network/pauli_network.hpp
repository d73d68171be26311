#pragma once

#include <cstddef>
#include <optional>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "circuit/phased_gates.hpp"
#include "optimize/pauli_network/rotation_columns.hpp"

namespace quartz::optimizer {

/// Returns a circuit in {h, x, rz, cx} that is equal to a sequence of rotations, or nothing if that
/// takes too much work, or the budget is spent. It may have more gates than the circuit from which
/// the sequence is.
///
/// The sequence consists of rotations exp(-i angle/2 P) followed by a Clifford operator. A network
/// of CNOTs and Clifford gates on single qubits changes the operators P until each of them is on a
/// single qubit, where the rotation is an rz; at the end, the network undoes itself up to the
/// Clifford operator. The next CNOT is always one that makes the operator of a rotation smaller,
/// with nothing left that must come before it, and among these the one that makes the rotations
/// behind it smallest, the nearest ones counting most (as in Schmitz et al., arXiv 2103.08602, and
/// de Brugiere and Martiel, arXiv 2404.03280). `reach` is the number of rotations after which the
/// weight in this sum has halved.
[[nodiscard]] std::optional<circuit::PhasedGates> pauli_network(RotationColumns sequence,
                                                                double reach, const Budget& budget);

/// Returns another network with each call: a random number in [0, noise) is added to the sum by
/// which a CNOT is chosen.
[[nodiscard]] std::optional<circuit::PhasedGates> random_pauli_network(RotationColumns sequence,
                                                                       double reach, double noise,
                                                                       FastRandom& random,
                                                                       const Budget& budget);

/// A network, of which the gates from a place on are those that undo it up to the Clifford
/// operator. A part of a longer circuit has them only once, at its end.
struct EndedNetwork {
  circuit::PhasedGates network;
  std::size_t end = 0;  ///< where these gates begin
};

/// Returns pauli_network() with its end.
[[nodiscard]] std::optional<EndedNetwork> ended_pauli_network(RotationColumns sequence,
                                                              double reach, const Budget& budget);

}  // namespace quartz::optimizer
