#pragma once

#include <cstddef>
#include <vector>

#include "quartz/circuit/circuit.hpp"

namespace quartz::report {

/// A part of the operations of a circuit that occurs several times, each time directly after the
/// one before it.
struct Repetition {
  std::size_t first = 0;   ///< index of its first operation
  std::size_t length = 0;  ///< number of operations of the part
  std::size_t count = 0;   ///< how many times it occurs, at least 2

  [[nodiscard]] std::size_t end() const { return first + length * count; }
};

/// Returns disjoint repetitions in the order of the circuit, chosen so that each saves as many
/// operations as possible from its first one on. Looks at the first `most` operations. Those that
/// save only a few operations are left out.
[[nodiscard]] std::vector<Repetition> repetitions_in(const Circuit& circuit, std::size_t most);

}  // namespace quartz::report
