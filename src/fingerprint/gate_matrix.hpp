#pragma once

#include <vector>

#include "quartz/circuit/gate.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz {

/// The gate's matrix from the gate table with the operation's own angles filled in. Throws
/// UsageError for anything but a plain gate.
[[nodiscard]] std::vector<MatrixEntry> matrix_of(const Operation& operation);

}  // namespace quartz
