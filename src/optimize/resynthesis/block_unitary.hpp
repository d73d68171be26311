#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <span>

#include "quartz/circuit/operation.hpp"

namespace quartz {

/// The unitary of so many gates is known within a fraction of kNumericTolerance. No longer run is
/// taken for a unitary of its own.
inline constexpr std::size_t kLongestRun = 1024;

/// The 2x2 unitary of one-qubit gates in program order.
[[nodiscard]] Eigen::Matrix2cd one_qubit_unitary(std::span<const Operation> gates);
/// The 4x4 unitary of gates on two qubits in program order; the first qubit is the least
/// significant bit of an index.
[[nodiscard]] Eigen::Matrix4cd two_qubit_unitary(std::span<const Operation> gates, Qubit first,
                                                 Qubit second);

/// A phase brings one unitary to another up to an error.
struct PhaseMatch {
  Angle phase;
  double error = 0;  ///< the largest difference of two entries
};
/// The phase (exact where it is within kNumericTolerance of a multiple of pi/192) with which
/// `other` comes closest to `unitary`, or nothing if they differ by more than kNumericTolerance
/// then.
template <typename Matrix>
[[nodiscard]] std::optional<PhaseMatch> match_phase(const Matrix& unitary, const Matrix& other);

}  // namespace quartz
