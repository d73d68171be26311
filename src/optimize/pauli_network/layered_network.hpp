#pragma once

#include <optional>

#include "base/budget.hpp"
#include "circuit/phased_gates.hpp"
#include "optimize/pauli_network/rotation_sequence.hpp"

namespace quartz::optimizer {

/// Returns a circuit in {h, x, rz, cx} that is equal to a sequence of rotations, with few rotations
/// one after the other, or nothing if that takes too much work, or the budget is spent.
///
/// Rotations that commute and are independent, so that no product of their operators is the
/// identity up to its sign, are beside each other: a Clifford operator turns their operators into
/// those of different qubits. As many rotations as the circuit has qubits are in one layer at most.
/// A layer has, of the rotations before which no other one has to come, those with the longest
/// chains of rotations behind them, none of which commutes with the next: what the greedy algorithm
/// chooses is the best independent set for this order, as independent sets are those of a matroid
/// (as in Amy, Maslov and Mosca, arXiv 1303.2042, for layers of one phase polynomial). `reach` is
/// as for Pauli networks (pauli_network.hpp).
[[nodiscard]] std::optional<circuit::PhasedGates> layered_network(RotationSequence sequence,
                                                                  double reach,
                                                                  const Budget& budget);

}  // namespace quartz::optimizer
