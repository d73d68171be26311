#pragma once

#include <cstddef>
#include <optional>

#include "optimize/pauli/one_qubit_clifford.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// Returns the axis of which all rotations of one operand pass a gate as they are, whatever the
/// gate's angles: Z on the control of a CNOT and X on its target. Returns nothing if there is none.
[[nodiscard]] std::optional<PauliAxis> passing_axis(GateKind kind, std::size_t operand);

}  // namespace quartz::optimizer
