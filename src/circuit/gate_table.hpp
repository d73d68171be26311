#pragma once

#include <vector>

#include "quartz/circuit/gate.hpp"

namespace quartz {

/// The rows of quartz/circuit/gates.inc, in order; built once, by gate_table().
[[nodiscard]] std::vector<Gate> make_gate_table();

}  // namespace quartz
