#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace quartz::optimizer {

/// Returns a bit of a row of words.
[[nodiscard]] inline bool has_bit(std::span<const std::uint64_t> words, std::size_t bit) {
  return (words[bit / 64] >> (bit % 64) & 1U) != 0;
}

/// Arithmetic on Pauli operators i^phase X^x Z^z on many qubits. An operator is a row of 64-bit
/// words in memory of the caller: the bits of x, those of z, and the phase, a power of i modulo 4.
/// An operator therefore needs no allocation.
class PauliRows {
 public:
  explicit PauliRows(std::uint32_t qubits) : words_((qubits + 63) / 64) {}

  using Row = std::span<std::uint64_t>;
  /// A row with or without the phase.
  using ConstRow = std::span<const std::uint64_t>;

  /// Returns the number of words of x and z together.
  [[nodiscard]] std::size_t bit_words() const { return 2 * words_; }
  [[nodiscard]] std::size_t row_words() const { return 2 * words_ + 1; }
  [[nodiscard]] ConstRow bits(ConstRow row) const { return row.first(bit_words()); }
  [[nodiscard]] std::uint64_t& phase(Row row) const { return row[2 * words_]; }
  [[nodiscard]] std::uint64_t phase(ConstRow row) const { return row[2 * words_]; }

  void set_x(Row row, std::uint32_t qubit) const { row[qubit / 64] |= bit_of(qubit); }
  void set_z(Row row, std::uint32_t qubit) const { row[words_ + qubit / 64] |= bit_of(qubit); }

  /// Computes left := left * right.
  void multiply(Row left, ConstRow right) const {
    // Z^z1 X^x2 = (-1)^(z1 . x2) X^x2 Z^z1.
    std::uint64_t crossing = 0;
    for (std::size_t i = 0; i < words_; ++i) {
      crossing ^= left[words_ + i] & right[i];
      left[i] ^= right[i];
      left[words_ + i] ^= right[words_ + i];
    }
    const auto parity = static_cast<std::uint64_t>(__builtin_parityll(crossing));
    phase(left) = (phase(left) + phase(right) + 2 * parity) % 4;
  }

  [[nodiscard]] bool anticommute(ConstRow left, ConstRow right) const {
    std::uint64_t crossing = 0;
    for (std::size_t i = 0; i < words_; ++i) {
      crossing ^= (left[i] & right[words_ + i]) ^ (left[words_ + i] & right[i]);
    }
    return __builtin_parityll(crossing) != 0;
  }

 private:
  static std::uint64_t bit_of(std::uint32_t qubit) { return std::uint64_t{1} << (qubit % 64); }

  std::size_t words_;
};

}  // namespace quartz::optimizer
