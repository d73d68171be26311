#include "qasm/gates/gate_sequence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

#include "qasm/gates/controlled_rotation.hpp"
#include "qasm/gates/library.hpp"
#include "qasm/gates/multi_controlled.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/canonical.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::qasm {
namespace {

using enum GateKind;

/// A gate whose controlled version is a gate of the table; the operands of the latter are the
/// control, then those of the gate.
struct ControlledRow {
  GateKind base;
  GateKind controlled;
};
constexpr std::array kControlledRows{
    ControlledRow{x, cx},      ControlledRow{cx, ccx}, ControlledRow{ccx, c3x},
    ControlledRow{c3x, c4x},   ControlledRow{y, cy},   ControlledRow{z, cz},
    ControlledRow{cz, ccz},    ControlledRow{h, ch},   ControlledRow{s, cs},
    ControlledRow{sdg, csdg},  ControlledRow{sx, csx}, ControlledRow{rx, crx},
    ControlledRow{ry, cry},    ControlledRow{rz, crz}, ControlledRow{p, cp},
    ControlledRow{u1, cu1},    ControlledRow{u3, cu3}, ControlledRow{u, cu3},
    ControlledRow{swap, cswap}};

std::optional<GateKind> with_control(GateKind kind) {
  for (const ControlledRow& row : kControlledRows) {
    if (row.base == kind) return row.controlled;
  }
  return std::nullopt;
}

std::optional<GateKind> without_control(GateKind kind) {
  for (const ControlledRow& row : kControlledRows) {
    if (row.controlled == kind) return row.base;
  }
  return std::nullopt;
}

/// Returns the angle of a gate diag(1, e^{i angle}).
std::optional<Angle> phase_angle(const Operation& gate) {
  switch (gate.gate) {
    case z:
      return Angle::pi_times(1);
    case s:
      return Angle::pi_times({1, 2});
    case sdg:
      return Angle::pi_times({-1, 2});
    case t:
      return Angle::pi_times({1, 4});
    case tdg:
      return Angle::pi_times({-1, 4});
    case p:
    case u1:
      return gate.angles[0];
    default:
      return std::nullopt;
  }
}

/// Decomposes the gate towards x and the phase gate, if possible as V W V^-1, of which only W needs
/// the controls.
Decomposition steps_of(const Operation& gate) {
  const auto on = [&](GateKind kind, AngleList angles = {}) {
    return make_operation(kind, {gate.qubits[0]}, std::move(angles));
  };
  const auto& angles = gate.angles;
  switch (gate.gate) {
    case y:
      return {{on(sdg), on(x), on(s)}, {}, {}};
    case h:
      return {{on(s), on(h), on(t), on(x), on(tdg), on(h), on(sdg)}, {}, {}};
    case sx:
      return {{on(h), on(s), on(h)}, {}, {}};
    case sxdg:
      return {{on(h), on(sdg), on(h)}, {}, {}};
    case rx:
      return {{on(h), on(rz, {angles[0]}), on(h)}, {}, {}};
    case ry:
      return {{on(sdg), on(h), on(rz, {angles[0]}), on(h), on(s)}, {}, {}};
    case u:
    case u3:
      return {{on(rz, {angles[2]}), on(ry, {angles[0]}), on(p, {angles[1] + angles[2]}),
               on(rz, {-angles[2]})},
              {},
              {}};
    case u2:
      return {{on(u3, {Angle::pi_times({1, 2}), angles[0], angles[1]})}, {}, {}};
    default:
      break;
  }
  const Decomposition* const definition = definition_of(gate.gate);
  if (definition == nullptr) {
    throw InputError("cannot control the gate '" + std::string(quartz::gate(gate.gate).name) +
                     "', because its gate set gives only its matrix");
  }
  return instantiate(*definition, gate);
}

bool are_inverse(const Operation& a, const Operation& b) {
  if (a.kind != OperationKind::gate || b.kind != OperationKind::gate) return false;
  const Decomposition inverse = inverse_of(a);
  return inverse.phase.is_zero() && inverse.operations.size() == 1 && inverse.operations[0] == b;
}

template <typename Qubits>
bool is_among(const Qubits& qubits, Qubit qubit) {
  return std::find(qubits.begin(), qubits.end(), qubit) != qubits.end();
}

class Controller {
 public:
  Controller(std::span<const Qubit> borrowed, ControlExpansion expansion,
             std::vector<Operation>& gates)
      : borrowed_(borrowed), expansion_(expansion), gates_(gates) {}

