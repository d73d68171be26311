#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <random>
#include <vector>

#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/unitary.hpp"

namespace quartz::test {

/// Returns the largest difference of two circuits' unitaries, global phases included.
inline double unitary_distance(const Circuit& a, const Circuit& b, const Bindings& bindings = {}) {
  const std::vector<Complex> left = unitary_of(a.operations, a.qubit_count(), bindings);
  const std::vector<Complex> right = unitary_of(b.operations, b.qubit_count(), bindings);
  const Complex left_phase = std::polar(1.0, a.global_phase.value(bindings));
  const Complex right_phase = std::polar(1.0, b.global_phase.value(bindings));
  double largest = left.size() == right.size() ? 0.0 : 1e9;
  for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
    largest = std::max(largest, std::abs(left_phase * left[i] - right_phase * right[i]));
  }
  return largest;
}

/// Returns the distance between what two circuits make of a random state. Its square is on average
/// the sum of all squared differences between the unitaries, global phases included. On many
/// qubits, this takes a fraction of the time of unitary_distance(), and finds the same circuits
/// different.
inline double random_state_distance(const Circuit& a, const Circuit& b, std::uint64_t seed) {
  if (a.qubit_count() != b.qubit_count()) return 1e9;
  const std::size_t size = std::size_t{1} << a.qubit_count();
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, std::sqrt(0.5));
  std::vector<Complex> left(size);
  for (Complex& amplitude : left) amplitude = {normal(random), normal(random)};
  std::vector<Complex> right = left;
  for (const Operation& operation : a.operations) apply_gate(operation, left);
  for (const Operation& operation : b.operations) apply_gate(operation, right);
  const Complex left_phase = std::polar(1.0, a.global_phase.value());
  const Complex right_phase = std::polar(1.0, b.global_phase.value());
  double squares = 0;
  for (std::size_t i = 0; i < size; ++i) {
    squares += std::norm(left_phase * left[i] - right_phase * right[i]);
  }
  return std::sqrt(squares);
}

}  // namespace quartz::test
