#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "algebra/goldilocks.hpp"
#include "fingerprint/field_point.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::classes {

using algebra::Goldilocks;

/// Largest number of qubits of a class table; a state then fills one cache line.
inline constexpr unsigned kTableQubits = 3;

/// The state U v for a circuit's unitary U and one fixed random vector v, in the Goldilocks field.
/// Qubit 0 is the least significant bit of an index.
struct alignas(64) FieldState {
  std::array<Goldilocks, 1U << kTableQubits> amplitudes;
  friend bool operator==(const FieldState&, const FieldState&) = default;
};

/// The scalar sqrt(2)^root * e^{i pi phase / 8}, stored as its exponents.
struct UnitScalar {
  int root = 0;
  int phase = 0;  ///< modulo 16

  UnitScalar& operator*=(const UnitScalar& other) {
    root += other.root;
    phase = (phase + other.phase) & 15;
    return *this;
  }
  [[nodiscard]] UnitScalar inverse() const { return {-root, -phase & 15}; }
  friend bool operator==(const UnitScalar&, const UnitScalar&) = default;
};

/// Powers of sqrt(2) and sixteenth roots of unity in the field.
class UnitScalars {
 public:
  static constexpr int kMaxRoot = 64;
  UnitScalars();
  [[nodiscard]] Goldilocks root(int exponent) const {
    return roots_[static_cast<std::size_t>(exponent) + std::size_t{kMaxRoot}];
  }
  [[nodiscard]] Goldilocks phase(int exponent) const {
    return phases_[static_cast<std::size_t>(exponent & 15)];
  }
  [[nodiscard]] Goldilocks value(const UnitScalar& scalar) const {
    return root(scalar.root) * phase(scalar.phase);
  }
  /// Returns the phase p for which value = phase(p), or -1 if there is none.
  [[nodiscard]] int phase_of(Goldilocks value) const {
    for (int i = 0; i < 16; ++i) {
      if (phases_[static_cast<std::size_t>(i)] == value) return i;
    }
    return -1;
  }

 private:
  std::array<Goldilocks, 2 * kMaxRoot + 1> roots_;
  std::array<Goldilocks, 16> phases_;
};

/// A gate on a FieldState, split into a scalar and a matrix that is cheap to apply. The first entry
/// of the matrix is 1 whenever the scalar has the form of a UnitScalar, so that a rotation
/// diag(1, e^{i angle}) and a Hadamard gate need few or no multiplications.
class LetterOperator {
 public:
  /// Constructs the identity.
  LetterOperator() = default;
  /// Constructs the operator of a 2^3 x 2^3 matrix on all qubits, in row-major order.
  LetterOperator(std::span<const Goldilocks> matrix, const UnitScalars& scalars);

  [[nodiscard]] const UnitScalar& scalar() const { return scalar_; }

  /// Multiplies the state by the matrix, without the scalar.
  void apply(FieldState& state) const {
    auto& a = state.amplitudes;
    switch (form_) {
      case Form::diagonal:
        for (std::uint8_t k = 0; k < count_; ++k) a[index_[k]] *= factor_[k];
        return;
      case Form::permutation:
        for (std::size_t k = 0; k < count_; ++k) std::swap(a[index_[2 * k]], a[index_[2 * k + 1]]);
        return;
      case Form::hadamard:
        for (std::size_t k = 0; k < a.size() / 2; ++k) {
          const Goldilocks x = a[index_[2 * k]];
          const Goldilocks y = a[index_[2 * k + 1]];
          a[index_[2 * k]] = x + y;
          a[index_[2 * k + 1]] = x - y;
        }
        return;
      case Form::one_qubit:
        for (std::size_t k = 0; k < a.size() / 2; ++k) {
          const Goldilocks x = a[index_[2 * k]];
          const Goldilocks y = a[index_[2 * k + 1]];
          a[index_[2 * k]] = x + factor_[0] * y;
          a[index_[2 * k + 1]] = factor_[1] * x + factor_[2] * y;
        }
        return;
      case Form::general:
        apply_general(state);
        return;
    }
  }

 private:
  enum class Form : std::uint8_t {
    diagonal,     ///< multiplies index_[k] by factor_[k]; factors of 1 are omitted
    permutation,  ///< swaps the pairs of index_, one after the other; a CNOT has two
    hadamard,     ///< ((1, 1), (1, -1)) on the pairs of index_
    one_qubit,    ///< ((1, f0), (f1, f2)) on the pairs of index_
    general,      ///< multiplies by matrix_
  };
  void apply_general(FieldState& state) const;
  [[nodiscard]] bool set_diagonal(std::span<const Goldilocks> matrix);
  [[nodiscard]] bool set_permutation(std::span<const Goldilocks> matrix);
  [[nodiscard]] bool set_one_qubit(std::span<const Goldilocks> matrix);

  Form form_ = Form::diagonal;
  std::uint8_t count_ = 0;
  std::array<std::uint8_t, std::size_t{2} << kTableQubits> index_{};
  std::array<Goldilocks, 1U << kTableQubits> factor_{};
  UnitScalar scalar_;
  std::vector<Goldilocks> matrix_;  ///< only for the general form
};

/// Returns the gate's matrix on three qubits at a point of the field, in row-major order.
[[nodiscard]] std::vector<Goldilocks> letter_matrix(const Operation& letter,
                                                    const fingerprint::FieldPoint& point);
/// Returns the matrix of the gate's inverse on three qubits at a point of the field.
[[nodiscard]] std::vector<Goldilocks> inverse_letter_matrix(const Operation& letter,
                                                            const fingerprint::FieldPoint& point);

}  // namespace quartz::classes
