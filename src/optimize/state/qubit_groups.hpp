#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "quartz/circuit/operation.hpp"

namespace quartz {

/// Gates of a circuit on a few of its qubits, numbered from 0 on in the order of their numbers.
struct QubitGroup {
  std::vector<Qubit> qubits;  ///< ascending: qubit i of the group is qubits[i] of the circuit
  std::vector<Operation> gates;
};

/// Cuts gates into groups on at most `most_qubits` qubits each, all of them one after the other
/// equal to the given gates. Gates that share a qubit, directly or by way of others, are in one
/// group for as long as it has room. Takes memory linear in the number of gates, whatever the
/// numbers of their qubits. `most_qubits` is at least the number of operands of every gate.
[[nodiscard]] std::vector<QubitGroup> split_by_qubits(std::span<const Operation> gates,
                                                      std::size_t most_qubits);

/// Appends gates on the qubits of the group to a circuit.
void append_group(const QubitGroup& group, std::vector<Operation> gates,
                  std::vector<Operation>& circuit);

}  // namespace quartz
