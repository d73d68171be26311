#pragma once

#include <cstddef>
#include <vector>

#include "quartz/circuit/circuit.hpp"

namespace quartz::optimizer {

/// A replacement of operations that follow each other. Both sides are equal for any value of the
/// angle `base`, of which the angles of their gates rz are multiples by powers of 2, if it is not
/// 0; the right side may prepare ancillas and measure them.
struct AncillaStep {
  std::size_t position = 0;  ///< in the circuit after the steps before
  std::vector<Operation> before;
  std::vector<Operation> after;
  Angle base = {};
};

}  // namespace quartz::optimizer
