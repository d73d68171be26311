#pragma once

#include <Eigen/Core>
#include <cmath>
#include <complex>
#include <numbers>

#include "random_circuits.hpp"

namespace quartz::test {

/// Returns a number in [0, 1), the same on every machine.
inline double uniform(Random& random) {
  return static_cast<double>(random() >> 11) * std::ldexp(1.0, -53);
}

/// Returns a random unitary from the Haar measure: the Gram-Schmidt basis of a Gaussian matrix
/// (Mezzadri, math-ph/0609050).
template <int size>
Eigen::Matrix<std::complex<double>, size, size> random_unitary(Random& random) {
  Eigen::Matrix<std::complex<double>, size, size> gaussian;
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) {
      const double radius = std::sqrt(-2 * std::log(1 - uniform(random)));
      gaussian(i, j) = std::polar(radius, 2 * std::numbers::pi * uniform(random));
    }
  }
  for (int j = 0; j < size; ++j) {
    for (int round = 0; round < 2; ++round) {
      for (int k = 0; k < j; ++k) {
        const std::complex<double> overlap = gaussian.col(k).dot(gaussian.col(j));
        gaussian.col(j) -= overlap * gaussian.col(k);
      }
      gaussian.col(j).normalize();
    }
  }
  return gaussian;
}

}  // namespace quartz::test
