#include "quartz/circuit/canonical.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "circuit/custom_gates/per_gate.hpp"
#include "circuit/exact_matrix.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz {
namespace {

/// The effect on a gate of adding 2*pi to one parameter.
enum class FullTurn { nothing, sign, other };

FullTurn full_turn(const Gate& row, std::string_view parameter) {
  std::optional<bool> negates;  // the same for all terms so far
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
  std::vector<FullTurn> parameters;  ///< one for each parameter of the gate
  bool identity_at_zero = false;
};

Periodicity periodicity_of(const Gate& row) {
  Periodicity periodic;
  std::map<std::string, Angle> zeros;
  for (const std::string_view parameter : row.parameters) {
    periodic.parameters.push_back(full_turn(row, parameter));
    zeros.emplace(parameter, Angle());
  }
  periodic.identity_at_zero = circuit::ExactMatrix(row.qubits, row.matrix).substitute(zeros) ==
                              circuit::ExactMatrix(row.qubits);
  return periodic;
}

const Periodicity& periodicity(GateKind kind) {
  static circuit::PerGate<Periodicity> table(periodicity_of);
  return table.of(kind);
}

}  // namespace

Angle normalize_angles(Operation& operation) {
  Angle phase;
  const std::vector<FullTurn>& turns = periodicity(operation.gate).parameters;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const Rational period(turns[i] == FullTurn::other ? 4 : 2);
    const Angle reduced = operation.angles[i].reduced_symmetric(period);
    if (turns[i] == FullTurn::sign) {
      // Each full turn that is removed multiplies the gate by -1.
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
