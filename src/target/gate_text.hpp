#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/circuit/gate.hpp"
#include "target/json_node.hpp"

namespace quartz::target {

/// An OpenQASM gate definition, `gate name(parameters) qubits { body }`.
struct GateText {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<std::string> qubits;
  std::vector<Operation> operations;  ///< on the indices of `qubits`, with angles in the parameters
  Angle phase;                        ///< sum of the gphase statements
};

/// Returns whether the text is intended as a gate definition, and not just as a name.
[[nodiscard]] bool is_gate_text(std::string_view text);

/// Parses the gate definition in a string. Its body calls gates by their names, with angles that
/// are linear in the parameters, on the qubits; modifiers and barriers are not permitted. The only
/// custom gates that it may call are those in `known`. Throws InputError with the location of the
/// error.
[[nodiscard]] GateText parse_gate_text(const JsonNode& node, std::span<const GateKind> known);

}  // namespace quartz::target
