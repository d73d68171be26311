#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quartz/circuit/operation.hpp"

namespace quartz::verify {

/// Proves in exact arithmetic that two short circuits over a fixed alphabet of constant gates on at
/// most three qubits are equal. It is fast enough for a search that rewrites millions of windows
/// per second.
///
/// A unitary is sqrt(2)^-s e^{i pi f / 8} M with M over Z[w], w = e^{i pi/4}: an entry is four
/// 16-bit integers, a row of eight entries is four vectors of eight, and multiplying it by w
/// permutes the vectors. The entries of M are at most sqrt(2)^s in all four embeddings of the
/// field, and so are the integers; circuits with s up to kMaxScale therefore cannot overflow.
/// The prover shares no code with fingerprints.
class WindowProver {
 public:
  static constexpr unsigned kQubits = 3;
  static constexpr int kMaxScale = 26;

  /// Supports the letters without parameters that are over Z[w, 1/sqrt(2)] up to a phase of a
  /// multiple of pi/8. Accepts all others, but never proves circuits with them equal.
  explicit WindowProver(std::span<const Operation> letters);

  /// Returns whether all letters of a circuit are supported.
  [[nodiscard]] bool supports(std::span<const std::uint8_t> circuit) const;
  /// Returns whether unitary(left) = e^{i pi phase / 8} unitary(right). Returns false for circuits
  /// that are too long for 16 bits, or that contain letters that are not supported.
  [[nodiscard]] bool equal(std::span<const std::uint8_t> left, std::span<const std::uint8_t> right,
                           int phase) const;

 private:
  static constexpr std::size_t kDimension = std::size_t{1} << kQubits;
  /// Eight integers: one coefficient of all entries of a row.
  using Vector = std::int16_t __attribute__((vector_size(16)));
  struct Row {
    std::array<Vector, 4> coefficients;
  };
  struct Matrix {
    std::array<Row, kDimension> rows;
    int scale = 0;  ///< power of 1/sqrt(2)
    int phase = 0;  ///< in units of pi/8
  };
  /// sign * w^power times a row.
  struct Term {
    std::uint8_t column = 0;
    std::uint8_t power = 0;  ///< 0 to 7; w^4 = -1
  };
  struct Letter {
    bool is_supported = false;
    int scale = 0;
    int phase = 0;
    /// A row that changes; its terms are terms[begin] to terms[end - 1].
    struct NewRow {
      std::uint8_t row = 0;
      std::uint8_t begin = 0;
      std::uint8_t end = 0;
    };
    std::vector<NewRow> rows;
    std::vector<Term> terms;
  };

  /// Returns the letter of an operation without parameters.
  [[nodiscard]] static Letter exact_letter(const Operation& operation);
  [[nodiscard]] bool multiply(std::span<const std::uint8_t> circuit, Matrix& matrix) const;
  /// Computes sum += w^power row.
  static void add(Row& sum, const Row& row, unsigned power);
  template <unsigned power>
  static void add_turned(Row& sum, const Row& row);

  std::vector<Letter> letters_;
};

}  // namespace quartz::verify
