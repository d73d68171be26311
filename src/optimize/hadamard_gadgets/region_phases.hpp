#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "optimize/hadamard_gadgets/gadget_plan.hpp"
#include "optimize/products/parity_phases.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// A region in which each Hadamard gate begins a new variable, as a sum over paths: the bits of the
/// data qubits at its beginning, and after them one bit for each gate.
///
/// A gate on a qubit that carries the form p multiplies by (-1)^{p y} for its new variable y, which
/// the qubit carries then. All phases are those of one diagonal unitary.
struct RegionPhases {
  /// A Hadamard gate.
  struct Gadget {
    std::uint32_t qubit = 0;
    LinearForm measured;  ///< the form p
    /// The forms that the data qubits carry after the gate.
    std::vector<LinearForm> forms;
  };
  std::size_t variables = 0;
  /// Without the phases (-1)^{p y} of the gadgets.
  ParityPhases phases;
  std::vector<Gadget> gadgets;

  /// Returns the variable of a gadget.
  [[nodiscard]] std::size_t variable_of(std::size_t gadget) const {
    return variables - gadgets.size() + gadget;
  }
  /// Returns all phases.
  [[nodiscard]] ParityPhases with_gadgets() const;
};

[[nodiscard]] RegionPhases phases_of(const PlannedRegion& region, std::uint32_t qubits);

}  // namespace quartz::optimizer
