#include "certify/pauli/clifford_log.hpp"

#include <vector>

#include "certify/pauli/stabilizer_state.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::certify {
void CliffordLog::drop() {
  is_complete_ = false;
  entries_ = {};
}

std::optional<unsigned> CliffordLog::phase_of_identity(std::size_t wires,
                                                       const Budget& budget) const {
  if (!is_complete_) return std::nullopt;
  const double bytes = static_cast<double>(entries_.size() * sizeof(Entry));
  if (bytes + StabilizerState::bytes(wires) > budget.memory_bytes) return std::nullopt;
  StabilizerState state(wires);
  std::vector<Wire> operands;
  std::uint64_t look_at = 0;
  for (const Entry& entry : entries_) {
    const auto kind = static_cast<Kind>(entry.kind);
    operands.push_back(entry.wire);
    switch (kind) {
      case Kind::operand:
        continue;
      case Kind::hadamard:
        state.hadamard(entry.wire);
        break;
      case Kind::x:
        state.x(entry.wire);
        break;
      case Kind::cx:
        state.cx(operands[0], operands[1]);
        break;
      case Kind::swap:
        state.swap(operands[0], operands[1]);
        break;
      case Kind::rotate_z:
        state.rotate_z(operands, entry.quarters);
        break;
    }
    operands.clear();
    if (state.work() < look_at) continue;
    look_at = state.work() + kWordsBetweenChecks;
    if (budget.spent()) return std::nullopt;
  }
  const std::vector<std::uint64_t> all_zero((wires + 63) / 64, 0);
  const StabilizerState::Amplitude amplitude = state.amplitude(all_zero);
  ensure(!amplitude.is_zero && amplitude.roots == 0,
         "an operator that keeps every Pauli operator is a multiple of the identity");
  return amplitude.eighths;
}

}  // namespace quartz::certify
