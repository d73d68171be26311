#pragma once

#include <vector>

#include "quartz/algebra/angle.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::circuit {

/// The product of some gates times e^{i phase}.
struct PhasedGates {
  std::vector<Operation> gates;
  Angle phase;
};

}  // namespace quartz::circuit
