#pragma once

#include <vector>

#include "quartz/circuit/gate.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::fingerprint {

/// Returns the gate's matrix from the gate table with the operation's angles substituted. Throws
/// UsageError if the operation is not a plain gate.
[[nodiscard]] std::vector<MatrixEntry> matrix_of(const Operation& operation);

}  // namespace quartz::fingerprint
