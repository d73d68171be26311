#pragma once

#include <string_view>
#include <vector>

#include "quartz/circuit/gate.hpp"

namespace quartz {

/// The rows of quartz/circuit/gates.inc, in order; built once, by gate_table().
[[nodiscard]] std::vector<Gate> make_gate_table();

/// Sorts a row's matrix and fills in what follows from it.
void complete_row(Gate& row);

/// A row beside those of gates.inc (quartz/circuit/custom_gate.hpp).
[[nodiscard]] const Gate& custom_gate(GateKind kind);
/// By its name; null if there is none.
[[nodiscard]] const Gate* find_custom_gate(std::string_view name);

}  // namespace quartz
