#pragma once

#include "circuit/derivation.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::test {

/// Returns a circuit with gates that were derived from its own, and with their phase.
inline Circuit with_gates(const Circuit& circuit, const circuit::DerivedGates& derived) {
  Circuit result = make_circuit(circuit.qubit_count(), derived.gates);
  result.global_phase = circuit.global_phase + derived.phase;
  return result;
}

}  // namespace quartz::test
