#pragma once

#include <cstddef>

#include "algebra/goldilocks.hpp"

/// The inner loop of every backend, with identical results on host and device.
namespace quartz::classes {

using algebra::Goldilocks;

/// The key of an extension as a numerator and a denominator, before the division.
struct KeyQuotient {
  Goldilocks numerator;
  Goldilocks denominator;
};

/// Applies both functionals (2 * dimension elements) of a letter to a state. Dimension 0 means that
/// the dimension is known only at run time.
template <std::size_t Dimension>
[[nodiscard]] QUARTZ_HOST_DEVICE inline KeyQuotient extension_quotient(
    const Goldilocks* state, const Goldilocks* functionals, std::size_t run_time_dimension) {
  const std::size_t dimension = Dimension != 0 ? Dimension : run_time_dimension;
  algebra::GoldilocksSum numerator;
  algebra::GoldilocksSum denominator;
  for (std::size_t i = 0; i < dimension; ++i) {
    numerator.add_product(state[i], functionals[i]);
    denominator.add_product(state[i], functionals[dimension + i]);
  }
  return {numerator.value(), denominator.value()};
}

}  // namespace quartz::classes
