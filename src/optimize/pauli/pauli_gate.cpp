#include "optimize/pauli/pauli_gate.hpp"

#include <bit>
#include <cmath>
#include <map>
#include <numbers>
#include <string>

#include "circuit/custom_gates/per_gate.hpp"
#include "circuit/exact_matrix.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/circuit/unitary.hpp"

namespace quartz::optimizer {
namespace {

constexpr double kTolerance = 1e-9;

using Matrix = std::vector<Complex>;

/// Returns i^phase X^x Z^z as a matrix: it maps column c to row c ^ x with sign (-1)^(z . c).
Matrix matrix_of_pauli(const LocalPauli& pauli, unsigned qubits) {
  static const Complex powers[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  const unsigned dimension = 1U << qubits;
  Matrix matrix(std::size_t{dimension} * dimension);
  for (unsigned column = 0; column < dimension; ++column) {
    const bool odd = (std::popcount(pauli.z & column) & 1) != 0;
    matrix[std::size_t{column ^ pauli.x} * dimension + column] =
        powers[pauli.phase % 4] * (odd ? -1.0 : 1.0);
  }
  return matrix;
}

LocalPauli hermitian(unsigned x, unsigned z) {
  return {x, z, static_cast<unsigned>(std::popcount(x & z)) % 4};
}

bool close(const Matrix& a, const Matrix& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(std::abs(a[i] - b[i]) <= kTolerance)) return false;  // written so that a NaN fails
  }
  return true;
}

/// Returns e^{i phase} exp(-i angle/2 P) = e^{i phase} (cos(angle/2) - i sin(angle/2) P).
Matrix rotation(const LocalPauli& axis, double angle, double phase, unsigned qubits) {
  Matrix matrix = matrix_of_pauli(axis, qubits);
  const std::size_t dimension = std::size_t{1} << qubits;
  for (Complex& entry : matrix) entry *= Complex(0, -std::sin(angle / 2));
  for (std::size_t i = 0; i < dimension; ++i) matrix[i * dimension + i] += std::cos(angle / 2);
  for (Complex& entry : matrix) entry *= std::polar(1.0, phase);
  return matrix;
}

// Floating point proposes what a gate is. That suffices for the rows of gates.inc, because tests
// cover all of them. A custom gate may be close to a Pauli rotation without being one, so it is
// compared exactly.

/// Returns i^phase X^x Z^z, exactly.
circuit::ExactMatrix exact_matrix_of(const LocalPauli& pauli, unsigned qubits) {
  circuit::ExactMatrix matrix(qubits, {});
  for (unsigned column = 0; column < matrix.dimension(); ++column) {
    const int odd = std::popcount(pauli.z & column) & 1;
    const int quarter_turns = static_cast<int>(pauli.phase % 4) + 2 * odd;
    matrix.at(column ^ pauli.x, column) =
        circuit::ExactSum::phase(Angle::pi_times(Rational(quarter_turns, 2)));
  }
  return matrix;
}

/// Compares with e^{i phase} (cos(angle/2) - i sin(angle/2) P), by cos v = (e^{iv} + e^{-iv}) / 2.
bool is_exactly(const Gate& row, const PauliRotation& rotation) {
  const Angle half = rotation.angle * Rational(1, 2);
  const auto part = [&](int sign) {
    const std::vector<PhaseTerm> terms{{1, 2, rotation.phase + half},
                                       {sign, 2, rotation.phase - half}};
    return circuit::ExactSum(terms);
  };
  const circuit::ExactSum cosine = part(1);
  const circuit::ExactSum minus_i_sine = -part(-1);
  const circuit::ExactMatrix pauli = exact_matrix_of(rotation.axis, row.qubits);
  circuit::ExactMatrix expected(row.qubits, {});
  for (unsigned i = 0; i < expected.dimension(); ++i) {
    for (unsigned j = 0; j < expected.dimension(); ++j) {
      expected.at(i, j) = minus_i_sine * pauli.at(i, j);
    }
    expected.at(i, i) += cosine;
  }
  return circuit::ExactMatrix(row.qubits, row.matrix) == expected;
}

/// Returns the rotation of a kind as a function of its parameter, if any, which has its name in the
/// gate table.
std::optional<PauliRotation> rotation_pattern(const Gate& row) {
  if (row.parameters.size() > 1 || row.qubits > 2) return std::nullopt;
  Operation operation = on_own_operands(row);
  Bindings bindings;
  std::vector<Angle> angles;
  if (row.parameters.empty()) {
    for (int k = 1; k < 8; ++k) angles.push_back(Angle::pi_times(Rational(k, 4)));
  } else {
    operation.angles.push_back(Angle::symbol(std::string(row.parameters[0])));
    bindings.emplace(row.parameters[0], 0.8765);
    angles.push_back(operation.angles[0]);
  }
  const Matrix matrix = unitary_of(operation, bindings);
  const unsigned paulis = 1U << row.qubits;
  for (const Angle& angle : angles) {
    for (unsigned bits = 1; bits < paulis * paulis; ++bits) {
      const LocalPauli axis = hermitian(bits % paulis, bits / paulis);
      // The phase of a rotation by a parameter is 0 or half the angle; the phase of a fixed gate is
      // any multiple of pi/8 (t is e^{i pi/8} rz(pi/4)).
      std::vector<Angle> phases;
      if (row.parameters.empty()) {
        for (int k = 0; k < 16; ++k) phases.push_back(Angle::pi_times(Rational(k, 8)));
      } else {
        phases = {Angle(), angle * Rational(1, 2)};
      }
      for (const Angle& phase : phases) {
        if (close(matrix,
                  rotation(axis, angle.value(bindings), phase.value(bindings), row.qubits))) {
          PauliRotation found{axis, angle, phase};
          if (is_custom(row.kind) && !is_exactly(row, found)) continue;
          return found;
        }
      }
    }
  }
  return std::nullopt;
}

/// Returns whether P G = G P' for each Pauli P of the operands with its image P'.
bool is_exactly(const Operation& operation, const CliffordAction& action) {
  const unsigned qubits = gate(operation.gate).qubits;
  const circuit::ExactMatrix unitary = circuit::ExactMatrix::of(operation);
  const auto maps = [&](const LocalPauli& pauli, const LocalPauli& image) {
    return exact_matrix_of(pauli, qubits) * unitary == unitary * exact_matrix_of(image, qubits);
  };
  for (unsigned operand = 0; operand < qubits; ++operand) {
    if (!maps(hermitian(1U << operand, 0), action.x_images[operand]) ||
        !maps(hermitian(0, 1U << operand), action.z_images[operand])) {
      return false;
    }
  }
  return true;
}

std::optional<LocalPauli> as_pauli(const Matrix& matrix, unsigned qubits) {
  const unsigned paulis = 1U << qubits;
  for (unsigned bits = 0; bits < paulis * paulis; ++bits) {
    LocalPauli candidate = hermitian(bits % paulis, bits / paulis);
    if (close(matrix, matrix_of_pauli(candidate, qubits))) return candidate;
    candidate.phase = (candidate.phase + 2) % 4;
    if (close(matrix, matrix_of_pauli(candidate, qubits))) return candidate;
  }
  return std::nullopt;
}

/// Returns G^dagger P G.
Matrix conjugated(const Matrix& gate_matrix, const Matrix& pauli, std::size_t dimension) {
  Matrix product(pauli.size());
  for (std::size_t i = 0; i < dimension; ++i) {
    for (std::size_t j = 0; j < dimension; ++j) {
      Complex sum = 0;
      for (std::size_t k = 0; k < dimension; ++k) {
        for (std::size_t l = 0; l < dimension; ++l) {
          sum += std::conj(gate_matrix[k * dimension + i]) * pauli[k * dimension + l] *
                 gate_matrix[l * dimension + j];
        }
      }
      product[i * dimension + j] = sum;
    }
  }
  return product;
}

/// Key of an angle that is not a multiple of pi/2.
constexpr unsigned kOtherAngle = 8;

}  // namespace

