#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quartz/circuit/custom_gate.hpp"
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
/// are linear in the parameters, on the qubits; modifiers and barriers are not permitted. It may
/// call built-in gates and the given custom gates. Throws InputError with the location of the
/// error.
[[nodiscard]] GateText parse_gate_text(const JsonNode& node, const CustomGates& custom_gates);

}  // namespace quartz::target
