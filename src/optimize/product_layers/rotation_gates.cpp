#include "optimize/product_layers/rotation_gates.hpp"

#include <bit>
#include <cstdint>

namespace quartz::optimizer {
namespace {

Operation quarter_rotation(Qubit qubit, int sign) {
  return make_operation(GateKind::rz, {qubit}, {Angle::pi_times(Rational(sign, 2))});
}

/// Appends gates that turn the operator of an axis on a qubit into Z.
void append_basis_change(const PauliString& axis, Qubit qubit, std::vector<Operation>& gates) {
  const std::uint64_t bit = bit_of(qubit);
  if ((axis.x & bit) == 0) return;
  // S^dagger Y S = X, and H maps that to Z.
  if ((axis.z & bit) != 0) gates.push_back(quarter_rotation(qubit, -1));
  gates.push_back(make_operation(GateKind::h, {qubit}));
}

/// Appends the inverse of gates from append_basis_change() and of CNOTs.
void append_undone(std::span<const Operation> gates, std::vector<Operation>& result) {
  for (auto gate = gates.rbegin(); gate != gates.rend(); ++gate) {
    result.push_back(gate->gate == GateKind::rz ? quarter_rotation(gate->qubits[0], 1) : *gate);
  }
}

void append_ladder(const Rotation& rotation, std::vector<Operation>& gates) {
  std::uint64_t support = rotation.axis.support();
  if (support == 0) return;
  std::vector<Operation> before;
  const auto target = static_cast<Qubit>(std::countr_zero(support));
  for (; support != 0; support &= support - 1) {
    const auto qubit = static_cast<Qubit>(std::countr_zero(support));
    append_basis_change(rotation.axis, qubit, before);
    if (qubit != target) before.push_back(make_operation(GateKind::cx, {qubit, target}));
  }
  gates.insert(gates.end(), before.begin(), before.end());
  const Angle angle = is_negative(rotation.axis) ? -rotation.angle : rotation.angle;
  gates.push_back(make_operation(GateKind::rz, {target}, {angle}));
  append_undone(before, gates);
}

}  // namespace

std::vector<Operation> gates_of(std::span<const CliffordGate> gates) {
  std::vector<Operation> result;
  for (const CliffordGate& gate : gates) result.push_back(gate_of(gate));
  return result;
}

/// All gates are replaced at once.

circuit::PhasedGates gates_of(const RotationSequence& sequence) {
  circuit::PhasedGates result;
  for (const Rotation& rotation : sequence.rotations) append_ladder(rotation, result.gates);
  const std::vector<Operation> clifford = gates_of(sequence.clifford);
  result.gates.insert(result.gates.end(), clifford.begin(), clifford.end());
  if (sequence.is_negated) result.phase = Angle::pi_times(Rational(1));
  return result;
}

}  // namespace quartz::optimizer
