#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "quartz/circuit/circuit.hpp"
#include "report/drawing/gate_symbol.hpp"

namespace quartz::report {

/// An operation in its column.
struct PlacedOperation {
  const Operation* operation = nullptr;
  std::size_t column = 0;
  GateSymbol symbol;
  std::string label;  ///< in the boxes
};

/// A frame around a part that is repeated.
struct Frame {
  std::size_t first_column = 0;
  std::size_t last_column = 0;
  std::size_t count = 0;  ///< how many times the part occurs
};

/// Operations in columns, as far as they are drawn.
struct Placement {
  std::vector<PlacedOperation> operations;
  std::vector<Frame> frames;
  std::size_t shown = 0;
  std::size_t omitted = 0;
  std::size_t columns = 0;
};

/// Places the operations on the first qubits in columns, as far to the left as the order permits.
/// Parts that are repeated are placed once, in a frame, if they are folded.
[[nodiscard]] Placement place_operations(const Circuit& circuit, std::size_t qubits,
                                         std::size_t columns, bool folds_repetitions = false);

}  // namespace quartz::report
