#pragma once

#include "quartz/circuit/operation.hpp"

namespace quartz {

/// Brings the angles of a gate into their canonical range, (-pi, pi] or (-2*pi, 2*pi] by the period of
/// each parameter, which follows from the gate's matrix. Returns the global phase this takes: the
/// gate as it was equals e^{i phase} times the gate as it is now. Only the pi part is reduced.
[[nodiscard]] Angle normalize_angles(Operation& operation);

/// Whether the gate with these very angles is the identity (rz(0), id, u3(0, 0, 0)). Angles should
/// be normalized first.
[[nodiscard]] bool is_identity(const Operation& operation);

}  // namespace quartz
