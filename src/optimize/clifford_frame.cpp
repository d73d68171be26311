#include "optimize/clifford_frame.hpp"

#include <algorithm>

namespace quartz {

CliffordFrame::CliffordFrame(const PauliRows& paulis, std::uint32_t qubits)
    : paulis_(paulis), rows_(2 * std::size_t{qubits} * paulis.row_words()) {
  for (Qubit q = 0; q < qubits; ++q) {
    paulis_.set_x(x(q), q);
    paulis_.set_z(z(q), q);
  }
}

void CliffordFrame::pull_back(const LocalPauli& local, std::span<const Qubit> qubits,
                              PauliRows::Row row) const {
  bool is_first = true;
  const auto multiply = [&](PauliRows::ConstRow factor) {
    if (is_first) {
      std::copy(factor.begin(), factor.end(), row.begin());
    } else {
      paulis_.multiply(row, factor);
    }
    is_first = false;
  };
  // i^phase X^x Z^z: all the X factors stand left of all the Z factors.
  for (std::size_t j = 0; j < qubits.size(); ++j) {
    if (((local.x >> j) & 1U) != 0) multiply(x(qubits[j]));
  }
  for (std::size_t j = 0; j < qubits.size(); ++j) {
    if (((local.z >> j) & 1U) != 0) multiply(z(qubits[j]));
  }
  if (is_first) std::fill(row.begin(), row.end(), 0);
  paulis_.phase(row) = (paulis_.phase(row) + local.phase) % 4;
}

void CliffordFrame::append(const CliffordAction& action, std::span<const Qubit> qubits) {
  // All images are made of the rows as they were: into a place aside first. Most gates leave some
  // of the Paulis of their operands as they are.
  const std::size_t words = paulis_.row_words();
  images_.resize(2 * qubits.size() * words);
  const auto image = [&](std::size_t i) { return std::span(images_).subspan(i * words, words); };
  for (std::size_t j = 0; j < qubits.size(); ++j) {
    if (action.moves_x(j)) pull_back(action.x_images[j], qubits, image(2 * j));
    if (action.moves_z(j)) pull_back(action.z_images[j], qubits, image(2 * j + 1));
  }
  for (std::size_t j = 0; j < qubits.size(); ++j) {
    if (action.moves_x(j)) std::ranges::copy(image(2 * j), x(qubits[j]).begin());
    if (action.moves_z(j)) std::ranges::copy(image(2 * j + 1), z(qubits[j]).begin());
  }
}

}  // namespace quartz