  void append_sequence(std::span<const Operation> steps, const Angle& phase,
                       const std::vector<Qubit>& controls) {
    append_phase(phase, controls);
    std::size_t outer = 0;
    while (2 * outer + 1 < steps.size() &&
           are_inverse(steps[outer], steps[steps.size() - 1 - outer])) {
      ++outer;
    }
    const auto copy = [&](std::span<const Operation> some) {
      gates_.insert(gates_.end(), some.begin(), some.end());
    };
    copy(steps.first(outer));
    for (const Operation& step : steps.subspan(outer, steps.size() - 2 * outer)) {
      append(step, controls);
      check_length(gates_.size());
    }
    copy(steps.last(outer));
  }

 private:
  void append(Operation gate, std::vector<Qubit> controls) {
    if (gate.kind != OperationKind::gate) {  // a barrier
      gates_.push_back(std::move(gate));
      return;
    }
    if (gate.gate == cu) {
      controls.push_back(gate.qubits[0]);
      append_phase(gate.angles[3], controls);
      return append(
          make_operation(u3, {gate.qubits[1]}, {gate.angles[0], gate.angles[1], gate.angles[2]}),
          std::move(controls));
    }
    while (const auto base = without_control(gate.gate)) {
      controls.push_back(gate.qubits[0]);
      gate.gate = *base;
      gate.qubits.erase(gate.qubits.begin());
    }
    // There are better ways for x with many controls than the gates of the table.
    if (gate.gate == x && controls.size() >= 3) {
      return append_multi_controlled_x(controls, gate.qubits[0], lent_to(gate, controls),
                                       expansion_, gates_);
    }
    if (gate.gate == id || append_named(gate, controls)) return;
    if (gate.gate == rz) {
      const RotationTarget target{gate.qubits[0], gate.angles[0]};
      return append_controlled_rotations(controls, std::span(&target, 1), lent_to(gate, controls),
                                         expansion_, gates_);
    }
    if (const auto angle = phase_angle(gate)) {
      controls.push_back(gate.qubits[0]);
      return append_phase(*angle, controls);
    }
    const Decomposition steps = steps_of(gate);
    append_sequence(steps.operations, steps.phase, controls);
  }

  /// Appends the gate as a single gate of the table if there is one with this number of controls;
  /// returns whether there is.
  bool append_named(const Operation& gate, const std::vector<Qubit>& controls) {
    Operation named = gate;
    for (std::size_t i = controls.size(); i-- > 0;) {
      const auto kind = with_control(named.gate);
      if (!kind) return false;
      named.gate = *kind;
      named.qubits.insert(named.qubits.begin(), controls[i]);
    }
    gates_.push_back(std::move(named));
    return true;
  }

  /// Returns the qubits that the gate with these controls can borrow.
  std::vector<Qubit> lent_to(const Operation& gate, std::span<const Qubit> controls) const {
    std::vector<Qubit> lent;
    for (const Qubit qubit : borrowed_) {
      if (!is_among(gate.qubits, qubit) && !is_among(controls, qubit)) {
        lent.push_back(qubit);
      }
    }
    return lent;
  }

  void append_phase(const Angle& phase, const std::vector<Qubit>& controls) {
    append_multi_controlled_phase(controls, phase, lent_to({}, controls), expansion_, gates_);
  }

