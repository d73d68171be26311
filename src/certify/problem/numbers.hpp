#pragma once

#include <fmt/format.h>

#include <complex>
#include <string>

namespace quartz::certify {

/// Smallest difference of probabilities and amplitudes that counts; rounding is far below it.
inline constexpr double kVisibleDifference = 1e-8;

/// Returns a * b without the checks for infinities that std::complex must make.
template <typename Real>
[[nodiscard]] std::complex<Real> times(const std::complex<Real>& a, const std::complex<Real>& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

[[nodiscard]] inline std::string describe(const std::complex<double>& value) {
  return fmt::format("{:.9g}{:+.9g}i", value.real(), value.imag());
}

/// Suffix of a witness whose right amplitudes were divided by the phase found on the first input.
inline constexpr const char* kAlignedOnZero =
    " (global phases aligned on the input with all qubits 0)";

}  // namespace quartz::certify