const PauliRotation* pauli_rotation_of(GateKind kind) {
  static circuit::PerGate<std::optional<PauliRotation>> patterns(rotation_pattern);
  const std::optional<PauliRotation>& pattern = patterns.of(kind);
  return pattern ? &*pattern : nullptr;
}

std::optional<PauliRotation> as_pauli_rotation(const Operation& operation) {
  const PauliRotation* const pattern = pauli_rotation_of(operation.gate);
  if (pattern == nullptr) return std::nullopt;
  if (operation.angles.empty()) return *pattern;
  // The pattern's angle is the parameter itself, and its phase is zero or half of the angle.
  PauliRotation result{pattern->axis, operation.angles[0], {}};
  if (!pattern->phase.is_zero()) result.phase = operation.angles[0] * Rational(1, 2);
  return result;
}

std::optional<unsigned> quarter_turns(const Angle& angle) {
  if (!is_quarter_turns(angle)) return std::nullopt;
  const Rational multiple = angle.pi_part();
  const std::int64_t quarters =
      multiple.is_integer() ? 2 * (multiple.numerator() % 4) : multiple.numerator() % 8;
  return static_cast<unsigned>((quarters + 8) % 8);
}

std::optional<unsigned> eighths_of(const Angle& angle) {
  const Rational multiple = angle.pi_part();
  if (!angle.is_pi_multiple() || 4 % multiple.denominator() != 0) return std::nullopt;
  const std::int64_t eighths = multiple.numerator() % 8 * (4 / multiple.denominator()) % 8;
  return static_cast<unsigned>((eighths + 8) % 8);
}

std::uint64_t key_of_quarter_turns(const Operation& operation) {
  auto key = static_cast<std::uint64_t>(operation.gate);
  for (const Angle& angle : operation.angles) {
    key = key * (kOtherAngle + 1) + quarter_turns(angle).value_or(kOtherAngle);
  }
  // The kind determines the number of parameters, so gates with different numbers of them never
  // share a key.
  return key << 16U | static_cast<std::uint64_t>(operation.gate);
}

bool is_quarter_turns(const Angle& angle) {
  return angle.is_pi_multiple() && angle.pi_part().denominator() <= 2;
}

std::optional<CliffordAction> as_clifford(const Operation& operation) {
  for (const Angle& angle : operation.angles) {
    if (!is_quarter_turns(angle)) return std::nullopt;
  }
  const Gate& row = gate(operation.gate);
  if (row.qubits > 2) return std::nullopt;
  const Matrix matrix = unitary_of(operation);
  CliffordAction action;
  for (unsigned operand = 0; operand < row.qubits; ++operand) {
    const auto x =
        as_pauli(conjugated(matrix, matrix_of_pauli(hermitian(1U << operand, 0), row.qubits),
                            row.dimension()),
                 row.qubits);
    const auto z =
        as_pauli(conjugated(matrix, matrix_of_pauli(hermitian(0, 1U << operand), row.qubits),
                            row.dimension()),
                 row.qubits);
    if (!x || !z) return std::nullopt;
    action.x_images.push_back(*x);
    action.z_images.push_back(*z);
  }
  if (is_custom(operation.gate) && !is_exactly(operation, action)) return std::nullopt;
  return action;
}

}  // namespace quartz::optimizer
