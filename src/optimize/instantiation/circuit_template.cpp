#include "optimize/instantiation/circuit_template.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "optimize/resynthesis/one_qubit_rotation.hpp"

namespace quartz::optimizer {
namespace {

constexpr std::array kAxes{Axis::x, Axis::y, Axis::z};

/// Returns a Pauli operator on one operand, and the identity on the other one.
Eigen::Matrix4cd pauli_on(std::size_t operand, Axis axis) {
  const Eigen::Matrix2cd pauli = matrix_of(rotation_about(axis, std::numbers::pi));
  const int other = operand == 0 ? 2 : 1;
  Eigen::Matrix4cd result = Eigen::Matrix4cd::Zero();
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 4; ++column) {
      if (((row ^ column) & other) != 0) continue;
      result(row, column) = pauli((row >> operand) & 1, (column >> operand) & 1);
    }
  }
  return result;
}

/// Returns whether a unitary with trace 0 is the identity on one of the operands. All of its norm
/// is then in a partial trace.
bool is_local(const Eigen::Matrix4cd& unitary) {
  const Eigen::Matrix2cd first = unitary.topLeftCorner<2, 2>() + unitary.bottomRightCorner<2, 2>();
  const Eigen::Matrix2cd second{{unitary(0, 0) + unitary(1, 1), unitary(0, 2) + unitary(1, 3)},
                                {unitary(2, 0) + unitary(3, 1), unitary(2, 2) + unitary(3, 3)}};
  constexpr double kAllOfIt = 8 * (1 - 1e-12);
  return std::max(first.squaredNorm(), second.squaredNorm()) > kAllOfIt;
}

/// Returns whether a two-qubit gate followed by a turn of an operand about an axis equals a turn of
/// one operand followed by the gate, whatever its number t is.
bool passes(const TemplateGate& gate, std::size_t operand, Axis axis) {
  const Eigen::Matrix4cd pauli = pauli_on(operand, axis);
  const auto passes_at = [&](double t) {
    const Eigen::Matrix4cd unitary = turned(gate, t);
    return is_local(unitary.adjoint() * pauli * unitary);
  };
  return passes_at(0) && (!gate.generator || passes_at(1));
}

}  // namespace

Eigen::Matrix4cd turned(const TemplateGate& gate, double t) {
  if (!gate.generator) return gate.unitary;
  // The cube of the generator is the generator.
  const Eigen::Matrix4cd once = *gate.generator * gate.unitary;
  return gate.unitary + std::complex<double>(0, std::sin(t)) * once +
         (std::cos(t) - 1) * *gate.generator * once;
}

std::array<FreeAxes, 2> free_axes_after(const TemplateGate& gate) {
  std::array<FreeAxes, 2> axes{};
  for (std::size_t operand = 0; operand < 2; ++operand) {
    for (const Axis axis : kAxes) {
      axes[operand][static_cast<std::size_t>(axis)] = !passes(gate, operand, axis);
    }
  }
  return axes;
}

std::size_t parameters_of(const TemplateGate& gate) {
  std::ptrdiff_t count = gate.generator ? 1 : 0;
  for (const FreeAxes& axes : free_axes_after(gate)) count += std::ranges::count(axes, true);
  return static_cast<std::size_t>(count);
}

}  // namespace quartz::optimizer
