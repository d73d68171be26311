#pragma once

#include <cmath>
#include <complex>
#include <random>
#include <vector>

#include "quartz/circuit/gate.hpp"
#include "quartz/circuit/unitary.hpp"

/// Small dense matrices, row-major, as references in tests.
namespace quartz::testing {

using Matrix = std::vector<Complex>;

inline std::size_t dimension_of(const Matrix& matrix) {
  return static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(matrix.size()))));
}

/// Returns the largest difference of two entries.
inline double distance(const Matrix& a, const Matrix& b) {
  if (a.size() != b.size()) return INFINITY;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

inline Matrix product(const Matrix& a, const Matrix& b) {
  const std::size_t n = dimension_of(a);
  Matrix result(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = 0; j < n; ++j) result[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  }
  return result;
}

inline Matrix adjoint(const Matrix& a) {
  const std::size_t n = dimension_of(a);
  Matrix result(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) result[i * n + j] = std::conj(a[j * n + i]);
  }
  return result;
}

inline Matrix identity(std::size_t n) {
  Matrix result(n * n);
  for (std::size_t i = 0; i < n; ++i) result[i * n + i] = 1;
  return result;
}

inline Matrix times(Complex factor, Matrix matrix) {
  for (Complex& entry : matrix) entry *= factor;
  return matrix;
}

/// Returns e^{i phase} times the product of the operations.
inline Matrix unitary_with_phase(const std::vector<Operation>& operations, const Angle& phase,
                                 std::uint32_t qubits, const Bindings& bindings = {}) {
  return times(std::polar(1.0, phase.value(bindings)), unitary_of(operations, qubits, bindings));
}

/// Returns the gate on operands 0, 1, ... with its parameters' names as angles.
inline Operation symbolic_gate(const Gate& row) {
  Operation operation;
  operation.gate = row.kind;
  for (Qubit i = 0; i < row.qubits; ++i) operation.qubits.push_back(i);
  for (const std::string_view name : row.parameters) {
    operation.angles.push_back(Angle::symbol(std::string(name)));
  }
  return operation;
}

/// Returns a random value for every parameter of the gate.
inline Bindings random_bindings(const Gate& row, std::mt19937_64& random) {
  std::uniform_real_distribution<double> angles(-7, 7);
  Bindings bindings;
  for (const std::string_view name : row.parameters) {
    bindings.emplace(std::string(name), angles(random));
  }
  return bindings;
}

}  // namespace quartz::testing
