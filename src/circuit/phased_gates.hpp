#pragma once

#include <vector>

#include "quartz/algebra/angle.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::circuit {

/// The product of some gates times e^{i phase}.
struct PhasedGates {
  std::vector<Operation> gates;
  Angle phase;
  /// Whether the gates or the phase were computed in floating-point arithmetic.
  bool numeric = false;
};

}  // namespace quartz::circuit
