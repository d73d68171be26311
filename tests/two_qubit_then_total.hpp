#pragma once

#include <cstdint>

#include "quartz/circuit/operation.hpp"

namespace quartz::test {

/// A scalar cost: orders circuits by their number of gates on two or more qubits, then by their
/// number of gates.
inline std::uint64_t two_qubit_then_total(const Operation& operation) {
  return operation.qubits.size() >= 2 ? 1'000'000 : 1;
}

}  // namespace quartz::test
