#pragma once

#include <cmath>
#include <vector>

namespace quartz::differential {

/// A complex number in extended precision. std::complex would test every product for infinities.
struct Complex {
  long double re = 0;
  long double im = 0;

  friend Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
  friend Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
  friend Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  Complex& operator+=(Complex other) { return *this = *this + other; }
};

[[nodiscard]] inline Complex conjugate(Complex a) { return {a.re, -a.im}; }
[[nodiscard]] inline long double squared_norm(Complex a) { return a.re * a.re + a.im * a.im; }
[[nodiscard]] inline Complex turned(long double angle) {
  return {std::cos(angle), std::sin(angle)};
}

/// A square matrix in rows. The first operand of a gate is the least significant bit of an index.
struct Matrix {
  std::size_t dimension = 1;
  std::vector<Complex> entries{{1, 0}};

  [[nodiscard]] Complex& at(std::size_t row, std::size_t column) {
    return entries[row * dimension + column];
  }
  [[nodiscard]] const Complex& at(std::size_t row, std::size_t column) const {
    return entries[row * dimension + column];
  }
};

}  // namespace quartz::differential
