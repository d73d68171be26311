#include <catch2/catch.hpp>
#include <cmath>

#include "base/random.hpp"
#include "certify/simulation/operator_norm.hpp"

namespace quartz::certify {
namespace {

using Columns = std::vector<std::vector<std::complex<double>>>;

std::vector<std::complex<double>> random_vector(FastRandom& random, std::size_t size) {
  std::vector<std::complex<double>> vector;
  for (std::size_t i = 0; i < size; ++i) {
    vector.emplace_back(random.unit() - 0.5, random.unit() - 0.5);
  }
  return vector;
}

double norm(const std::vector<std::complex<double>>& vector) {
  double sum = 0;
  for (const std::complex<double>& entry : vector) sum += std::norm(entry);
  return std::sqrt(sum);
}

/// Returns |D x| / |x|.
double stretch(const Columns& columns, const std::vector<std::complex<double>>& x) {
  std::vector<std::complex<double>> image(columns.front().size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    for (std::size_t i = 0; i < image.size(); ++i) image[i] += columns[j][i] * x[j];
  }
  return norm(image) / norm(x);
}

}  // namespace

TEST_CASE("the bound on an operator norm is close to it", "[operator_norm]") {
  CHECK(operator_norm_bound({{0, 0}, {0, 0}}) == 0);
  CHECK(operator_norm_bound({{3e-9, 0}, {0, 3e-9}}) == Approx(3e-9).epsilon(2e-4));
  CHECK(operator_norm_bound({{0, 1}, {0.5, 0}}) == Approx(1).epsilon(1e-8));
  // All entries 1: a matrix of rank one, whose norm is its size.
  CHECK(operator_norm_bound(Columns(32, std::vector<std::complex<double>>(32, 1))) ==
        Approx(32).epsilon(1e-8));
  // An isometry with more rows than columns.
  CHECK(operator_norm_bound({{0.5, 0.5, 0.5, 0.5}, {0.5, -0.5, 0.5, -0.5}}) ==
        Approx(1).epsilon(2e-4));
}

TEST_CASE("the bound on the norm of a larger matrix is close to it", "[operator_norm]") {
  for (const std::size_t size : {128U, 256U}) {
    // Diagonal entries of which only one has the absolute value 1, and the identity.
    Columns diagonal(size, std::vector<std::complex<double>>(size));
    Columns identity = diagonal;
    for (std::size_t i = 0; i < size; ++i) {
      diagonal[i][i] = i == 3 ? std::complex<double>(0, 1) : 0.999;
      identity[i][i] = 1;
    }
    for (const Columns& columns : {diagonal, identity}) {
      const double bound = operator_norm_bound(columns);
      CHECK(bound >= 1);
      CHECK(bound <= (size <= 128 ? 1.001 : 1.015));
    }
  }
}

TEST_CASE("no vector is stretched by more than the bound", "[operator_norm]") {
  FastRandom random(1);
  for (const std::size_t size : {1U, 2U, 4U, 8U, 32U}) {
    Columns columns;
    for (std::size_t j = 0; j < size; ++j) columns.push_back(random_vector(random, size));
    const double bound = operator_norm_bound(columns);
    for (int trial = 0; trial < 100; ++trial) {
      CHECK(stretch(columns, random_vector(random, size)) <= bound);
    }
  }
}

}  // namespace quartz::certify
