#pragma once

#include <cstdint>

#include "optimize/hamming_weights/weight_circuit.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::workflow {

/// Proves that a circuit equals one with weights, for every outcome of its measurements:
/// check_equivalence() compares it with the rotations in groups, and the sides of each step, which
/// may have an ancilla more. The angles of a step are proved as multiples of a free parameter. That
/// the steps lead from the one circuit to the other, and that each ancilla that they add is in |0>
/// and is not used afterwards, is seen from the operations themselves. The report is undecided,
/// with a reason, if something is not proved.
[[nodiscard]] EquivalenceReport prove_weights(const Circuit& circuit,
                                              const optimizer::WeightCircuit& weights,
                                              const EquivalenceOptions& options);

}  // namespace quartz::workflow
