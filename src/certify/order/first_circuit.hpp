#pragma once

#include <optional>

#include "quartz/certify/journal.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/output_permutation.hpp"

namespace quartz::certify {

/// The circuit with which a journal begins, and the qubit on which each qubit of the input ends.
struct FirstCircuit {
  std::optional<Circuit> changed;  ///< nothing if it is the input: a large one is not copied
  OutputPermutation permutation;   ///< never empty, unless there are no qubits
};

/// Returns the circuit with which the journal of an input begins: the input with its edges and, if
/// the options say so, without its SWAP gates (docs/formats/journal.md). Throws UsageError if a
/// block of the circuit ends that has not begun.
[[nodiscard]] FirstCircuit first_circuit_of(const Circuit& input, const ReplayOptions& options);

}  // namespace quartz::certify
