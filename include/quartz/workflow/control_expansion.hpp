#pragma once

#include "quartz/qasm/include_path.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz {

/// Returns what a program that is to be translated into the gate set is read with: few rotations if
/// the set has no gate with any angle, because each one has to be approximated.
[[nodiscard]] ControlExpansion control_expansion_for(const GateSet& set);

}  // namespace quartz
