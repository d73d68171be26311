#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "quartz/circuit/circuit.hpp"

/// Texts in the drawing of a circuit.
namespace quartz::report {

/// Returns the name of a qubit or of a classical bit, such as "q[3]".
[[nodiscard]] std::string element_name(const std::vector<Register>& registers, std::size_t index);

/// Returns an operation in the syntax of OpenQASM, such as "rz(pi/4) q[0]", for a tooltip.
[[nodiscard]] std::string full_label(const Circuit& circuit, const Operation& operation);
/// Returns the angles of an operation, such as "(3π/4)"; empty if there are none.
[[nodiscard]] std::string angles_label(const Operation& operation);
/// Returns the text with at most 16 characters: the beginning and an ellipsis.
[[nodiscard]] std::string shortened(std::string_view label);
/// Returns the number of characters of a text in UTF-8.
[[nodiscard]] std::size_t character_count(std::string_view text);

}  // namespace quartz::report
