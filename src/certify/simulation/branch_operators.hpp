#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "certify/problem/classical.hpp"
#include "certify/problem/comparison.hpp"
#include "certify/problem/numbers.hpp"
#include "quartz/circuit/unitary.hpp"

/// The operators of the branches of a circuit, in double precision: what each sequence of outcomes
/// of its measurements and resets does to the input.
namespace quartz::certify {

/// A matrix as a state of the qubits of its rows and, above them, of those of its columns.
using MatrixState = std::vector<Complex>;

/// Largest relative error of one rounding.
inline constexpr double kRoundingUnit = std::numeric_limits<double>::epsilon() / 2;

/// Bounds the rounding errors, in the operator norm, of gates on an isometry with this number of
/// columns, all branches together.
[[nodiscard]] double rounding_of_gates(std::size_t gates, std::size_t columns);

/// Returns the matrix whose columns are the basis states of `inputs`, all other qubits in |0>; the
/// first input is the least significant bit of a column's number.
[[nodiscard]] MatrixState embedding(std::uint32_t qubit_count, std::span<const Qubit> inputs);

/// Applies an operation to the rows of a matrix if it is a gate. Throws OutOfBudget.
void apply_to_rows(const Operation& operation, MatrixState& state, const Budget& budget);

/// Follows all outcomes of measurements and resets, each of which acts on one qubit, from a matrix
/// whose rows are the states of the circuit's qubits. Calls `visit` with the operator of each
/// branch and the contents of the classical bits at its end. Returns the sum of the norms of the
/// operators that are too small to be followed. Throws OutOfBudget.
double follow_branches(const Circuit& circuit, MatrixState start, const Budget& budget,
                       const std::function<void(MatrixState&, const Bits&)>& visit);

/// Returns whether an angle of the circuit has a free parameter.
[[nodiscard]] bool has_free_parameters(const Circuit& circuit);

}  // namespace quartz::certify
