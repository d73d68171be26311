#include "certify/simulation/operator_norm.hpp"

#include <cmath>

namespace quartz::certify {
namespace {

using Matrix = std::vector<std::vector<std::complex<double>>>;

/// The Frobenius norm of a matrix of n columns is at most sqrt(n) times the operator norm. Each
/// squaring halves the logarithm of this factor.
constexpr int kSquarings = 12;
/// Bounds the relative rounding errors: those of each squaring count half as much as those before,
/// and are below n (n + 3) roundings of the Frobenius norm, those of the Gram matrix below n (rows
/// + 3).
constexpr double kRounding = 1e-9;

/// Returns the products of the columns, divided by `divisor`.
Matrix gram_matrix(const Matrix& columns, double divisor) {
  Matrix gram(columns.size(), std::vector<std::complex<double>>(columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      std::complex<double> sum = 0;
      for (std::size_t k = 0; k < columns[i].size(); ++k) {
        sum += std::conj(columns[i][k] / divisor) * (columns[j][k] / divisor);
      }
      gram[i][j] = sum;
      gram[j][i] = std::conj(sum);
    }
  }
  return gram;
}

double frobenius_norm(const Matrix& matrix) {
  double sum = 0;
  for (const auto& column : matrix) {
    for (const std::complex<double>& entry : column) sum += std::norm(entry);
  }
  return std::sqrt(sum);
}

}  // namespace

double operator_norm_bound(const Matrix& columns) {
  const double size = frobenius_norm(columns);
  if (size == 0) return 0;
  // |D|^2 = |G| for G = D^dagger D, and |G|^(2^p) = |G^(2^p)| <= the Frobenius norm of G^(2^p). A
  // Hermitian matrix squared is the Gram matrix of its columns.
  Matrix power = gram_matrix(columns, size);
  double logarithm = 0;  // the logarithm of the bound on |G|
  double weight = 1;
  for (int squaring = 0;; ++squaring) {
    const double norm = frobenius_norm(power);
    logarithm += weight * std::log(norm);
    if (squaring == kSquarings) break;
    power = gram_matrix(power, norm);
    weight /= 2;
  }
  return size * std::exp(logarithm / 2) * (1 + kRounding);
}

}  // namespace quartz::certify
