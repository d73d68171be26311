#pragma once

#include <cstddef>
#include <vector>

#include "quartz/circuit/circuit.hpp"

/// Classical bits, and circuits whose measurements and resets act on one qubit each, for methods
/// that follow every branch.
namespace quartz::certify {

/// The contents of all classical bits.
using Bits = std::vector<bool>;

/// Largest number of measurements and resets for which all branches are followed.
inline constexpr std::size_t kMaxBranchPoints = 16;

[[nodiscard]] bool conditions_hold(const Circuit& circuit, const Operation& operation,
                                   const Bits& bits);

[[nodiscard]] inline bool is_branch_point(const Operation& operation) {
  return operation.kind == OperationKind::measure || operation.kind == OperationKind::reset;
}

/// Splits measurements and resets of several qubits into operations on one qubit.
[[nodiscard]] Circuit with_single_qubit_boundaries(const Circuit& circuit);

}  // namespace quartz::certify
