#include "certify/simulation/operator_norm.hpp"

#include <array>
#include <cmath>
#include <utility>

namespace quartz::certify {
namespace {

using Matrix = std::vector<std::vector<std::complex<double>>>;

/// The Frobenius norm of a matrix of n columns is at most sqrt(n) times the operator norm. Each
/// squaring halves the logarithm of this factor.
int squarings_for(std::size_t columns) {
  constexpr std::size_t kFewColumns = 128;
  return columns <= kFewColumns ? 12 : 8;
}
/// Bounds the relative rounding errors: those of each squaring count half as much as those before,
/// and are below n (n + 3) roundings of the Frobenius norm, those of the Gram matrix below n (rows
/// + 3).
constexpr double kRounding = 1e-9;

/// Returns the sum of the products of the entries of two columns, the first of which is conjugated.
/// Four sums at a time do not wait for one another.
std::complex<double> product_of(const std::vector<std::complex<double>>& left,
                                const std::vector<std::complex<double>>& right) {
  std::array<double, 4> sums{};
  for (std::size_t k = 0; k < left.size(); ++k) {
    sums[0] += left[k].real() * right[k].real();
    sums[1] += left[k].imag() * right[k].imag();
    sums[2] += left[k].real() * right[k].imag();
    sums[3] += left[k].imag() * right[k].real();
  }
  return {sums[0] + sums[1], sums[2] - sums[3]};
}

/// Returns the products of the columns, divided by `divisor`.
Matrix gram_matrix(Matrix columns, double divisor) {
  for (auto& column : columns) {
    for (std::complex<double>& entry : column) entry /= divisor;
  }
  Matrix gram(columns.size(), std::vector<std::complex<double>>(columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const std::complex<double> product = product_of(columns[i], columns[j]);
      gram[i][j] = product;
      gram[j][i] = std::conj(product);
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

double seconds_of_norm_bound(std::size_t columns) {
  constexpr double kSecondsOfProduct = 2e-9;
  const auto n = static_cast<double>(columns);
  return kSecondsOfProduct * n * n * n / 2 * (squarings_for(columns) + 1);
}

double operator_norm_bound(const Matrix& columns) {
  const double size = frobenius_norm(columns);
  if (size == 0) return 0;
  // |D|^2 = |G| for G = D^dagger D, and |G|^(2^p) = |G^(2^p)| <= the Frobenius norm of G^(2^p). A
  // Hermitian matrix squared is the Gram matrix of its columns.
  Matrix power = gram_matrix(columns, size);
  double logarithm = 0;  // the logarithm of the bound on |G|
  double weight = 1;
  const int squarings = squarings_for(columns.size());
  for (int squaring = 0;; ++squaring) {
    const double norm = frobenius_norm(power);
    logarithm += weight * std::log(norm);
    if (squaring == squarings) break;
    power = gram_matrix(std::move(power), norm);
    weight /= 2;
  }
  return size * std::exp(logarithm / 2) * (1 + kRounding);
}

}  // namespace quartz::certify
