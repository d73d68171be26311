#pragma once

#include <cstddef>
#include <vector>

#include "quartz/approximation/one_qubit_product.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::workflow {

/// Gates that follow each other on a qubit, which are approximated together.
struct OneQubitRun {
  std::vector<std::size_t> operations;  ///< indices in the circuit, in ascending order
  OneQubitProduct product;
};

/// Returns whether a gate is a rotation about Z by a constant that is no multiple of pi/4.
[[nodiscard]] bool is_approximated(const Operation& operation);

/// Returns the runs of a circuit that have approximated rotations, by their first operations. A run
/// has more than one gate if is_better_at_once() holds for them. Gates under a condition are runs
/// of their own, because what the condition tests may change between them.
[[nodiscard]] std::vector<OneQubitRun> approximated_runs(const Circuit& circuit);

}  // namespace quartz::workflow
