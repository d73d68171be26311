#include "quartz/circuit/coupling.hpp"

#include "quartz/errors.hpp"

namespace quartz {

void CouplingMap::add(Qubit a, Qubit b) {
  if (a == b) throw UsageError("a qubit cannot be coupled with itself");
  pairs_.insert(a < b ? std::pair(a, b) : std::pair(b, a));
}

CouplingMap coupling_of(const Circuit& circuit) {
  CouplingMap map;
  for (const Operation& operation : circuit.operations) {
    if (operation.kind != OperationKind::gate) continue;
    for (std::size_t i = 0; i < operation.qubits.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) map.add(operation.qubits[j], operation.qubits[i]);
    }
  }
  return map;
}

std::optional<std::pair<Qubit, Qubit>> uncoupled_pair(const Operation& operation,
                                                      const CouplingMap& map) {
  if (operation.kind != OperationKind::gate) return std::nullopt;
  for (std::size_t i = 0; i < operation.qubits.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!map.contains(operation.qubits[j], operation.qubits[i])) {
        return std::pair(operation.qubits[j], operation.qubits[i]);
      }
    }
  }
  return std::nullopt;
}

std::optional<UncoupledGate> uncoupled_gate(const Circuit& circuit, const CouplingMap& map) {
  for (std::size_t i = 0; i < circuit.operations.size(); ++i) {
    if (const auto pair = uncoupled_pair(circuit.operations[i], map)) {
      return UncoupledGate{i, pair->first, pair->second};
    }
  }
  return std::nullopt;
}

}  // namespace quartz
