#pragma once

#include "enumerate/letters.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz {

using namespace enumerate;

/// Returns {h, x, rz by p0, p1, 2 p0, p0 + p1 and 2 p1, cx}: 27 letters on 3 qubits.
[[nodiscard]] GateSet nam();
/// Returns {h, x, rz by k pi/4 (k = 1 .. 7), cx}: 33 letters on 3 qubits.
[[nodiscard]] GateSet nam_constants();

/// Returns all letters of a gate set.
[[nodiscard]] Letters letters_of(const GateSet& set, unsigned qubits);

}  // namespace quartz
