#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// Gates on the same two qubits, with no other gate on these qubits in between.
struct TwoQubitRun {
  std::array<Qubit, 2> qubits{};
  std::vector<std::size_t> places;  ///< indices of the gates; their order is one of time
  std::size_t anchor = 0;  ///< position at which all of the run's gates may be placed together
};

/// Returns the longest runs with at least one gate on two qubits, each with the adjacent one-qubit
/// gates; a gate between two runs belongs to the earlier one. Gates with free parameters, gates on
/// three or more qubits, and optimization boundaries end a run. Runs of more than kMaxRunGates
/// gates are cut into pieces.
[[nodiscard]] std::vector<TwoQubitRun> two_qubit_runs(std::span<const Operation> gates,
                                                      std::uint32_t qubits);

}  // namespace quartz::optimizer
