#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "certify/problem/problem.hpp"

/// Indices of basis states, and fusion of gates on one wire, for state vectors over any numbers.
namespace quartz::certify {

/// Spreads the bits of `index` so that the given positions, ascending, are 0.
[[nodiscard]] inline std::size_t insert_zeros(std::size_t index,
                                              std::span<const unsigned> positions) {
  for (const unsigned position : positions) {
    const std::size_t low = (std::size_t{1} << position) - 1;
    index = ((index & ~low) << 1) | (index & low);
  }
  return index;
}

/// Returns the bits of a local basis state at the positions of the wires.
[[nodiscard]] inline std::size_t offset_of(std::size_t local, std::span<const Wire> wires) {
  std::size_t offset = 0;
  for (std::size_t i = 0; i < wires.size(); ++i) {
    if (((local >> i) & 1U) != 0) offset |= std::size_t{1} << wires[i];
  }
  return offset;
}

/// The local basis states that a matrix changes.
struct ChangedStates {
  std::vector<std::size_t> states;  ///< ascending
  bool diagonal = true;             ///< whether the matrix is diagonal
};

/// Returns the states that a matrix changes. `matrix` is row-major, dimension x dimension.
template <typename Entry>
[[nodiscard]] ChangedStates changed_states(std::span<const Entry> matrix, std::size_t dimension,
                                           const Entry& one) {
  const Entry zero{};
  ChangedStates changed;
  for (std::size_t i = 0; i < dimension; ++i) {
    bool is_identity = matrix[i * dimension + i] == one;
    for (std::size_t j = 0; j < dimension; ++j) {
      if (j == i || (matrix[i * dimension + j] == zero && matrix[j * dimension + i] == zero)) {
        continue;
      }
      is_identity = false;
      changed.diagonal = false;
    }
    if (!is_identity) changed.states.push_back(i);
  }
  return changed;
}

/// Calls `emit(matrix, wires)` for the steps whose conditions hold, in an order that has the same
/// effect, with adjacent steps on a single wire replaced by their product. `matrix_of` returns an
/// operation's matrix; `sum_of_products(a, b, c, d)` returns ab + cd.
template <typename MatrixOf, typename SumOfProducts, typename Emit>
void emit_fused(const std::vector<Step>& steps, const std::vector<bool>& truth,
                const MatrixOf& matrix_of, const SumOfProducts& sum_of_products, const Emit& emit) {
  using Matrix = decltype(matrix_of(steps.front().operation));
  std::map<Wire, Matrix> pending;  // products on one wire that have not been emitted
  const auto flush = [&](Wire wire) {
    const auto found = pending.find(wire);
    if (found == pending.end()) return;
    emit(found->second, std::span<const Wire>(&wire, 1));
    pending.erase(found);
  };
  for (const Step& step : steps) {
    if (step.condition.has_value() && !truth[*step.condition]) continue;
    const Matrix matrix = matrix_of(step.operation);
    const std::span<const Wire> wires(step.operation.qubits.data(), step.operation.qubits.size());
    if (wires.size() != 1) {
      for (const Wire wire : wires) flush(wire);
      emit(matrix, wires);
      continue;
    }
    const auto [found, is_new] = pending.try_emplace(wires[0], matrix);
    if (is_new) continue;
    const Matrix before = found->second;
    for (std::size_t row = 0; row < 2; ++row) {
      for (std::size_t column = 0; column < 2; ++column) {
        found->second[2 * row + column] = sum_of_products(matrix[2 * row], before[column],
                                                          matrix[2 * row + 1], before[2 + column]);
      }
    }
  }
  while (!pending.empty()) flush(pending.begin()->first);
}

}  // namespace quartz::certify
