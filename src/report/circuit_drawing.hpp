#pragma once

#include <cstddef>
#include <string>

#include "quartz/circuit/circuit.hpp"

namespace quartz::report {

/// A circuit as an SVG element, with lines for qubits and one column for operations that may happen
/// at the same time. The style sheet of html_report.cpp colors it.
struct CircuitDrawing {
  std::string svg;
  std::size_t shown = 0;    ///< number of operations in the drawing
  std::size_t omitted = 0;  ///< number of operations behind the last column or below the last qubit
};

/// The most that is drawn of a circuit.
struct DrawingLimits {
  std::size_t columns = 100;
  std::size_t qubits = 40;
};

/// Draws the beginning of a circuit.
[[nodiscard]] CircuitDrawing draw_circuit(const Circuit& circuit, const DrawingLimits& limits = {});

}  // namespace quartz::report
