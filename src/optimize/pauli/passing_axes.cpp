#include "optimize/pauli/passing_axes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "circuit/custom_gates/per_gate.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/circuit/unitary.hpp"

namespace quartz::optimizer {
namespace {

constexpr double kPassingTolerance = 1e-9;
/// Values of the first parameter for which a gate is compared; further ones follow from them. What
/// holds for two sets of generic angles holds for all.
constexpr std::array kGenericAngles{0.7, 1.9};

/// The entry of a Pauli operator in a column: its row, and its value.
struct PauliEntry {
  unsigned row = 0;
  Complex value;
};

PauliEntry entry_of(PauliAxis axis, std::size_t operand, unsigned column) {
  const unsigned bit = 1U << operand;
  const bool is_one = (column & bit) != 0;
  switch (axis) {
    case PauliAxis::x:
      return {column ^ bit, 1};
    case PauliAxis::y:
      return {column ^ bit, is_one ? Complex(0, -1) : Complex(0, 1)};
    case PauliAxis::z:
      break;
  }
  return {column, is_one ? -1.0 : 1.0};
}

/// Returns whether U P = P U.
bool commutes(const std::vector<Complex>& unitary, unsigned dimension, PauliAxis axis,
              std::size_t operand) {
  for (unsigned column = 0; column < dimension; ++column) {
    const PauliEntry before = entry_of(axis, operand, column);
    for (unsigned i = 0; i < dimension; ++i) {
      const PauliEntry after = entry_of(axis, operand, i);
      const Complex left = unitary[after.row * dimension + before.row] * before.value;
      const Complex right = after.value * unitary[i * dimension + column];
      if (!(std::abs(left - right) <= kPassingTolerance)) return false;
    }
  }
  return true;
}

std::vector<Complex> generic_unitary(const Gate& row, double parameter) {
  Operation operation = on_own_operands(row);
  Bindings bindings;
  for (const std::string_view name : row.parameters) {
    operation.angles.push_back(Angle::symbol(std::string(name)));
    bindings.emplace(name, parameter);
    parameter *= 1.7;
  }
  return unitary_of(operation, bindings);
}

std::vector<std::optional<PauliAxis>> axes_of(const Gate& row) {
  std::vector<std::optional<PauliAxis>> axes(row.qubits);
  if (row.diagonal) {
    axes.assign(row.qubits, PauliAxis::z);
    return axes;
  }
  // The matrix of a custom gate may only be close to one that commutes.
  if (is_custom(row.kind)) return axes;
  std::vector<std::vector<Complex>> unitaries;
  for (const double angle : kGenericAngles) unitaries.push_back(generic_unitary(row, angle));
  for (std::size_t operand = 0; operand < axes.size(); ++operand) {
    for (const PauliAxis axis : kPauliAxes) {
      const bool passes = std::ranges::all_of(unitaries, [&](const auto& unitary) {
        return commutes(unitary, row.dimension(), axis, operand);
      });
      if (passes) axes[operand] = axis;
    }
  }
  return axes;
}

}  // namespace

std::optional<PauliAxis> passing_axis(GateKind kind, std::size_t operand) {
  static circuit::PerGate<std::vector<std::optional<PauliAxis>>> table(axes_of);
  return table.of(kind)[operand];
}

}  // namespace quartz::optimizer