  std::span<const Qubit> borrowed_;
  ControlExpansion expansion_;
  std::vector<Operation>& gates_;
};

/// Returns whether the angles of a gate and its repetition add up: every gate of one parameter in
/// gates.inc that is the identity at 0 is e^{i theta A} for some A. A custom gate may be different.
bool is_rotation(const Operation& operation) {
  if (operation.kind != OperationKind::gate || operation.angles.size() != 1) return false;
  if (is_custom(operation.gate)) return false;
  Operation at_zero;
  at_zero.gate = operation.gate;
  at_zero.angles = {Angle()};
  return is_identity(at_zero);
}

}  // namespace

namespace {

/// Returns the angle in (-pi, pi] that differs from a constant by whole turns; nullopt if rounding
/// may decide about the number of turns.
std::optional<Angle> principal_angle(const Angle& angle) {
  constexpr double kLargest = 1e6;
  constexpr double kRounding = 1e-9;
  if (!angle.is_constant()) return std::nullopt;
  const Angle reduced = angle.reduced_symmetric(2);
  if (reduced.is_pi_multiple()) return reduced;
  const double value = reduced.value();
  if (!(std::abs(value) < kLargest)) return std::nullopt;
  const auto turns = std::llround(value / (2 * std::numbers::pi));
  Angle principal = reduced + Angle::pi_times(Rational(-2 * turns));
  if (std::abs(principal.value()) > std::numbers::pi - kRounding) return std::nullopt;
  return principal;
}

/// Returns the angle in (-pi, pi] of a phase gate, or of a controlled one.
std::optional<Angle> principal_phase(const Operation& gate) {
  const std::optional<Angle> angle = gate.gate == cz   ? Angle::pi_times(1)
                                     : gate.gate == cp ? gate.angles[0]
                                                       : phase_angle(gate);
  return angle ? principal_angle(*angle) : std::nullopt;
}

/// Returns whether a gate is a rotation about a product of Pauli operators.
bool is_pauli_rotation(const Operation& gate) {
  constexpr std::array kRotations{rx, ry, rz, rxx, ryy, rzz, rzx};
  return std::find(kRotations.begin(), kRotations.end(), gate.gate) != kRotations.end();
}

/// Returns the power of a gate that is diagonal, or a rotation by less than a whole turn.
std::optional<Operation> simple_power(const Operation& gate, const Rational& exponent) {
  if (const auto phase = principal_phase(gate)) {
    Operation result = gate;
    result.gate = gate.qubits.size() == 1 ? p : cp;
    result.angles = {*phase * exponent};
    return result;
  }
  if (!is_pauli_rotation(gate) || !gate.angles[0].is_constant() ||
      std::abs(gate.angles[0].value()) >= 2 * std::numbers::pi) {
    return std::nullopt;
  }
  Operation result = gate;
  result.angles = {gate.angles[0] * exponent};
  return result;
}

/// Returns V and W of a gate V W V^-1, where W is diagonal.
std::optional<std::pair<std::vector<Operation>, Operation>> diagonalized(const Operation& gate) {
  const Qubit target = gate.qubits.back();
  const Operation hadamard = make_operation(h, {target});
  switch (gate.gate) {
    case x:
      return {{{hadamard}, make_operation(z, {target})}};
    case y:
      return {{{make_operation(sdg, {target}), hadamard}, make_operation(z, {target})}};
    case sx:
      return {{{hadamard}, make_operation(s, {target})}};
    case sxdg:
      return {{{hadamard}, make_operation(sdg, {target})}};
    case cx:
      return {{{hadamard}, make_operation(cz, {gate.qubits[0], target})}};
    default:
      return std::nullopt;
  }
}

}  // namespace

