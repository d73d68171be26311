#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gateset/json_node.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz {

/// An OpenQASM gate definition, `gate name(parameters) qubits { body }`.
struct GateText {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<std::string> qubits;
  std::vector<Operation> operations;  ///< on the numbers of the qubits, angles in the parameters
  Angle phase;                        ///< of its gphase statements
};

/// Whether the text means to be one, not just a name.
[[nodiscard]] bool is_gate_text(std::string_view text);

/// The definition that a string holds. Its body calls gates by their names, with angles that are
/// linear in the parameters, on the qubits; no modifiers, no barriers. Of custom gates it may call
/// those in `known`. Throws InputError with the place of what is wrong.
[[nodiscard]] GateText parse_gate_text(const JsonNode& node, std::span<const GateKind> known);

}  // namespace quartz
