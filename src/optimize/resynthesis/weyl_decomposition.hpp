#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>

#include "optimize/resynthesis/one_qubit_rotation.hpp"

namespace quartz {

/// A gate on each of two qubits.
using LocalGates = std::array<Eigen::Quaterniond, 2>;

/// A two-qubit unitary as e^{i phase} after * exp(i (a XX + b YY + c ZZ)) * before, with the
/// coordinates (a, b, c) in the Weyl chamber pi/4 >= a >= b >= |c| (and c >= 0 where a = pi/4):
/// the Cartan decomposition of SU(4) (Kraus, Cirac, quant-ph/0011050; Zhang, Vala, Sastry, Whaley,
/// quant-ph/0209120). Two unitaries have the same coordinates just when they differ by one-qubit
/// gates.
struct WeylDecomposition {
  double phase = 0;
  std::array<double, 3> coordinates{};
  LocalGates before;  ///< entry q for qubit q
  LocalGates after;
};

/// exp(i (a XX + b YY + c ZZ)).
[[nodiscard]] Eigen::Matrix4cd canonical_gate(const std::array<double, 3>& coordinates);
/// The 4x4 matrix of one gate a qubit; qubit 0 is the least significant bit of an index.
[[nodiscard]] Eigen::Matrix4cd matrix_of(const LocalGates& gates);
[[nodiscard]] Eigen::Matrix4cd matrix_of(const WeylDecomposition& decomposition);

/// The gates whose product a unitary is (up to phase), or nothing where it entangles: where it is
/// further than the tolerance from a product.
[[nodiscard]] std::optional<LocalGates> as_local_gates(const Eigen::Matrix4cd& unitary,
                                                       double tolerance);

/// Of any 4x4 unitary, or of the nearest one; accurate to a few units of double precision also
/// where coordinates are degenerate. Deterministic. Throws InternalError for a matrix that is not
/// unitary within 1e-9.
[[nodiscard]] WeylDecomposition weyl_decomposition(const Eigen::Matrix4cd& unitary);

}  // namespace quartz
