#include "certify/field/determinant_phase.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "quartz/circuit/gate.hpp"
#include "quartz/circuit/unitary.hpp"

namespace quartz::certify {
namespace {

/// The angle of a gate's determinant: the constant plus the sum of the gate's angles times these
/// factors.
struct DeterminantAngle {
  Rational constant;  ///< in multiples of pi
  std::vector<Rational> factors;
};

/// Returns the determinant of a square matrix, by elimination with partial pivoting.
Complex determinant(std::vector<Complex> entries, std::size_t size) {
  const auto entry = [&](std::size_t row, std::size_t column) -> Complex& {
    return entries[row * size + column];
  };
  Complex result = 1;
  for (std::size_t column = 0; column < size; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < size; ++row) {
      if (std::abs(entry(row, column)) > std::abs(entry(pivot, column))) pivot = row;
    }
    if (entry(pivot, column) == 0.0) return 0;
    if (pivot != column) {
      result = -result;
      for (std::size_t k = column; k < size; ++k) std::swap(entry(pivot, k), entry(column, k));
    }
    result *= entry(column, column);
    for (std::size_t row = column + 1; row < size; ++row) {
      const Complex factor = entry(row, column) / entry(column, column);
      for (std::size_t k = column; k < size; ++k) entry(row, k) -= factor * entry(column, k);
    }
  }
  return result;
}

double angle_of_determinant(const Gate& row, const AngleList& angles) {
  return std::arg(determinant(unitary_of(on_own_operands(row, angles)), row.dimension()));
}

/// Returns the multiple of 1/parts next to a number, if it is the number up to rounding.
std::optional<Rational> nearest(double number, std::int64_t parts) {
  const double scaled = number * static_cast<double>(parts);
  if (std::abs(scaled - std::round(scaled)) > 1e-6) return std::nullopt;
  return Rational(std::llround(scaled), parts);
}

/// Finds the angle of the determinant from its values at a few angles. Linear functions are found
/// from these; a gate for which they are not enough gives a wrong angle, which is not confirmed.
std::optional<DeterminantAngle> determinant_angle(const Gate& row) {
  constexpr std::int64_t kConstantParts = 5040;
  constexpr std::int64_t kFactorParts = 4;
  AngleList angles(row.parameters.size());
  const double at_zero = angle_of_determinant(row, angles);
  const auto constant = nearest(at_zero / std::numbers::pi, kConstantParts);
  if (!constant) return std::nullopt;
  DeterminantAngle result{*constant, {}};
  for (Angle& angle : angles) {
    // Small enough for factors up to 10 not to exceed a turn.
    angle = Angle::radians(Rational(1, 4));
    const double difference =
        std::remainder(angle_of_determinant(row, angles) - at_zero, 2 * std::numbers::pi);
    angle = Angle();
    const auto factor = nearest(4 * difference, kFactorParts);
    if (!factor) return std::nullopt;
    result.factors.push_back(*factor);
  }
  return result;
}

}  // namespace

std::optional<Angle> determinant_phase(const std::vector<Step>& steps) {
  std::map<GateKind, std::optional<DeterminantAngle>> known;
  Angle sum;
  for (const Step& step : steps) {
    if (step.operation.kind != OperationKind::gate || step.condition) return std::nullopt;
    const Gate& row = gate(step.operation.gate);
    const auto [entry, is_new] = known.try_emplace(row.kind);
    if (is_new) entry->second = determinant_angle(row);
    if (!entry->second) return std::nullopt;
    Angle angle = Angle::pi_times(entry->second->constant);
    for (std::size_t i = 0; i < step.operation.angles.size(); ++i) {
      angle += step.operation.angles[i] * entry->second->factors[i];
    }
    sum += angle * Rational(1, static_cast<std::int64_t>(row.dimension()));
  }
  return sum;
}

}  // namespace quartz::certify
