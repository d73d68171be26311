#pragma once

#include <string>
#include <vector>

#include "quartz/circuit/gate.hpp"

/// How gates are drawn, which follows from their matrices.
namespace quartz::report {

/// The sign of an operand.
enum class OperandSign : std::uint8_t {
  box,    ///< box with the name
  dot,    ///< control
  plus,   ///< target of a controlled x
  cross,  ///< qubit that is exchanged
};

/// How a gate is drawn.
struct GateSymbol {
  std::vector<OperandSign> signs;  ///< one for each operand
  std::string name;                ///< in the boxes: without the letters that the dots replace
  /// Whether the boxes have the numbers of their operands, because these cannot be exchanged.
  bool numbered = false;
};

[[nodiscard]] GateSymbol symbol_of(const Gate& gate);

}  // namespace quartz::report
