#pragma once

#include <vector>

#include "circuit/derivation.hpp"

namespace quartz::optimizer {

/// The operations that are left of a circuit whose gates were simplified.
struct SimplifiedGates {
  circuit::DerivedGates gates = circuit::DerivedGates::unchanged({});
  /// The index of each operation in the circuit. A gate that has taken the place of another one has
  /// a number that is not less than the number of operations of the circuit.
  std::vector<circuit::GateNumber> numbers;
};

}  // namespace quartz::optimizer
