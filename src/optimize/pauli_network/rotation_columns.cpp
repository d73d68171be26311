#include "optimize/pauli_network/rotation_columns.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

#include "optimize/pauli/pauli_gate.hpp"

namespace quartz::optimizer {
namespace {

/// Writes gates from the last one to the first one: those of the Clifford operator are pulled
/// through all operators that come after them.
class ColumnWriter {
 public:
  ColumnWriter(std::size_t rotations, std::uint32_t qubits)
      : result_{PauliColumns(rotations, qubits),
                std::vector<Angle>(rotations),
                {},
                PauliColumns(2 * std::size_t{qubits}, qubits)},
        next_(rotations) {
    for (std::uint32_t qubit = 0; qubit < qubits; ++qubit) {
      result_.images.set(2 * std::size_t{qubit}, qubit, 1);
      result_.images.set(2 * std::size_t{qubit} + 1, qubit, 2);
    }
  }

  /// Returns false if the gate is none of {h, x, rz, cx}.
  bool add(const Operation& gate) {
    switch (gate.gate) {
      case GateKind::h:
        add(CliffordGate{CliffordKind::h, gate.qubits[0]});
        return true;
      case GateKind::x:
        add(CliffordGate{CliffordKind::x, gate.qubits[0]});
        return true;
      case GateKind::cx:
        add(CliffordGate{CliffordKind::cx, gate.qubits[0], gate.qubits[1]});
        return true;
      case GateKind::rz: {
        const std::optional<unsigned> quarters = quarter_turns(gate.angles[0]);
        if (!quarters) {
          --next_;
          result_.axes.set(next_, gate.qubits[0], 2);
          result_.angles[next_] = gate.angles[0];
          return true;
        }
        // A full turn changes the sign.
        result_.is_negated = result_.is_negated != (*quarters >= 4);
        if (*quarters % 4 != 0) {
          add(CliffordGate{CliffordKind::s, gate.qubits[0], 0, *quarters % 4});
        }
        return true;
      }
      default:
        return false;
    }
  }

  [[nodiscard]] RotationColumns take() && {
    std::ranges::reverse(result_.clifford);
    return std::move(result_);
  }

 private:
  void add(const CliffordGate& gate) {
    CliffordGate inverse = gate;
    if (gate.kind == CliffordKind::s) inverse.quarters = 4 - gate.quarters;
    result_.axes.push(inverse);
    result_.images.push(inverse);
    result_.clifford.push_back(gate);
  }

  RotationColumns result_;
  std::size_t next_;  ///< rotations before this one are not yet there
};

}  // namespace

RotationColumns rotation_columns(const RotationSequence& sequence) {
  const auto qubits = static_cast<std::uint32_t>(sequence.images.size() / 2);
  std::vector<PauliString> axes;
  std::vector<Angle> angles;
  for (const Rotation& rotation : sequence.rotations) {
    axes.push_back(rotation.axis);
    angles.push_back(rotation.angle);
  }
  return {PauliColumns(axes, qubits), std::move(angles), sequence.clifford,
          PauliColumns(sequence.images, qubits), sequence.is_negated};
}

std::optional<RotationColumns> rotation_columns(std::span<const Operation> gates,
                                                std::uint32_t qubits) {
  if (qubits > kMaxQubitsOfNetwork || qubits == 0) return std::nullopt;
  const std::size_t rotations = count_rotations(gates);
  if (rotations > kMaxRotations) return std::nullopt;
  ColumnWriter writer(rotations, qubits);
  for (const Operation& gate : std::views::reverse(gates)) {
    if (!writer.add(gate)) return std::nullopt;
  }
  return std::move(writer).take();
}

}  // namespace quartz::optimizer
