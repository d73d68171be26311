#pragma once

#include <optional>
#include <vector>

#include "certify/pauli/clifford_log.hpp"

/// Maps b -> M b + v of the basis states of a gate's operands: bits modulo 2.
namespace quartz::certify {

/// An affine map, as the images of the operands' Pauli operators when they are
/// pulled back through it. Unchanged operators are omitted.
struct AffineMap {
  struct Row {
    unsigned operand = 0;
    bool is_x = false;
    unsigned factors = 0;  ///< the operands whose X, or Z, are multiplied
    bool negative = false;
  };
  std::vector<Row> rows;
};

/// A gate cx, swap or x on operands of a gate.
struct MapStep {
  CliffordLog::Kind kind = CliffordLog::Kind::x;
  unsigned first = 0;   ///< not used for x
  unsigned second = 0;  ///< the target of cx and x
};

/// Returns the map with these images of the basis states, or nothing if it is not affine.
[[nodiscard]] std::optional<AffineMap> affine_map(const std::vector<unsigned>& output);

/// Returns the gates that make up an affine map, in the order in which they act.
[[nodiscard]] std::vector<MapStep> steps_of_map(const std::vector<unsigned>& output);

}  // namespace quartz::certify
