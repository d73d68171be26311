#include "optimize/pauli/one_qubit_clifford.hpp"

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "circuit/exact_matrix.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/circuit/unitary.hpp"

namespace quartz::optimizer {
namespace {

constexpr double kEntryTolerance = 1e-9;

/// Returns the axis that is neither of two different ones.
PauliAxis third_axis(PauliAxis a, PauliAxis b) {
  return static_cast<PauliAxis>(3 - static_cast<unsigned>(a) - static_cast<unsigned>(b));
}

}  // namespace

std::optional<PauliAxis> axis_on(const LocalPauli& pauli, std::size_t operand) {
  const bool x = (pauli.x >> operand & 1U) != 0;
  const bool z = (pauli.z >> operand & 1U) != 0;
  if (x && z) return PauliAxis::y;
  if (x) return PauliAxis::x;
  if (z) return PauliAxis::z;
  return std::nullopt;
}

AxisMap AxisMap::of_quarter_turn(PauliAxis axis) {
  AxisMap map;
  for (const PauliAxis other : kPauliAxes) {
    if (other != axis) map.images[static_cast<std::size_t>(other)] = third_axis(axis, other);
  }
  return map;
}

AxisMap operator*(const AxisMap& left, const AxisMap& right) {
  AxisMap product;
  for (std::size_t i = 0; i < product.images.size(); ++i) {
    product.images[i] = left.images[static_cast<std::size_t>(right.images[i])];
  }
  return product;
}

std::optional<OneQubitClifford> OneQubitClifford::of(const Operation& operation) {
  if (operation.is_boundary() || operation.qubits.size() != 1) return std::nullopt;
  for (const Angle& angle : operation.angles) {
    if (!is_quarter_turns(angle)) return std::nullopt;
  }
  const std::vector<Complex> matrix = unitary_of(operation);
  Entries entries{};
  std::size_t zeros = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (std::abs(matrix[i]) < kEntryTolerance) {
      entries[i] = kZero;
      ++zeros;
      continue;
    }
    const double eighths = std::arg(matrix[i]) * 4 / std::numbers::pi;
    if (std::abs(eighths - std::round(eighths)) > kEntryTolerance) return std::nullopt;
    entries[i] = static_cast<std::uint8_t>((static_cast<int>(std::round(eighths)) + 8) % 8);
  }
  const double size = zeros == 0 ? std::numbers::sqrt2 / 2 : 1;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i] != kZero && std::abs(std::abs(matrix[i]) - size) > kEntryTolerance) {
      return std::nullopt;
    }
  }
  // Entries in eighths of a turn may also be those of gates that are not Clifford gates, such as t.
  for (const PauliAxis axis : kPauliAxes) {
    const OneQubitClifford found(entries);
    if (!(found * pauli(axis) * found.adjoint()).as_pauli()) return std::nullopt;
  }
  const OneQubitClifford found(entries);
  if (is_custom(operation.gate) && !found.is_exactly(operation)) return std::nullopt;
  return found;
}

bool OneQubitClifford::is_exactly(const Operation& operation) const {
  circuit::ExactMatrix expected(1, {});
  for (unsigned i = 0; i < entries_.size(); ++i) {
    if (entries_[i] == kZero) continue;
    const std::vector<PhaseTerm> terms{
        {1, has_zero() ? 0 : 1, Angle::pi_times(Rational(entries_[i], 4))}};
    expected.at(i / 2, i % 2) = circuit::ExactSum(terms);
  }
  return circuit::ExactMatrix::of(operation) == expected;
}

OneQubitClifford OneQubitClifford::pauli(PauliAxis axis) {
  switch (axis) {
    case PauliAxis::x:
      return OneQubitClifford(Entries{kZero, 0, 0, kZero});
    case PauliAxis::y:
      return OneQubitClifford(Entries{kZero, 6, 2, kZero});
    case PauliAxis::z:
      return OneQubitClifford(Entries{0, kZero, kZero, 4});
  }
  throw InternalError("an unknown axis");
}

