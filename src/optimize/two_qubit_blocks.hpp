#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "optimize/gate_weight.hpp"
#include "optimize/two_qubit_synthesis.hpp"
#include "quartz/circuit/operation.hpp"
#include "quartz/gateset/gate_set.hpp"

namespace quartz {

/// A run of gates on one or two qubits and what stands in its place: `before` equals e^{i phase}
/// times `after` within kNumericTolerance, on the circuit's qubits.
struct BlockReplacement {
  std::vector<Operation> before;
  std::vector<Operation> after;
  Angle phase;
  /// Whether the equality rests on floating-point numbers: an angle of either side is no multiple
  /// of pi/4. Otherwise it can be proved by exact arithmetic.
  bool numeric = false;
};

/// A circuit with blocks resynthesized: the gates given equal e^{i phase} times `gates`.
struct BlockResynthesis {
  std::vector<Operation> gates;
  Angle phase;
  std::vector<BlockReplacement> replacements;  ///< in the order in which they were made
  bool numeric = false;                        ///< whether any of them is
};

/// Which replacements are made.
enum class Exactness : std::uint8_t {
  numeric,  ///< all that cost less
  exact,    ///< only those where all angles are multiples of pi/4
};

/// Replaces maximal runs of gates on two qubits, then those on one qubit, by their cheapest
/// synthesis from their unitary, where that costs less: KAK decomposition for the blocks on two
/// qubits (two_qubit_synthesis.hpp), products of three rotations at most for one
/// (one_qubit_synthesis.hpp). The cost never grows.
///
/// Gates with free parameters and on three qubits or more end a block and stay, and so do walls. A
/// set whose one-qubit gates take no free angle is left alone, and so are blocks on two qubits of a
/// set without a known two-qubit gate. Linear in the number of gates.
[[nodiscard]] BlockResynthesis resynthesize_two_qubit_blocks(
    std::span<const Operation> gates, std::uint32_t qubits, const GateSet& set,
    const GateWeight& weight = two_qubit_then_total, Exactness exactness = Exactness::numeric);

/// The same with a synthesis prepared before: for callers with many small circuits.
[[nodiscard]] BlockResynthesis resynthesize_two_qubit_blocks(
    std::span<const Operation> gates, std::uint32_t qubits, const TwoQubitSynthesis& synthesis,
    const GateWeight& weight, Exactness exactness = Exactness::numeric);

}  // namespace quartz
