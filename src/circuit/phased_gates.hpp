#pragma once

#include <vector>

#include "circuit/history.hpp"
#include "quartz/algebra/angle.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::circuit {

/// The product of some gates times e^{i phase}.
struct PhasedGates {
  std::vector<Operation> gates;
  Angle phase;
  /// Whether the gates or the phase were computed in floating-point arithmetic.
  bool numeric = false;
  /// How the gates were derived from others, if that is recorded.
  HistoryPointer history = {};
};

}  // namespace quartz::circuit
