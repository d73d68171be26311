#pragma once

#include <Eigen/Core>
#include <complex>
#include <cstddef>
#include <optional>
#include <span>

#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// The unitary of this many gates is accurate to a fraction of kNumericTolerance. Longer runs are
/// not resynthesized as a whole.
inline constexpr std::size_t kMaxRunGates = 1024;

/// Returns the 2x2 unitary of one-qubit gates in program order.
[[nodiscard]] Eigen::Matrix2cd one_qubit_unitary(std::span<const Operation> gates);
/// Returns the 4x4 unitary of gates on two qubits in program order; the first qubit is the least
/// significant bit of an index.
[[nodiscard]] Eigen::Matrix4cd two_qubit_unitary(std::span<const Operation> gates, Qubit first,
                                                 Qubit second);
/// Returns the unitary of gates with constant angles on some of at most four qubits, in program
/// order: 2^n x 2^n, the first qubit the least significant bit of an index.
[[nodiscard]] Eigen::MatrixXcd unitary_on(std::span<const Operation> gates,
                                          std::span<const Qubit> qubits);

/// Returns tr(a^dagger b).
template <typename Matrix>
[[nodiscard]] std::complex<double> overlap_of(const Matrix& a, const Matrix& b);

/// Phase between two unitaries that are equal up to an error.
struct PhaseMatch {
  Angle phase;
  double error = 0;     ///< the largest difference between two entries
  double distance = 0;  ///< Frobenius norm of the difference
};
/// Returns the phase by which `other` comes closest to `unitary` (exact if within kNumericTolerance
/// of a multiple of pi/192), or nothing for unitaries that are far from each other.
template <typename Matrix>
[[nodiscard]] std::optional<PhaseMatch> nearest_phase(const Matrix& unitary, const Matrix& other);
/// Does the same, but returns nothing if they still differ by more than kNumericTolerance.
template <typename Matrix>
[[nodiscard]] std::optional<PhaseMatch> match_phase(const Matrix& unitary, const Matrix& other);

}  // namespace quartz::optimizer
