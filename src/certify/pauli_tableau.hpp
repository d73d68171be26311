#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "certify/problem.hpp"

namespace quartz::certify {

/// i^phase X^x Z^z over many wires: words of the bits of x, then of z, then the phase modulo 4.
using PauliRow = std::span<std::uint64_t>;
using ConstPauliRow = std::span<const std::uint64_t>;

/// C^dagger X_w C and C^dagger Z_w C of each wire, for a Clifford operator C (Aaronson and
/// Gottesman, arXiv quant-ph/0406196): which gates are appended to.
class PauliTableau {
 public:
  explicit PauliTableau(std::size_t wires);

  /// Of a tableau for so many wires.
  [[nodiscard]] static double bytes(std::size_t wires);

  [[nodiscard]] std::size_t row_words() const { return 2 * words_ + 1; }
  [[nodiscard]] PauliRow x(Wire wire) { return row(2 * std::size_t{wire}); }
  [[nodiscard]] PauliRow z(Wire wire) { return row(2 * std::size_t{wire} + 1); }
  [[nodiscard]] std::uint64_t& phase(PauliRow row) const { return row[2 * words_]; }
  [[nodiscard]] std::uint64_t phase(ConstPauliRow row) const { return row[2 * words_]; }

  /// left := left * right.
  void multiply(PauliRow left, ConstPauliRow right) const;
  /// Whether two operators are one up to the phase, and whether they commute.
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
  /// Whether C is the identity up to a phase.
  [[nodiscard]] bool is_identity() const;

 private:
  [[nodiscard]] PauliRow row(std::size_t index) {
    return std::span(rows_).subspan(index * row_words(), row_words());
  }

  std::size_t words_;
  std::vector<std::uint64_t> rows_;
};

}  // namespace quartz::certify
