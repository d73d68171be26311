#pragma once

#include <cstddef>
#include <string>

#include "quartz/circuit/circuit.hpp"

namespace quartz {

/// How a circuit is drawn as text.
struct TextDrawingOptions {
  /// The most characters of a line; a drawing that is wider is continued below. A line with a
  /// single operation may be longer.
  std::size_t width = 100;
};

/// Returns a drawing of a circuit in lines of Unicode characters, each of which ends with "\n".
/// Time goes to the right; each qubit is a line, controls are dots, and other gates are boxes.
[[nodiscard]] std::string text_drawing(const Circuit& circuit,
                                       const TextDrawingOptions& options = {});

}  // namespace quartz
