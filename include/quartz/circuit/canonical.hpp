#pragma once

#include "quartz/circuit/operation.hpp"

namespace quartz {

/// Reduces the angles of a gate to their canonical range: (-pi, pi] or (-2*pi, 2*pi], by the period
/// of each parameter, which follows from the gate's matrix. Returns the global phase of the change:
/// the original gate equals e^{i phase} times the normalized gate. Only the pi part is reduced.
[[nodiscard]] Angle normalize_angles(Operation& operation);

/// Returns whether the gate with exactly these angles is the identity (rz(0), id, u3(0, 0, 0)). The
/// angles should be normalized first.
[[nodiscard]] bool is_identity(const Operation& operation);

}  // namespace quartz
