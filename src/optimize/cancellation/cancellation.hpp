#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/budget.hpp"
#include "circuit/derivation.hpp"
#include "quartz/circuit/operation.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// Where cancel_equal_operators looks for pairs.
struct CancellationScope {
  std::uint64_t seed = 0;
  bool has_cones = true;        ///< where the operators of one of the gates stay on a few wires
  bool has_whole_space = true;  ///< anywhere, if the gates are on few qubits
};
inline constexpr CancellationScope kInCones{.has_whole_space = false};
inline constexpr CancellationScope kOnWholeSpace{.has_cones = false};

/// Merges pairs of gates that may be far apart, of which the operators are equal up to signs once
/// they are pulled back to the start of the circuit (Heisenberg's picture): rotations, and CNOTs
/// and other controlled Pauli operators, which cancel up to Pauli operators. The angles in between
/// may be any angles or symbols.
///
/// Equal operators are found by their numbers in a finite field at random points
/// (cancellation/operator_probe.hpp), again at others before a pair is merged; the probability of a
/// wrong pair is below 2^-50 without symbols, and 2^-40 with a thousand of them. Two searches find
/// different pairs:
/// - For each gate, its operators are moved through the gates that follow, as long as they stay on
///   a few wires. The time is linear in the number of gates.
/// - If the gates are on few qubits and no black box is among them, all operators are evaluated on
///   the whole space. If that finds nothing, it takes a third of the time left at most.
///
/// The input consists of gates and black boxes (state/segments.hpp). The work is bounded by the
/// size of the list; ends early once the budget is spent, with the pairs found so far. The result
/// has one exchange in its history for each pair, and equals the input exactly.
[[nodiscard]] circuit::DerivedGates cancel_equal_operators(std::span<const Operation> gates,
                                                           const GateSet& set,
                                                           const CancellationScope& scope,
                                                           const Budget& budget = {});

}  // namespace quartz::optimizer
