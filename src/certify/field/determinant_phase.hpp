#pragma once

#include <optional>
#include <vector>

#include "certify/problem/problem.hpp"

namespace quartz::certify {

/// Returns an angle a with det U = e^{i 2^n a} for the unitary U of these gates on n wires, for any
/// n: the sum over all gates of the angle of their determinant, divided by their dimension. If
/// another unitary equals e^{i phi} U, then phi is the difference of their angles up to a multiple
/// of 2 pi / 2^n. Returns nothing if a step has a condition, is no gate, or has a determinant whose
/// angle is not linear in the angles of the gate or has a constant other than a multiple of
/// pi/5040. Throws OverflowError if the sum does not fit 64-bit fractions.
[[nodiscard]] std::optional<Angle> determinant_phase(const std::vector<Step>& steps);

}  // namespace quartz::certify
