#include "optimize/cancellation/gate_operators.hpp"

namespace quartz::optimizer {
namespace {

GateOperators controlled(const LocalPauli& target) {
  constexpr LocalPauli kControl{0, 1, 0};
  return {2, {kControl, target}};
}

}  // namespace

std::optional<GateOperators> gate_operators(GateKind kind) {
  switch (kind) {
    case GateKind::cx:
      return controlled({2, 0, 0});
    case GateKind::cy:
      return controlled({2, 2, 1});
    case GateKind::cz:
      return controlled({0, 2, 0});
    default:
      break;
  }
  const PauliRotation* const rotation = pauli_rotation_of(kind);
  if (rotation == nullptr) return std::nullopt;
  return GateOperators{1, {rotation->axis}};
}

}  // namespace quartz::optimizer
