#include "quartz/circuit/unitary.hpp"

#include <cmath>

#include "quartz/circuit/gate.hpp"
#include "quartz/errors.hpp"

namespace quartz {

std::vector<Complex> unitary_of(const Operation& operation, const Bindings& bindings) {
  const Gate& row = gate(operation.gate);
  Bindings own;
  for (std::size_t i = 0; i < row.parameters.size(); ++i) {
    own.emplace(row.parameters[i], operation.angles[i].value(bindings));
  }
  std::vector<Complex> matrix(std::size_t{row.dimension()} * row.dimension());
  for (const MatrixEntry& entry : row.matrix) {
    Complex sum = 0;
    for (const PhaseTerm& term : entry.terms) {
      sum += std::polar(std::pow(2.0, -0.5 * term.sqrt2_power), term.exponent.value(own)) *
             static_cast<double>(term.coefficient);
    }
    matrix[std::size_t{entry.row} * row.dimension() + entry.column] = sum;
  }
  return matrix;
}

void apply(const Operation& operation, std::span<Complex> state, const Bindings& bindings) {
  if (operation.is_wall()) throw UsageError("only gates have a unitary");
  const std::vector<Complex> matrix = unitary_of(operation, bindings);
  const std::size_t dimension = std::size_t{1} << operation.qubits.size();
  std::vector<std::size_t> offsets(dimension, 0);
  std::size_t mask = 0;
  for (std::size_t i = 0; i < operation.qubits.size(); ++i) {
    const std::size_t bit = std::size_t{1} << operation.qubits[i];
    mask |= bit;
    for (std::size_t local = 0; local < dimension; ++local) {
      if (((local >> i) & 1U) != 0) offsets[local] |= bit;
    }
  }
  std::vector<Complex> before(dimension);
  for (std::size_t base = 0; base < state.size(); ++base) {
    if ((base & mask) != 0) continue;
    for (std::size_t i = 0; i < dimension; ++i) before[i] = state[base | offsets[i]];
    for (std::size_t i = 0; i < dimension; ++i) {
      Complex sum = 0;
      for (std::size_t j = 0; j < dimension; ++j) sum += matrix[i * dimension + j] * before[j];
      state[base | offsets[i]] = sum;
    }
  }
}

std::vector<Complex> unitary_of(std::span<const Operation> operations, std::uint32_t qubits,
                                const Bindings& bindings) {
  if (qubits > 14) throw UsageError("a dense unitary of more than 14 qubits does not fit");
  const std::size_t dimension = std::size_t{1} << qubits;
  std::vector<Complex> matrix(dimension * dimension);
  std::vector<Complex> column(dimension);
  for (std::size_t c = 0; c < dimension; ++c) {
    std::fill(column.begin(), column.end(), Complex(0));
    column[c] = 1;
    for (const Operation& operation : operations) apply(operation, column, bindings);
    for (std::size_t r = 0; r < dimension; ++r) matrix[r * dimension + c] = column[r];
  }
  return matrix;
}

}  // namespace quartz
