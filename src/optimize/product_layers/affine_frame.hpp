#pragma once

#include <optional>
#include <vector>

#include "optimize/product_layers/layer_coordinates.hpp"
#include "optimize/product_layers/pulled_rotations.hpp"
#include "optimize/product_layers/quadratic_phase.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// The Clifford operator C of a circuit, in terms of local coordinates:
///   C = i^{eighths / 2} W |x -> A x> D B,
/// where B are the gates to Z of the coordinates, D is a diagonal unitary, A is a linear map, and W
/// are gates on single qubits.
struct AffineFrame {
  std::vector<CliffordGate> before;  ///< B
  QuadraticPhase diagonal;           ///< D
  std::vector<LinearForm> outputs;   ///< the rows of A
  std::vector<CliffordGate> after;   ///< W
  unsigned eighths = 0;              ///< eighths of a turn, modulo 8
};

/// Returns the Clifford operator of a circuit in this form, if it has it. The coordinates must be
/// local.
[[nodiscard]] std::optional<AffineFrame> affine_frame(const PulledRotations& circuit,
                                                      const LayerCoordinates& coordinates);

}  // namespace quartz::optimizer
