#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "quartz/circuit/bit_expression.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::circuit {

/// Returns the weight of the heaviest chain of operations over qubits and classical bits, where
/// `weight_of` returns the weight of an operation. Every operation, barriers included, comes after
/// those before it on its qubits, and after those that write the classical bits it reads.
template <typename WeightOf>
[[nodiscard]] std::uint64_t critical_path(const Circuit& circuit, const WeightOf& weight_of) {
  std::uint64_t longest = 0;
  std::vector<std::uint64_t> level(circuit.qubit_count(), 0);
  std::vector<std::uint64_t> bit_level(circuit.bit_count(), 0);
  for (const Operation& operation : circuit.operations) {
    std::uint64_t end = 0;
    for (const Qubit qubit : operation.qubits) end = std::max(end, level[qubit]);
    for (const Condition& condition : operation.conditions()) {
      if (condition.expression != nullptr) {
        for (const ClassicalBit bit : bits_read(*condition.expression)) {
          end = std::max(end, bit_level.at(bit));
        }
        continue;
      }
      const Register read = tested_bits(circuit, condition);
      for (ClassicalBit bit = read.first; bit < read.first + read.size; ++bit) {
        end = std::max(end, bit_level[bit]);
      }
    }
    end += weight_of(operation);
    for (const Qubit qubit : operation.qubits) level[qubit] = end;
    if (operation.classical != nullptr) {
      for (const ClassicalBit bit : operation.classical->bits) {
        bit_level[bit] = std::max(bit_level[bit], end);
      }
    }
    longest = std::max(longest, end);
  }
  return longest;
}

}  // namespace quartz::circuit
