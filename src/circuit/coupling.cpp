#include "quartz/circuit/coupling.hpp"

#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz {

void CouplingMap::add(Qubit a, Qubit b) {
  if (a == b) throw UsageError("a qubit cannot be coupled with itself");
  pairs_.insert(a < b ? std::pair(a, b) : std::pair(b, a));
  if (directed_) ordered_.insert({a, b});
}

CouplingMap CouplingMap::without_direction() const {
  CouplingMap map;
  map.pairs_ = pairs_;
  return map;
}

bool has_direction(GateKind kind) {
  const Gate& row = gate(kind);
  return row.qubits == 2 && row.symmetry[1] == 1;
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
  if (has_direction(operation.gate) && !map.allows(operation.qubits[0], operation.qubits[1])) {
    return std::pair(operation.qubits[0], operation.qubits[1]);
  }
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