OneQubitClifford OneQubitClifford::quarter_turn(PauliAxis axis) {
  switch (axis) {
    case PauliAxis::x:
      return OneQubitClifford(Entries{0, 6, 6, 0});
    case PauliAxis::y:
      return OneQubitClifford(Entries{0, 4, 0, 0});
    case PauliAxis::z:
      return OneQubitClifford(Entries{7, kZero, kZero, 1});
  }
  throw InternalError("an unknown axis");
}

OneQubitClifford OneQubitClifford::adjoint() const {
  const auto conjugate = [](std::uint8_t entry) {
    return entry == kZero ? kZero : static_cast<std::uint8_t>((8 - entry) % 8);
  };
  return OneQubitClifford(Entries{conjugate(entries_[0]), conjugate(entries_[2]),
                                  conjugate(entries_[1]), conjugate(entries_[3])});
}

std::uint8_t OneQubitClifford::sum(std::uint8_t first, std::uint8_t second, bool halves) {
  if (!halves) return first == kZero ? second : first;
  switch ((second - first + 8) % 8) {
    case 0:  // w^p + w^p = 2 w^p
      return first;
    case 2:  // w^p + i w^p = sqrt(2) w^{p+1}
      return static_cast<std::uint8_t>((first + 1) % 8);
    case 4:
      return kZero;
    case 6:  // w^p - i w^p = sqrt(2) w^{p-1}
      return static_cast<std::uint8_t>((first + 7) % 8);
    default:  // no unitary of this form, as in products with a matrix that is none
      return kZero;
  }
}

OneQubitClifford operator*(const OneQubitClifford& left, const OneQubitClifford& right) {
  using Clifford = OneQubitClifford;
  const auto product = [](std::uint8_t a, std::uint8_t b) {
    if (a == Clifford::kZero || b == Clifford::kZero) return Clifford::kZero;
    return static_cast<std::uint8_t>((a + b) % 8);
  };
  const bool halves = !left.has_zero() && !right.has_zero();
  Clifford::Entries entries{};
  for (std::size_t row = 0; row < 2; ++row) {
    for (std::size_t column = 0; column < 2; ++column) {
      entries[2 * row + column] =
          Clifford::sum(product(left.entries_[2 * row], right.entries_[column]),
                        product(left.entries_[2 * row + 1], right.entries_[2 + column]), halves);
    }
  }
  return Clifford(entries);
}

AxisMap OneQubitClifford::axes() const {
  AxisMap map;
  for (const PauliAxis axis : kPauliAxes) {
    const auto image = (*this * pauli(axis) * adjoint()).as_pauli();
    ensure(image.has_value(), "a Clifford gate maps Pauli operators to Pauli operators");
    map.images[static_cast<std::size_t>(axis)] = *axis_on(image->pauli, 0);
  }
  return map;
}

std::optional<OneQubitClifford::PhasedPauli> OneQubitClifford::as_pauli() const {
  const bool is_diagonal = entries_[0] != kZero && entries_[1] == kZero;
  const bool is_antidiagonal = entries_[0] == kZero && entries_[1] != kZero;
  if (!is_diagonal && !is_antidiagonal) return std::nullopt;
  // X^x Z^z has the entry 1 in column 0 and (-1)^z in column 1.
  const std::uint8_t first = is_diagonal ? entries_[0] : entries_[2];
  const std::uint8_t second = is_diagonal ? entries_[3] : entries_[1];
  const int difference = (second - first + 8) % 8;
  if (difference % 4 != 0) return std::nullopt;
  return PhasedPauli{{is_diagonal ? 0U : 1U, difference == 4 ? 1U : 0U, 0},
                     Angle::pi_times(Rational(first, 4))};
}

}  // namespace quartz::optimizer
