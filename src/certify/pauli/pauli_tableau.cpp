#include "certify/pauli/pauli_tableau.hpp"

namespace quartz::certify {

PauliTableau::PauliTableau(std::size_t wires)
    : words_((wires + 63) / 64), rows_(2 * wires * row_words(), 0) {
  for (Wire wire = 0; wire < wires; ++wire) {
    x(wire)[wire / 64] |= std::uint64_t{1} << (wire % 64);
    z(wire)[words_ + wire / 64] |= std::uint64_t{1} << (wire % 64);
  }
}

void PauliTableau::multiply(PauliRow left, ConstPauliRow right) const {
  // Z^z X^x = (-1)^(z . x) X^x Z^z.
  std::uint64_t passed = 0;
  for (std::size_t i = 0; i < words_; ++i) {
    passed ^= left[words_ + i] & right[i];
    left[i] ^= right[i];
    left[words_ + i] ^= right[words_ + i];
  }
  const auto sign = static_cast<std::uint64_t>(__builtin_parityll(passed));
  phase(left) = (phase(left) + phase(right) + 2 * sign) % 4;
}

bool PauliTableau::is_identity() const {
  for (std::size_t index = 0; index * row_words() < rows_.size(); ++index) {
    const Wire wire = static_cast<Wire>(index / 2);
    const std::size_t own = (index % 2 == 0 ? 0 : words_) + wire / 64;
    for (std::size_t i = 0; i < row_words(); ++i) {
      const std::uint64_t expected = i == own ? std::uint64_t{1} << (wire % 64) : 0;
      if (rows_[index * row_words() + i] != expected) return false;
    }
  }
  return true;
}

double PauliTableau::bytes(std::size_t wires) {
  const auto words = static_cast<double>((wires + 63) / 64);
  return 2 * static_cast<double>(wires) * (2 * words + 1) * sizeof(std::uint64_t);
}

}  // namespace quartz::certify
