#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>

#include "optimize/resynthesis/one_qubit_rotation.hpp"

namespace quartz::optimizer {

/// One gate on each of two qubits.
using LocalGates = std::array<Eigen::Quaterniond, 2>;

/// A two-qubit unitary as e^{i phase} after * exp(i (a XX + b YY + c ZZ)) * before, with the
/// coordinates (a, b, c) in the Weyl chamber pi/4 >= a >= b >= |c| (and c >= 0 if a = pi/4): the
/// Cartan decomposition of SU(4) (Kraus, Cirac, quant-ph/0011050; Zhang, Vala, Sastry, Whaley,
/// quant-ph/0209120). Two unitaries have the same coordinates if and only if they differ by
/// one-qubit gates.
struct WeylDecomposition {
  double phase = 0;
  std::array<double, 3> coordinates{};
  LocalGates before;  ///< entry q for qubit q
  LocalGates after;
};

/// Returns exp(i (a XX + b YY + c ZZ)).
[[nodiscard]] Eigen::Matrix4cd canonical_gate(const std::array<double, 3>& coordinates);
/// Returns the 4x4 matrix of one gate on each qubit; qubit 0 is the least significant bit of an
/// index.
[[nodiscard]] Eigen::Matrix4cd matrix_of(const LocalGates& gates);
[[nodiscard]] LocalGates inverse(const LocalGates& gates);
[[nodiscard]] Eigen::Matrix4cd matrix_of(const WeylDecomposition& decomposition);

/// Returns the gates whose product the unitary is (up to phase), or nothing if it is further than
/// the tolerance from a product, that is, if it entangles.
[[nodiscard]] std::optional<LocalGates> as_local_gates(const Eigen::Matrix4cd& unitary,
                                                       double tolerance);

/// Decomposes a 4x4 unitary, or the unitary nearest to the matrix, deterministically and with an
/// accuracy of a few units of double precision, also for degenerate coordinates. Throws
/// InternalError for a matrix that is not unitary within 1e-9.
[[nodiscard]] WeylDecomposition weyl_decomposition(const Eigen::Matrix4cd& unitary);

}  // namespace quartz::optimizer
