#pragma once

#include <algorithm>
#include <complex>

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

}  // namespace quartz::test
