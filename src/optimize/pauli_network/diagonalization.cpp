#include "optimize/pauli_network/diagonalization.hpp"

#include <bit>
#include <cstdint>
#include <utility>

namespace quartz::optimizer {

Diagonalization::Diagonalization(std::vector<PauliString> axes) : axes_(std::move(axes)) {}

void Diagonalization::append(const CliffordGate& gate) {
  gates_.push_back(gate);
  for (PauliString& axis : axes_) axis = pushed(axis, gate);
}

bool Diagonalization::make_diagonal(std::size_t index) {
  if (axes_[index].x == 0) return false;
  const auto pivot = static_cast<std::uint32_t>(std::countr_zero(axes_[index].x));
  for (std::uint64_t rest = axes_[index].x & ~bit_of(pivot); rest != 0; rest &= rest - 1) {
    append({CliffordKind::cx, pivot, static_cast<std::uint32_t>(std::countr_zero(rest))});
  }
  if ((axes_[index].z & bit_of(pivot)) != 0) append({CliffordKind::s, pivot, 0, 3});
  append({CliffordKind::h, pivot});
  return true;
}

std::vector<CliffordGate> inverse_gates(std::span<const CliffordGate> gates) {
  std::vector<CliffordGate> inverse(gates.rbegin(), gates.rend());
  for (CliffordGate& gate : inverse) {
    if (gate.kind == CliffordKind::s) gate.quarters = 4 - gate.quarters;
  }
  return inverse;
}

}  // namespace quartz::optimizer
