#include "optimize/folding/pauli_writer.hpp"

#include <utility>
#include <vector>

#include "quartz/algebra/rational.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::optimizer {
namespace {

constexpr LocalPauli kX{1, 0, 0};
constexpr LocalPauli kZ{0, 1, 0};

void append_on(const circuit::PhasedGates& pauli, Qubit qubit, circuit::PhasedGates& result) {
  for (Operation operation : pauli.gates) {
    operation.qubits[0] = qubit;
    result.gates.push_back(std::move(operation));
  }
  result.phase.add_phase(pauli.phase);
}

}  // namespace

PauliWriter::PauliWriter(const GateSet& set) : writer_(set) {
  for (const GateSetEntry& entry : set.entries) {
    const PauliRotation* const rotation = pauli_rotation_of(entry.gate);
    if (rotation == nullptr || gate(entry.gate).qubits != 1) continue;
    AngleList angles(gate(entry.gate).parameters.size());
    const Operation operation = on_own_operands(gate(entry.gate), std::move(angles));
    if (!writer_.writable(operation)) continue;
    offer(operation, *rotation, kX, x_);
    offer(operation, *rotation, kZ, z_);
  }
}

void PauliWriter::offer(const Operation& operation, const PauliRotation& rotation,
                        const LocalPauli& axis, std::optional<circuit::PhasedGates>& found) {
  if (rotation.axis.x != axis.x || rotation.axis.z != axis.z) return;
  std::optional<circuit::PhasedGates> written =
      writer_.write(operation, rotation.axis, Angle::pi_times(Rational(1)));
  if (!written || (found && found->gates.size() <= written->gates.size())) return;
  // The operator is i times its rotation by half a turn, up to the sign of the axis.
  const bool is_negative = rotation.axis.phase != axis.phase;
  written->phase.add_phase(Angle::pi_times(Rational(is_negative ? -1 : 1, 2)));
  found = std::move(written);
}

circuit::PhasedGates PauliWriter::write(const LocalPauli& pauli, Qubit qubit) const {
  circuit::PhasedGates result;
  if (pauli.z != 0) append_on(*z_, qubit, result);
  if (pauli.x != 0) append_on(*x_, qubit, result);
  return result;
}

}  // namespace quartz::optimizer
