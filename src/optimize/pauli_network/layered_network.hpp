#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.hpp"
#include "circuit/phased_gates.hpp"
#include "optimize/pauli_network/growing_network.hpp"
#include "optimize/pauli_network/parity_rotation.hpp"
#include "optimize/pauli_network/rotation_columns.hpp"

namespace quartz::optimizer {

/// The rotations of a layer, which follow each other among the gates of a network: first those of
/// qubits, each of another one, and then those of parities of these qubits.
struct NetworkLayer {
  std::size_t position = 0;   ///< where the first gate is
  std::size_t of_qubits = 0;  ///< number of rotations of qubits
  std::vector<ParityRotation> of_parities;
};

/// A network, and its layers in their order.
struct LayeredNetwork {
  circuit::PhasedGates network;
  std::vector<NetworkLayer> layers;
};

/// How layered_network() chooses what it makes.
struct LayerChoice {
  double reach = 1;               ///< as for Pauli networks (pauli_network.hpp)
  std::size_t most_parities = 0;  ///< most rotations of parities in a layer
  std::uint64_t most_work = kMostWorkOfNetwork;
};

/// Returns a circuit in {h, x, rz, cx} that is equal to a sequence of rotations, with few layers of
/// them one after the other, or nothing if that takes too much work, or the budget is spent.
///
/// Rotations that commute and are independent, so that no product of their operators is the
/// identity up to its sign, are beside each other: a Clifford operator turns their operators into
/// those of different qubits. As many rotations as the circuit has qubits are in one layer at most,
/// and as many further ones as are permitted, which are those of parities of these qubits: with an
/// ancilla for each of them, they are beside the others as well.
///
/// A layer has, of the rotations before which no other one has to come, those with the longest
/// chains of rotations behind them, none of which commutes with the next: what the greedy algorithm
/// chooses is the best set for this order, as independent sets are those of a matroid (as in Amy,
/// Maslov and Mosca, arXiv 1303.2042, for layers of one phase polynomial), and so are sets with at
/// most a number of further elements.
[[nodiscard]] std::optional<LayeredNetwork> layered_network(RotationColumns sequence,
                                                            const LayerChoice& choice,
                                                            const Budget& budget);

}  // namespace quartz::optimizer
