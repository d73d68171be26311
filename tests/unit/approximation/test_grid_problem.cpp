#include "approximation/grid_problem.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <numbers>

#include "base/random.hpp"
#include "quartz/algebra/angle.hpp"

namespace quartz::approximation {
namespace {

constexpr unsigned kBits = 256;

/// Returns the point e^{i angle/2}, for an angle in decimals.
CirclePoint half_turn(const char* angle) { return half_angle_point(Angle::decimal(angle), kBits); }

std::complex<double> value(const CyclotomicInteger& u, double sign) {
  const double root = sign * std::numbers::sqrt2 / 2;
  const auto c = [&](unsigned j) { return u.c[j].convert_to<double>(); };
  return {c(0) + root * (c(1) - c(3)), c(2) + root * (c(1) + c(3))};
}

std::size_t number_of_points(const GridProblem& grid, unsigned k) {
  std::size_t points = 0;
  grid.any_of(k, [&](const CyclotomicInteger&) {
    ++points;
    return false;
  });
  return points;
}

TEST_CASE("a grid problem has the points that a search through all coefficients finds") {
  // Wide enough that double precision decides.
  const double epsilon = 0.4;
  const double angle = 0.83;
  const std::complex<double> z = std::polar(1.0, angle / 2);
  const GridProblem grid(half_turn("0.83"), epsilon, 0, kBits);
  for (const unsigned k : {2U, 4U, 6U}) {
    const double radius = std::exp2(k / 2.0);
    std::size_t expected = 0;
    const int most = static_cast<int>(radius) + 1;
    CyclotomicInteger u;
    for (int a = -most; a <= most; ++a) {
      for (int b = -most; b <= most; ++b) {
        for (int c = -most; c <= most; ++c) {
          for (int d = -most; d <= most; ++d) {
            u.c = {a, b, c, d};
            const std::complex<double> place = value(u, 1) / radius;
            const double overlap = (place * std::conj(z)).real();
            if (std::abs(place) <= 1 && overlap >= 1 - epsilon * epsilon / 2 &&
                std::abs(value(u, -1)) <= radius) {
              ++expected;
            }
          }
        }
      }
    }
    INFO(k);
    CHECK(number_of_points(grid, k) == expected);
  }
}

TEST_CASE("points on the tangent beside a power of w are left out") {
  // The segment ends just before 1, and its ellipse contains a piece of the line with the real
  // part 1, on which no point but 1 is in the unit disc.
  const GridProblem grid(half_turn("0.00000085"), 4.2e-7, 0, kBits);
  for (const unsigned k : {20U, 30U, 40U}) {
    INFO(k);
    CHECK(number_of_points(grid, k) < 1000);
  }
}

}  // namespace
}  // namespace quartz::approximation
