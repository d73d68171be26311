#include "fingerprint/field_gate.hpp"

#include "fingerprint/gate_matrix.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::fingerprint {
namespace {

/// Returns coefficient / sqrt(2)^power * e^{i exponent}.
Goldilocks value_of(const PhaseTerm& term, const FieldPoint& point) {
  Goldilocks value = point.phase(term.exponent);
  value *= Goldilocks::sqrt2().inverse().power(static_cast<std::uint64_t>(term.sqrt2_power));
  const int size = term.coefficient < 0 ? -term.coefficient : term.coefficient;
  value *= Goldilocks(static_cast<std::uint64_t>(size));
  return term.coefficient < 0 ? -value : value;
}

/// Returns the gate's own 2^k x 2^k matrix in row-major order.
std::vector<Goldilocks> dense_matrix(const Operation& operation, const FieldPoint& point) {
  const std::size_t dimension = gate(operation.gate).dimension();
  std::vector<Goldilocks> matrix(dimension * dimension);
  for (const MatrixEntry& entry : matrix_of(operation)) {
    Goldilocks& sum = matrix[entry.row * dimension + entry.column];
    for (const PhaseTerm& term : entry.terms) sum += value_of(term, point);
  }
  return matrix;
}

}  // namespace

FieldGate field_gate(const Operation& operation, unsigned qubits, const FieldPoint& point) {
  const std::vector<Goldilocks> matrix = dense_matrix(operation, point);
  const std::size_t dimension = gate(operation.gate).dimension();
  std::vector<std::uint32_t> offsets(dimension, 0);  // local index -> index on all qubits
  for (std::size_t local = 0; local < dimension; ++local) {
    for (std::size_t i = 0; i < operation.qubits.size(); ++i) {
      if (((local >> i) & 1U) != 0) offsets[local] |= std::uint32_t{1} << operation.qubits[i];
    }
  }
  const std::uint32_t mask = offsets.back();
  ensure(mask < (std::uint32_t{1} << qubits), "a gate lies within the circuit's qubits");

  FieldGate result;
  result.row_begin.push_back(0);
  for (std::uint32_t row = 0; row < (std::uint32_t{1} << qubits); ++row) {
    std::size_t local = 0;
    while (offsets[local] != (row & mask)) ++local;
    for (std::size_t column = 0; column < dimension; ++column) {
      const Goldilocks entry = matrix[local * dimension + column];
      if (entry.is_zero()) continue;
      result.columns.push_back((row & ~mask) | offsets[column]);
      result.entries.push_back(entry);
    }
    result.row_begin.push_back(static_cast<std::uint32_t>(result.entries.size()));
  }
  return result;
}

void apply(const FieldGate& gate, std::span<const Goldilocks> state, std::span<Goldilocks> result) {
  for (std::size_t row = 0; row < result.size(); ++row) {
    Goldilocks sum;
    for (std::uint32_t i = gate.row_begin[row]; i < gate.row_begin[row + 1]; ++i) {
      sum += gate.entries[i] * state[gate.columns[i]];
    }
    result[row] = sum;
  }
}

void apply_transposed(const FieldGate& gate, std::span<const Goldilocks> functional,
                      std::span<Goldilocks> result) {
  for (Goldilocks& value : result) value = Goldilocks();
  for (std::size_t row = 0; row < functional.size(); ++row) {
    for (std::uint32_t i = gate.row_begin[row]; i < gate.row_begin[row + 1]; ++i) {
      result[gate.columns[i]] += gate.entries[i] * functional[row];
    }
  }
}

}  // namespace quartz::fingerprint
