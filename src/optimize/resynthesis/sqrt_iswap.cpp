#include "optimize/resynthesis/sqrt_iswap.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "optimize/state/numeric_angle.hpp"

namespace quartz::optimizer {
namespace {

/// Returns the sine, with rounding errors replaced by zero: the square root of 1e-16 would be 1e-8.
double sine(double angle) {
  const double value = std::sin(angle);
  return std::abs(value) <= kNumericTolerance / 10 ? 0 : value;
}

double arccosine(double cosine) { return std::acos(std::clamp(cosine, -1.0, 1.0)); }

LocalGates between_gates(const std::array<double, 3>& coordinates) {
  const auto [x, y, z] = coordinates;
  const double root = std::sqrt(
      std::max(sine(x + y - z) * sine(x - y + z) * sine(-x - y - z) * sine(-x + y + z), 0.0));
  const double middle = std::cos(2 * x) - std::cos(2 * y) + std::cos(2 * z);
  const double alpha = arccosine(middle + 2 * root);
  const double beta = arccosine(middle - 2 * root);
  const double product = 2 * std::cos(x) * std::cos(z) * std::sin(y);
  const double rest = std::max(std::cos(2 * x) * std::cos(2 * y) * std::cos(2 * z), 0.0);
  const double gamma = std::atan2(std::sqrt(rest), z >= 0 ? product : -product);
  const Eigen::Quaterniond turn = rotation_about(Axis::z, gamma);
  return {rotation_about(Axis::x, beta), turn * rotation_about(Axis::x, alpha) * turn};
}

LocalGates product(const LocalGates& a, const LocalGates& b) { return {a[0] * b[0], a[1] * b[1]}; }

}  // namespace

std::optional<SqrtIswapLayers> sqrt_iswap_layers(const WeylDecomposition& weyl) {
  const auto [a, b, c] = weyl.coordinates;
  if (a < b + std::abs(c) - kNumericTolerance) return std::nullopt;
  const Eigen::Matrix4cd root = canonical_gate({std::numbers::pi / 8, std::numbers::pi / 8, 0});
  SqrtIswapLayers layers;
  layers.between = between_gates(weyl.coordinates);
  // The product of the three has the right coordinates; its own outer gates are replaced by the
  // target's.
  const WeylDecomposition made = weyl_decomposition(root * matrix_of(layers.between) * root);
  for (std::size_t k = 0; k < 3; ++k) {
    if (std::abs(made.coordinates[k] - weyl.coordinates[k]) > kNumericTolerance) {
      return std::nullopt;
    }
  }
  layers.before = product(inverse(made.before), weyl.before);
  layers.after = product(weyl.after, inverse(made.after));
  return layers;
}

}  // namespace quartz::optimizer
