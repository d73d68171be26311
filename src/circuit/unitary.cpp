#include "quartz/circuit/unitary.hpp"

#include <cmath>
#include <utility>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz {

std::vector<Complex> unitary_of(const Operation& operation, const Bindings& bindings) {
  const Gate& row = gate(operation.gate);
  Bindings own;
  for (std::size_t i = 0; i < row.parameters.size(); ++i) {
    // Exponents are multiples of 1/2 of the parameters, so a matrix has period 4 pi in each
    // parameter.
    own.emplace(row.parameters[i], operation.angles[i].value_modulo(4, bindings));
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

namespace {

/// A gate's matrix, and the positions of its amplitudes in a state vector.
struct PlacedMatrix {
  std::vector<Complex> matrix;
  std::vector<std::size_t> offsets;  ///< one for each basis state of the gate's qubits
  std::size_t mask = 0;              ///< the bits of the gate's qubits
};

PlacedMatrix placed_matrix(const Operation& operation, const Bindings& bindings) {
  if (operation.is_boundary()) throw UsageError("only gates have a unitary");
  PlacedMatrix placed;
  placed.matrix = unitary_of(operation, bindings);
  placed.offsets.assign(std::size_t{1} << operation.qubits.size(), 0);
  for (std::size_t i = 0; i < operation.qubits.size(); ++i) {
    const std::size_t bit = std::size_t{1} << operation.qubits[i];
    placed.mask |= bit;
    for (std::size_t local = 0; local < placed.offsets.size(); ++local) {
      if (((local >> i) & 1U) != 0) placed.offsets[local] |= bit;
    }
  }
  return placed;
}

void apply_placed(const PlacedMatrix& gate, std::span<Complex> state) {
  const std::size_t dimension = gate.offsets.size();
  std::vector<Complex> before(dimension);
  for (std::size_t base = 0; base < state.size(); ++base) {
    if ((base & gate.mask) != 0) continue;
    for (std::size_t i = 0; i < dimension; ++i) before[i] = state[base | gate.offsets[i]];
    for (std::size_t i = 0; i < dimension; ++i) {
      Complex sum = 0;
      for (std::size_t j = 0; j < dimension; ++j) {
        sum += gate.matrix[i * dimension + j] * before[j];
      }
      state[base | gate.offsets[i]] = sum;
    }
  }
}

}  // namespace

void apply_gate(const Operation& operation, std::span<Complex> state, const Bindings& bindings) {
  apply_placed(placed_matrix(operation, bindings), state);
}

std::vector<Complex> unitary_of(std::span<const Operation> operations, std::uint32_t qubits,
                                const Bindings& bindings) {
  if (qubits > 14) throw UsageError("a dense unitary of more than 14 qubits does not fit");
  const std::size_t dimension = std::size_t{1} << qubits;
  // Row r of the transpose is the image of basis state r, which is contiguous in this layout.
  std::vector<Complex> transpose(dimension * dimension);
  for (std::size_t i = 0; i < dimension; ++i) transpose[i * dimension + i] = 1;
  for (const Operation& operation : operations) {
    const PlacedMatrix gate = placed_matrix(operation, bindings);
    for (std::size_t i = 0; i < dimension; ++i) {
      apply_placed(gate, std::span(transpose).subspan(i * dimension, dimension));
    }
  }
  for (std::size_t row = 0; row < dimension; ++row) {
    for (std::size_t column = row + 1; column < dimension; ++column) {
      std::swap(transpose[row * dimension + column], transpose[column * dimension + row]);
    }
  }
  return transpose;
}

}  // namespace quartz
