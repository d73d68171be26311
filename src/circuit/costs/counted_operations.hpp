#pragma once

#include "quartz/circuit/circuit.hpp"

/// What named costs count, besides what counts_as_t() says.
namespace quartz::circuit {

inline bool counts_as_gate(const Operation& operation) {
  return operation.kind == OperationKind::gate;
}

inline bool counts_as_two_qubit(const Operation& operation) {
  return counts_as_gate(operation) && operation.qubits.size() >= 2;
}

}  // namespace quartz::circuit
