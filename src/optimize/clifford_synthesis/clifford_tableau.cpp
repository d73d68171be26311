#include "optimize/clifford_synthesis/clifford_tableau.hpp"

namespace quartz::optimizer {

CliffordTableau::CliffordTableau(std::span<const CliffordGate> gates, std::uint32_t qubits)
    : paulis_(qubits), qubits_(qubits), rows_(2 * std::size_t{qubits} * paulis_.row_words()) {
  for (std::uint32_t qubit = 0; qubit < qubits; ++qubit) {
    const std::size_t first = 2 * std::size_t{qubit} * paulis_.row_words();
    paulis_.set_x(std::span(rows_).subspan(first, paulis_.row_words()), qubit);
    paulis_.set_z(std::span(rows_).subspan(first + paulis_.row_words(), paulis_.row_words()),
                  qubit);
  }
  for (const CliffordGate& gate : gates) append(gate);
}

void CliffordTableau::append(const CliffordGate& gate) {
  for (std::size_t first = 0; first < rows_.size(); first += paulis_.row_words()) {
    push(std::span(rows_).subspan(first, paulis_.row_words()), gate);
  }
}

void CliffordTableau::push(PauliRows::Row row, const CliffordGate& gate) const {
  const std::uint64_t bit = std::uint64_t{1} << (gate.first % 64);
  std::uint64_t& x = row[gate.first / 64];
  std::uint64_t& z = row[words() + gate.first / 64];
  const bool has_x = (x & bit) != 0;
  const bool has_z = (z & bit) != 0;
  std::uint64_t turns = 0;  // quarter turns of the phase
  switch (gate.kind) {
    case CliffordKind::h:
      if (has_x != has_z) {
        x ^= bit;
        z ^= bit;
      }
      if (has_x && has_z) turns = 2;
      break;
    case CliffordKind::s:
      if (!has_x) break;
      if (gate.quarters % 2 != 0) z ^= bit;
      turns = gate.quarters;
      break;
    case CliffordKind::x:
      if (has_z) turns = 2;
      break;
    case CliffordKind::cx: {
      const std::uint64_t target = std::uint64_t{1} << (gate.second % 64);
      if (has_x) row[gate.second / 64] ^= target;
      if ((row[words() + gate.second / 64] & target) != 0) z ^= bit;
      break;
    }
  }
  paulis_.phase(row) = (paulis_.phase(row) + turns) % 4;
}

}  // namespace quartz::optimizer
