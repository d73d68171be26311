#include "quartz/circuit/canonical.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "quartz/circuit/gate.hpp"
#include "quartz/circuit/unitary.hpp"

namespace quartz {
namespace {

/// What adding 2*pi to one parameter does to a gate.
enum class FullTurn { nothing, sign, other };

FullTurn full_turn(const Gate& row, std::string_view parameter) {
  std::optional<bool> negates;  // of all terms alike
  for (const MatrixEntry& entry : row.matrix) {
    for (const PhaseTerm& term : entry.terms) {
      Rational coefficient;
      for (const Angle::Term& part : term.exponent.terms()) {
        if (part.symbol == parameter) coefficient = part.coefficient;
      }
      const bool odd = !coefficient.is_integer();  // a multiple of 1/2
      if (negates.has_value() && *negates != odd) return FullTurn::other;
      negates = odd;
    }
  }
  return negates.value_or(false) ? FullTurn::sign : FullTurn::nothing;
}

struct Periodicity {
  std::vector<FullTurn> parameters;  ///< of one gate
  bool identity_at_zero = false;
};

const Periodicity& periodicity(GateKind kind) {
  static const std::vector<Periodicity> table = [] {
    std::vector<Periodicity> rows;
    for (const Gate& row : gate_table()) {
      Periodicity periodic;
      for (const std::string_view parameter : row.parameters) {
        periodic.parameters.push_back(full_turn(row, parameter));
      }
      Operation at_zero;
      at_zero.gate = row.kind;
      at_zero.angles.assign(row.parameters.size(), Angle());
      const std::vector<Complex> matrix = unitary_of(at_zero);
      periodic.identity_at_zero = true;
      for (std::size_t i = 0; i < matrix.size(); ++i) {
        const double expected = i % (row.dimension() + 1) == 0 ? 1 : 0;
        if (std::abs(matrix[i] - expected) > 1e-9) periodic.identity_at_zero = false;
      }
      rows.push_back(std::move(periodic));
    }
    return rows;
  }();
  return table[static_cast<std::size_t>(kind)];
}

}  // namespace

Angle normalize_angles(Operation& operation) {
  Angle phase;
  const std::vector<FullTurn>& turns = periodicity(operation.gate).parameters;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const Rational period(turns[i] == FullTurn::other ? 4 : 2);
    const Angle reduced = operation.angles[i].reduced_symmetric(period);
    if (turns[i] == FullTurn::sign) {
      // Each full turn taken off multiplies by -1.
      phase += (operation.angles[i] - reduced) * Rational(1, 2);
    }
    operation.angles[i] = reduced;
  }
  return phase.reduced_modulo(2);
}

bool is_identity(const Operation& operation) {
  return operation.kind == OperationKind::gate && operation.classical == nullptr &&
         periodicity(operation.gate).identity_at_zero &&
         std::all_of(operation.angles.begin(), operation.angles.end(),
                     [](const Angle& angle) { return angle.is_zero(); });
}

}  // namespace quartz
