#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "quartz/circuit/operation.hpp"
#include "quartz/optimize/exactness.hpp"

namespace quartz {

/// Gates of a circuit and what stands in their place: `before` equals e^{i phase} times `after`
/// within kNumericTolerance, on the circuit's qubits.
struct BlockReplacement {
  std::vector<Operation> before;
  std::vector<Operation> after;
  Angle phase;
  /// Whether the equality rests on floating-point numbers: an angle of either side is no multiple
  /// of pi/4. Otherwise it can be proved by exact arithmetic.
  bool numeric = false;
};

/// Sets `numeric` from the angles.
void mark_numeric(BlockReplacement& replacement);

/// Whether the replacement, marked, may be made.
[[nodiscard]] bool is_allowed(const BlockReplacement& replacement, Exactness exactness);

/// A replacement with where it happens in a list of gates. Gates of `before` that are in `after` as
/// well may stay where they are.
struct PlacedReplacement {
  BlockReplacement replacement;
  std::vector<std::size_t> removed;
  /// New gates, each list to stand before the gate at a place (or at the end).
  std::vector<std::pair<std::size_t, std::vector<Operation>>> inserted;
};

/// The gates with replacements made; no place is in two of them.
[[nodiscard]] std::vector<Operation> replaced(std::vector<Operation> gates,
                                              std::vector<PlacedReplacement>& replacements);

}  // namespace quartz
