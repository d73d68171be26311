#pragma once

#include <Eigen/Geometry>
#include <cstdint>

/// One-qubit unitaries up to a phase, as unit quaternions: w + xi + yj + zk denotes w I - i (x X +
/// y Y + z Z), so that products agree, and Eigen's AngleAxisd(angle, n) is the gate exp(-i angle/2
/// n.sigma). q and -q are the same gate up to its phase.
namespace quartz::optimizer {

enum class Axis : std::uint8_t { x, y, z };

[[nodiscard]] Eigen::Vector3d unit_vector(Axis axis);
/// Returns exp(-i angle/2 P) for the axis' Pauli operator P.
[[nodiscard]] Eigen::Quaterniond rotation_about(Axis axis, double angle);
/// Returns the shortest rotation that maps one Pauli operator to another: the identity, or a
/// quarter turn.
[[nodiscard]] Eigen::Quaterniond rotation_between(Axis from, Axis to);
/// Returns the unitary without its phase, as a rotation.
[[nodiscard]] Eigen::Quaterniond quaternion_of(const Eigen::Matrix2cd& unitary);
/// Returns the matrix of a rotation, in SU(2).
[[nodiscard]] Eigen::Matrix2cd matrix_of(const Eigen::Quaterniond& rotation);

}  // namespace quartz::optimizer
