#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "certify/pauli/affine_map.hpp"
#include "certify/problem/problem.hpp"

namespace quartz::certify {

/// The operator i^phase X^x Z^z on many wires: words with the bits of x, words with the bits of z,
/// and a word with the phase modulo 4.
using PauliRow = std::span<std::uint64_t>;
using ConstPauliRow = std::span<const std::uint64_t>;

/// C^dagger X_w C and C^dagger Z_w C for each wire w and a Clifford operator C to which gates are
/// appended (Aaronson and Gottesman, arXiv quant-ph/0406196).
class PauliTableau {
 public:
  explicit PauliTableau(std::size_t wires);

  /// Returns the size of a tableau for this number of wires.
  [[nodiscard]] static double bytes(std::size_t wires);

  [[nodiscard]] std::size_t wires() const { return rows_.size() / (2 * row_words()); }
  [[nodiscard]] std::size_t row_words() const { return 2 * words_ + 1; }
  [[nodiscard]] PauliRow x(Wire wire) { return row(2 * std::size_t{wire}); }
  [[nodiscard]] PauliRow z(Wire wire) { return row(2 * std::size_t{wire} + 1); }
  [[nodiscard]] std::uint64_t& phase(PauliRow row) const { return row[2 * words_]; }
  [[nodiscard]] std::uint64_t phase(ConstPauliRow row) const { return row[2 * words_]; }

  /// Appends a map of the basis states of some wires. Takes row_words() operations for each of its
  /// rows.
  void append(const AffineMap& map, std::span<const Wire> wires);
  /// Appends e^{-i quarters pi/4 Z...Z} on those wires whose bits are set in `operands`; `axis` is
  /// the product of their rows z.
  void append_turn(unsigned operands, unsigned quarters, std::span<const Wire> wires,
                   ConstPauliRow axis);

  /// Replaces C by C e^{-i quarters pi/4 P} for a Hermitian operator P.
  void prepend_turn(unsigned quarters, ConstPauliRow axis);

  /// Replaces left by left * right.
  void multiply(PauliRow left, ConstPauliRow right) const;
  /// Tells whether two operators are equal up to the phase, and whether they commute.
  struct Relation {
    bool same = false;
    bool commute = false;
  };
  [[nodiscard]] Relation relation(ConstPauliRow left, ConstPauliRow right) const {
    std::uint64_t difference = 0;
    std::uint64_t passed = 0;
    for (std::size_t i = 0; i < words_; ++i) {
      difference |= (left[i] ^ right[i]) | (left[words_ + i] ^ right[words_ + i]);
      passed ^= (left[i] & right[words_ + i]) ^ (left[words_ + i] & right[i]);
    }
    return {difference == 0, __builtin_parityll(passed) == 0};
  }
  /// Returns whether C is the identity up to a phase.
  [[nodiscard]] bool is_identity() const;

 private:
  [[nodiscard]] PauliRow row(std::size_t index) {
    return std::span(rows_).subspan(index * row_words(), row_words());
  }

  std::size_t words_;
  std::vector<std::uint64_t> rows_;
  std::vector<std::uint64_t> images_;
};

}  // namespace quartz::certify
