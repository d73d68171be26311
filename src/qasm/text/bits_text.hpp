#pragma once

#include <span>
#include <string>

#include "quartz/circuit/circuit.hpp"

namespace quartz::qasm {

/// Returns classical bits as an operand of OpenQASM 3: a register, a bit of it, a range or a list.
/// Throws UsageError if they are not all in one register.
[[nodiscard]] std::string bits_text(const Circuit& circuit, std::span<const ClassicalBit> bits);

}  // namespace quartz::qasm