GateSequence fractional_power(const GateSequence& sequence, const Rational& exponent) {
  const auto fail = [] { throw InputError("a fractional power of this gate is not supported"); };
  if (sequence.operations.empty()) {
    const std::optional<Angle> phase = principal_angle(sequence.phase);
    if (!phase) fail();
    return {{}, *phase * exponent};
  }
  if (sequence.operations.size() != 1 || !sequence.phase.is_zero() ||
      sequence.operations[0].kind != OperationKind::gate) {
    fail();
  }
  const Operation& gate = sequence.operations[0];
  if (auto power = simple_power(gate, exponent)) return {{*std::move(power)}, {}};
  const auto parts = diagonalized(gate);
  if (!parts && is_pauli_rotation(gate)) {
    throw InputError(
        "a fractional power of a rotation is supported only for a known angle between -2*pi and "
        "2*pi, for which the principal power is the rotation by a part of it");
  }
  if (!parts && (gate.gate == cp || phase_angle(gate))) {
    throw InputError(
        "a fractional power of a phase gate is supported only for a known angle, because its "
        "principal value depends on the angle modulo 2*pi");
  }
  if (!parts) fail();
  GateSequence result;
  result.operations = parts->first;
  result.operations.push_back(*simple_power(parts->second, exponent));
  const GateSequence back = inverse({parts->first, {}});
  result.operations.insert(result.operations.end(), back.operations.begin(), back.operations.end());
  return result;
}

void check_length(std::uint64_t operations, std::uint64_t times) {
  if (operations == 0 || times <= kMaxModifiedOperations / operations) return;
  throw InputError("the modified gate has more than " + std::to_string(kMaxModifiedOperations) +
                   " operations");
}

GateSequence controlled(const GateSequence& sequence, std::span<const Qubit> controls,
                        std::span<const Qubit> others, ControlExpansion expansion) {
  // No gate borrows more qubits than it has controls, and few of these are operands of a step.
  constexpr std::size_t kMostBorrowed = 2 * kMaxControls;
  if (controls.empty()) return sequence;
  std::vector<Qubit> borrowed;
  for (const Operation& operation : sequence.operations) {
    borrowed.insert(borrowed.end(), operation.qubits.begin(), operation.qubits.end());
  }
  std::ranges::sort(borrowed);
  borrowed.erase(std::ranges::unique(borrowed).begin(), borrowed.end());
  if (borrowed.size() > kMostBorrowed) borrowed.resize(kMostBorrowed);
  borrowed.insert(borrowed.end(), others.begin(), others.end());
  GateSequence result;
  Controller(borrowed, expansion, result.operations)
      .append_sequence(sequence.operations, sequence.phase, {controls.begin(), controls.end()});
  return result;
}

GateSequence inverse(const GateSequence& sequence) {
  GateSequence result;
  result.phase = -sequence.phase;
  for (std::size_t i = sequence.operations.size(); i-- > 0;) {
    const Operation& operation = sequence.operations[i];
    if (operation.kind != OperationKind::gate) {
      result.operations.push_back(operation);
      continue;
    }
    const Decomposition steps = inverse_of(operation);
    result.operations.insert(result.operations.end(), steps.operations.begin(),
                             steps.operations.end());
    result.phase.add_phase(steps.phase);
  }
  return result;
}

Repetition power(const GateSequence& sequence, std::int64_t exponent) {
  if (exponent < 0) return power(inverse(sequence), -exponent);
  const std::vector<Operation>& operations = sequence.operations;
  if (exponent == 0 || (operations.empty() && sequence.phase.is_zero())) return {};
  if (operations.size() == 1 && is_rotation(operations[0])) {
    GateSequence multiple{operations, sequence.phase * Rational(exponent)};
    multiple.operations[0].angles[0] = operations[0].angles[0] * Rational(exponent);
    return {std::move(multiple), 1};
  }
  if (operations.empty()) return {{{}, sequence.phase * Rational(exponent)}, 1};
  if (operations.size() == 1 && sequence.phase.is_zero() &&
      are_inverse(operations[0], operations[0])) {
    return {sequence, static_cast<std::uint64_t>(exponent % 2)};
  }
  return {sequence, static_cast<std::uint64_t>(exponent)};
}

}  // namespace quartz::qasm
