#include "target/derivations/inexpressible.hpp"

#include <algorithm>
#include <optional>

#include "quartz/circuit/gate.hpp"

// The entries of a gate with fixed angles are in the field Q(w) with w = e^{i pi/4}, up to a phase,
// if the exponents of their terms differ by multiples of pi/4. Products of such gates are then in
// the field, too. A phase e^{i a} is in the field for multiples of pi/4 only: these are its roots
// of unity, and e^{i a} is transcendental if a is no multiple of pi but algebraic.

namespace quartz::target {
namespace {

bool is_whole_multiple(const Angle& angle, const Angle& unit) {
  return angle.is_pi_multiple() && (angle.pi_part() / unit.pi_part()).is_integer();
}

Angle eighth() { return Angle::pi_times(Rational(1, 4)); }

/// Returns whether the gate with these angles is in the field, up to a phase.
bool is_in_field(const Gate& row, const AngleList& values) {
  const std::map<std::string, Angle> angles = angles_by_name(row, values);
  std::optional<Angle> first;
  for (const MatrixEntry& entry : row.matrix) {
    for (const PhaseTerm& term : entry.terms) {
      const Angle exponent = term.exponent.substitute(angles);
      if (!first) first = exponent;
      if (!is_whole_multiple(exponent - *first, eighth())) return false;
    }
  }
  return true;
}

bool is_in_field(const GateSet& set) {
  return std::ranges::all_of(set.entries, [](const GateSetEntry& entry) {
    const Gate& row = gate(entry.gate);
    if (row.parameters.empty()) return is_in_field(row, {});
    return !entry.angles.empty() && std::ranges::all_of(entry.angles, [&](const AngleList& values) {
      return is_in_field(row, values);
    });
  });
}

/// Returns whether u3 with these angles is outside of the field for every phase.
bool is_outside_as_u3(const Angle& theta, const Angle& phi, const Angle& lambda) {
  const bool is_monomial = is_whole_multiple(theta, Angle::pi_times(1));
  // The quotients of the entries on a diagonal are phases by phi + lambda and phi - lambda.
  const bool has_sums =
      is_whole_multiple(phi + lambda, eighth()) && is_whole_multiple(phi - lambda, eighth());
  if (!is_monomial && !has_sums) return true;
  return is_whole_multiple(phi, eighth()) && is_whole_multiple(lambda, eighth()) &&
         !is_whole_multiple(theta, eighth());
}

/// Returns whether the gate is outside of the field for every phase. The rotations are diagonal, or
/// are conjugates of diagonal ones by gates of the field; the quotients of the diagonal's entries
/// are phases by the angle, or by half of it under a control.
bool is_outside(const Operation& operation) {
  const AngleList& angles = operation.angles;
  switch (operation.gate) {
    case GateKind::rx:
    case GateKind::ry:
    case GateKind::rz:
    case GateKind::p:
    case GateKind::u1:
    case GateKind::gpi2:
    case GateKind::rxx:
    case GateKind::ryy:
    case GateKind::rzz:
    case GateKind::rzx:
    case GateKind::cp:
    case GateKind::cu1:
      return !is_whole_multiple(angles[0], eighth());
    case GateKind::crx:
    case GateKind::cry:
    case GateKind::crz:
      return !is_whole_multiple(angles[0] * Rational(1, 2), eighth());
    case GateKind::gpi:
      return !is_whole_multiple(angles[0] * Rational(2), eighth());
    case GateKind::u2:
      return is_outside_as_u3(Angle::pi_times(Rational(1, 2)), angles[0], angles[1]);
    case GateKind::u3:
    case GateKind::u:
      return is_outside_as_u3(angles[0], angles[1], angles[2]);
    default:
      return false;
  }
}

}  // namespace

bool is_certainly_inexpressible(const Operation& operation, const GateSet& set) {
  const auto is_on_one_qubit = [](const GateSetEntry& entry) {
    return gate(entry.gate).qubits == 1;
  };
  if (is_custom(operation.gate)) return false;
  if (operation.angles.empty()) {
    return gate(operation.gate).qubits > 1 && std::ranges::all_of(set.entries, is_on_one_qubit);
  }
  return is_in_field(set) && is_outside(operation);
}

}  // namespace quartz::target
