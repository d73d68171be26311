#pragma once

#include <cstddef>
#include <string>

#include "quartz/circuit/circuit.hpp"

namespace quartz::report {

/// A circuit as an SVG element, with lines for qubits and one column for operations that may happen
/// at the same time. The style sheet of html_style.hpp colors it.
struct CircuitDrawing {
  std::string svg;
  std::size_t shown = 0;    ///< number of operations in the drawing
  std::size_t omitted = 0;  ///< number of operations behind the last column or on other qubits
  std::size_t folded = 0;   ///< number of repeated parts that are drawn once
};

/// The most that is drawn of a circuit.
struct DrawingLimits {
  std::size_t columns = 100;
  std::size_t qubits = 40;
  /// Whether parts that are repeated are drawn once, in a frame with the number of times.
  bool folds_repetitions = false;
};

/// Draws the beginning of a circuit, on the qubits of its first operations if it has many.
[[nodiscard]] CircuitDrawing draw_circuit(const Circuit& circuit, const DrawingLimits& limits = {});

}  // namespace quartz::report
