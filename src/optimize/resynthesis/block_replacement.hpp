#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "quartz/circuit/operation.hpp"
#include "quartz/optimize/exactness.hpp"

namespace quartz::optimizer {

/// Gates of a circuit and their replacement, on the circuit's qubits: `before` equals e^{i phase}
/// times `after` within kNumericTolerance.
struct BlockReplacement {
  std::vector<Operation> before;
  std::vector<Operation> after;
  Angle phase;
  /// Whether the equality relies on floating-point numbers because an angle on either side is not a
  /// multiple of pi/4. Otherwise exact arithmetic can prove it.
  bool numeric = false;
};

/// Sets `numeric` according to the angles.
void mark_numeric(BlockReplacement& replacement);

/// Returns whether `exactness` permits the replacement, in which `numeric` has been set.
[[nodiscard]] bool is_allowed(const BlockReplacement& replacement, Exactness exactness);

/// A replacement with its position in a list of gates. Gates of `before` that also occur in `after`
/// may stay in place.
struct PlacedReplacement {
  BlockReplacement replacement;
  std::vector<std::size_t> removed;
  /// Lists of new gates, each with the index of the gate before which to insert it (or the number
  /// of gates, for the end).
  std::vector<std::pair<std::size_t, std::vector<Operation>>> inserted;
};

/// Returns the gates after all replacements; no gate is part of two of them.
[[nodiscard]] std::vector<Operation> replaced(std::vector<Operation> gates,
                                              std::vector<PlacedReplacement>& replacements);

}  // namespace quartz::optimizer
