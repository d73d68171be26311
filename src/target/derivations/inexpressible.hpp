#pragma once

#include "quartz/circuit/operation.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::target {

/// Returns whether no circuit over the set equals the operation up to a phase: a rotation by an
/// angle that gates with fixed multiples of pi/4 do not produce, or a built-in gate without angles
/// on several qubits for a set of gates on one qubit. False means that this is not known.
[[nodiscard]] bool is_certainly_inexpressible(const Operation& operation, const GateSet& set);

}  // namespace quartz::target
