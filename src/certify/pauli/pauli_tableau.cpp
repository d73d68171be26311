#include "certify/pauli/pauli_tableau.hpp"

#include <algorithm>

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

void PauliTableau::append(const AffineMap& map, std::span<const Wire> wires) {
  const std::size_t words = row_words();
  images_.assign(map.rows.size() * words, 0);
  const auto image = [&](std::size_t i) { return std::span(images_).subspan(i * words, words); };
  for (std::size_t i = 0; i < map.rows.size(); ++i) {
    const AffineMap::Row& row = map.rows[i];
    if (row.negative) phase(image(i)) = 2;
    for (unsigned j = 0; row.factors >> j != 0; ++j) {
      if ((row.factors >> j & 1U) == 0) continue;
      multiply(image(i), row.is_x ? x(wires[j]) : z(wires[j]));
    }
  }
  for (std::size_t i = 0; i < map.rows.size(); ++i) {
    const AffineMap::Row& row = map.rows[i];
    const Wire target = wires[row.operand];
    std::ranges::copy(image(i), (row.is_x ? x(target) : z(target)).begin());
  }
}

void PauliTableau::append_turn(unsigned operands, unsigned quarters, std::span<const Wire> wires,
                               ConstPauliRow axis) {
  // Only the operators X of the operands do not commute with Z...Z.
  for (unsigned i = 0; operands >> i != 0; ++i) {
    if ((operands >> i & 1U) == 0) continue;
    const PauliRow row = x(wires[i]);
    // A becomes A (-i P) for a quarter turn, -A for two, A (i P) for three.
    if (quarters % 2 == 1) multiply(row, axis);
    phase(row) = (phase(row) + 4 - quarters) % 4;
  }
}

void PauliTableau::prepend_turn(unsigned quarters, ConstPauliRow axis) {
  for (std::size_t index = 0; index * row_words() < rows_.size(); ++index) {
    const PauliRow changed = row(index);
    if (relation(changed, axis).commute) continue;
    if (quarters % 2 == 1) multiply(changed, axis);
    phase(changed) = (phase(changed) + 4 - quarters) % 4;
  }
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
