#include "optimize/pauli/clifford_frame.hpp"

#include <algorithm>
#include <bit>

namespace quartz::optimizer {

CliffordFrame::CliffordFrame(const PauliRows& paulis, std::uint32_t qubits)
    : paulis_(paulis), rows_(2 * std::size_t{qubits} * paulis.row_words()) {
  for (Qubit q = 0; q < qubits; ++q) {
    paulis_.set_x(row_of(2 * std::size_t{q}), q);
    paulis_.set_z(row_of(2 * std::size_t{q} + 1), q);
  }
}

PauliRows::ConstRow CliffordFrame::pull_back(const LocalPauli& local,
                                             std::span<const Qubit> qubits) {
  // This is the common case: the axis of most rotations is one of the rows.
  if (local.phase == 0 && std::popcount(local.x) + std::popcount(local.z) == 1) {
    const auto operand = static_cast<std::size_t>(std::countr_zero(local.x | local.z));
    return operand_row(2 * operand + (local.z != 0 ? 1 : 0), qubits);
  }
  images_.assign(paulis_.row_words(), 0);
  const PauliRows::Row row(images_);
  paulis_.phase(row) = local.phase % 4;
  // In i^phase X^x Z^z all X factors precede all Z factors.
  for (std::size_t j = 0; j < qubits.size(); ++j) {
    if (((local.x >> j) & 1U) != 0) paulis_.multiply(row, operand_row(2 * j, qubits));
  }
  for (std::size_t j = 0; j < qubits.size(); ++j) {
    if (((local.z >> j) & 1U) != 0) paulis_.multiply(row, operand_row(2 * j + 1, qubits));
  }
  return row;
}

void CliffordFrame::append(const PauliAction& action, std::span<const Qubit> qubits) {
  if (action.in_place) {
    for (const PauliAction::Update& update : action.updates) {
      const PauliRows::Row target = operand_row(update.target, qubits);
      paulis_.phase(target) = (paulis_.phase(target) + update.phase) % 4;
      for (std::size_t i = 1; i < update.factor_count; ++i) {
        paulis_.multiply(target, operand_row(update.factors[i], qubits));
      }
    }
    return;
  }
  if (action.is_swap) {
    std::ranges::swap_ranges(operand_row(action.updates[0].target, qubits),
                             operand_row(action.updates[1].target, qubits));
    return;
  }
  const std::size_t words = paulis_.row_words();
  images_.assign(action.updates.size() * words, 0);
  const auto image = [&](std::size_t i) { return std::span(images_).subspan(i * words, words); };
  for (std::size_t i = 0; i < action.updates.size(); ++i) {
    const PauliAction::Update& update = action.updates[i];
    paulis_.phase(image(i)) = update.phase;
    for (std::size_t k = 0; k < update.factor_count; ++k) {
      paulis_.multiply(image(i), operand_row(update.factors[k], qubits));
    }
  }
  for (std::size_t i = 0; i < action.updates.size(); ++i) {
    std::ranges::copy(image(i), operand_row(action.updates[i].target, qubits).begin());
  }
}

}  // namespace quartz::optimizer
