#include "quartz/workflow/control_expansion.hpp"

#include <algorithm>

namespace quartz {

ControlExpansion control_expansion_for(const GateSet& set) {
  const bool has_rotations = std::ranges::any_of(set.entries, [](const GateSetEntry& entry) {
    return entry.takes_any_angle() || !entry.ranges.empty();
  });
  return has_rotations ? ControlExpansion::few_two_qubit_gates : ControlExpansion::few_rotations;
}

}  // namespace quartz
