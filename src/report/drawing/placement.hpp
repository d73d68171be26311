#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "quartz/circuit/circuit.hpp"
#include "report/drawing/gate_symbol.hpp"

namespace quartz::report {

/// An operation in its column.
struct PlacedOperation {
  const Operation* operation = nullptr;
  /// The rows of its qubits, in their order; of a barrier only those that are drawn.
  std::vector<std::size_t> rows;
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

/// Returns the qubits that are drawn, in ascending order: all of them, or, if there are more than
/// `most`, those that the first operations connect, so that a part of the circuit can be drawn from
/// its beginning on.
[[nodiscard]] std::vector<Qubit> drawn_qubits(const Circuit& circuit, std::size_t most);

/// Places the operations in columns, as far to the left as the order permits, with a row for each
/// of these qubits. An operation on another qubit is left out, and so is everything behind it on
/// its qubits; only barriers are drawn in part. Parts that are repeated are placed once, in a
/// frame, if they are folded.
[[nodiscard]] Placement place_operations(const Circuit& circuit, std::span<const Qubit> qubits,
                                         std::size_t columns, bool folds_repetitions = false);

}  // namespace quartz::report
