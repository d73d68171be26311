#pragma once

#include <vector>

#include "quartz/circuit/gate.hpp"

namespace quartz::circuit {

/// Builds the rows of quartz/circuit/gates.inc, in order. Only gate_table() calls this, once.
[[nodiscard]] std::vector<Gate> make_gate_table();

/// Sorts a row's matrix and fills in the properties derived from it.
void complete_row(Gate& row);

/// Returns a row beyond those of gates.inc (quartz/circuit/custom_gate.hpp).
[[nodiscard]] const Gate& custom_gate(GateKind kind);

}  // namespace quartz::circuit
