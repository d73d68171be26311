#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "optimize/pauli_network/pauli_string.hpp"
#include "optimize/pauli_network/rotation_sequence.hpp"

namespace quartz::optimizer {

/// One step of a region: a gate on the data qubits, or a phase of a parity of their basis states.
struct RegionStep {
  enum class Kind : std::uint8_t {
    phase,     ///< e^{i pi/4 eighths f(x)} for the parity f of the qubits of `parity`
    cx,        ///< with the control `first` and the target `second`
    s,         ///< e^{i pi/4 eighths x} for the qubit `first`
    hadamard,  ///< on the qubit `first`: this is what a gadget replaces
  };
  Kind kind{};
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  std::uint64_t parity = 0;
  unsigned eighths = 0;
};

/// Rotations by other angles than multiples of pi/4, Clifford gates, and a region, in this order.
struct PlannedRegion {
  std::vector<Rotation> rotations;
  std::vector<CliffordGate> before;
  std::vector<RegionStep> steps;
  std::size_t hadamards = 0;  ///< steps of this kind
};

/// A circuit as regions, with Clifford gates at the end, up to a global phase.
struct GadgetPlan {
  std::vector<PlannedRegion> regions;
  std::vector<CliffordGate> after;
};

/// Returns regions whose rotations by odd multiples of pi/4 are those of a sequence, with at most
/// `most_hadamards` Hadamard gates in each, and each as long as possible. Rotations by other angles
/// are between regions, and as few regions as possible end at one: rotations that commute change
/// places for that.
///
/// A rotation about an axis that is not diagonal becomes a phase of a parity by CNOTs, an S gate
/// and one Hadamard gate. The Clifford gates before a region make the axes of its first rotations
/// diagonal, as many as possible: they come from the same reduction of the rotations in the
/// opposite order, which makes the number of Hadamard gates of a region the smallest one
/// (V. Vandaele, S. Martiel, S. Perdrix, C. Vuillot, arXiv 2302.07040).
[[nodiscard]] GadgetPlan plan_gadgets(const RotationSequence& sequence, std::size_t most_hadamards);

}  // namespace quartz::optimizer
