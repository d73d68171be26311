#pragma once

#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <catch2/catch.hpp>
#include <utility>

#include "quartz/approximation/one_qubit_product.hpp"

/// Distances with 100 digits.
namespace quartz::test {

using Real = boost::multiprecision::cpp_bin_float_100;

struct Complex {
  Real real = 0;
  Real imaginary = 0;
};

inline Complex operator+(const Complex& a, const Complex& b) {
  return {a.real + b.real, a.imaginary + b.imaginary};
}
inline Complex operator-(const Complex& a, const Complex& b) {
  return {a.real - b.real, a.imaginary - b.imaginary};
}
inline Complex operator*(const Complex& a, const Complex& b) {
  return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}
inline Real square(const Complex& a) { return a.real * a.real + a.imaginary * a.imaginary; }
inline Complex turn(const Real& angle) { return {cos(angle), sin(angle)}; }

inline Real real_value(const Angle& angle) {
  const auto value = [](const Rational& x) { return Real(x.numerator()) / Real(x.denominator()); };
  Real result = value(angle.pi_part()) * boost::math::constants::pi<Real>();
  return result + value(angle.radian_part());
}

using Matrix = std::array<Complex, 4>;

/// Returns e^{i pi eighths / 4} for 0 <= eighths < 8. Each is computed once, as that takes a
/// hundred times as long as a product.
inline const Complex& eighth_turns(std::size_t eighths) {
  static const std::array<Complex, 8> turns = [] {
    std::array<Complex, 8> result;
    for (unsigned i = 0; i < 8; ++i) result[i] = turn(i * boost::math::constants::pi<Real>() / 4);
    return result;
  }();
  return turns[eighths];
}

inline void apply(GateKind gate, Matrix& m) {
  static const Real root = sqrt(Real(2)) / 2;
  const auto turn_lower_row = [&](std::size_t eighths) {
    const Complex& factor = eighth_turns(eighths);
    m[2] = m[2] * factor;
    m[3] = m[3] * factor;
  };
  switch (gate) {
    case GateKind::t:
      return turn_lower_row(1);
    case GateKind::s:
      return turn_lower_row(2);
    case GateKind::z:
      return turn_lower_row(4);
    case GateKind::sdg:
      return turn_lower_row(6);
    case GateKind::tdg:
      return turn_lower_row(7);
    case GateKind::x:
      std::swap(m[0], m[2]);
      return std::swap(m[1], m[3]);
    case GateKind::h:
      m = {(m[0] + m[2]) * Complex{root, 0}, (m[1] + m[3]) * Complex{root, 0},
           (m[0] - m[2]) * Complex{root, 0}, (m[1] - m[3]) * Complex{root, 0}};
      return;
    default:
      FAIL("a gate outside of Clifford+T");
  }
}

inline void apply(const OneQubitFactor& factor, Matrix& m) {
  if (factor.gate != GateKind::rz) return apply(factor.gate, m);
  const Real half = real_value(factor.angle) / 2;
  m = {m[0] * turn(-half), m[1] * turn(-half), m[2] * turn(half), m[3] * turn(half)};
}

/// Returns the operator norm of e^{i phase} gates - product.
inline Real distance(const RotationApproximation& approximation, const OneQubitProduct& product) {
  Matrix m{Complex{1, 0}, {}, {}, Complex{1, 0}};
  for (const GateKind gate : approximation.gates) apply(gate, m);
  const Complex phase = turn(real_value(approximation.phase));
  Matrix exact{Complex{1, 0}, {}, {}, Complex{1, 0}};
  for (const OneQubitFactor& factor : product) apply(factor, exact);
  for (std::size_t i = 0; i < 4; ++i) m[i] = m[i] * phase - exact[i];
  const Real sum = square(m[0]) + square(m[1]) + square(m[2]) + square(m[3]);
  const Real determinant = square(m[0] * m[3] - m[1] * m[2]);
  const Real root = sum * sum - 4 * determinant;
  return sqrt((sum + (root > 0 ? sqrt(root) : Real(0))) / 2);
}

inline Real distance(const RotationApproximation& approximation, const Angle& angle) {
  return distance(approximation, OneQubitProduct{{GateKind::rz, angle}});
}

}  // namespace quartz::test
