#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// Gates of a circuit on a few of its qubits, renumbered from 0 in ascending order.
struct QubitGroup {
  std::vector<Qubit> qubits;  ///< ascending: qubit i of the group is qubits[i] of the circuit
  std::vector<Operation> gates;
  std::vector<std::uint32_t> places;  ///< indices of the gates in the list that was cut
};

/// Cuts gates into groups on at most `max_qubits` qubits each; the groups one after the other
/// equal the given gates. Gates that share a qubit, directly or through other gates, are in the
/// same group as long as it has room. Memory is linear in the number of gates, regardless of the
/// numbers of their qubits. `max_qubits` must be at least the number of operands of every gate.
[[nodiscard]] std::vector<QubitGroup> split_by_qubits(std::span<const Operation> gates,
                                                      std::size_t max_qubits);

/// Appends gates, numbered as in the group, to a circuit.
void append_group(const QubitGroup& group, std::vector<Operation> gates,
                  std::vector<Operation>& circuit);

}  // namespace quartz::optimizer
