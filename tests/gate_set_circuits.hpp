#pragma once

#include "quartz/gateset/gate_set.hpp"
#include "random_circuits.hpp"

namespace quartz::test {

/// A random circuit in the gates of a set, with angles it allows: multiples of pi/4 where any.
inline Circuit random_circuit_in(const GateSet& set, Random& random, std::uint32_t qubits,
                                 std::size_t size) {
  std::vector<Operation> operations;
  while (operations.size() < size) {
    const GateSetEntry& entry = set.entries[below(random, set.entries.size())];
    if (gate(entry.gate).qubits > qubits) continue;
    Operation operation = random_gate(random, {entry.gate}, qubits, 4);
    if (!entry.angles.empty()) operation.angles = entry.angles[below(random, entry.angles.size())];
    operations.push_back(std::move(operation));
  }
  return make_circuit(qubits, std::move(operations));
}

}  // namespace quartz::test
