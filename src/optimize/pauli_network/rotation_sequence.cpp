#include "optimize/pauli_network/rotation_sequence.hpp"

#include <algorithm>
#include <utility>

#include "optimize/pauli/pauli_gate.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {

Operation gate_of(const CliffordGate& gate) {
  switch (gate.kind) {
    case CliffordKind::h:
      return make_operation(GateKind::h, {gate.first});
    case CliffordKind::s:
      return make_operation(
          GateKind::rz, {gate.first},
          {Angle::pi_times(Rational(static_cast<std::int64_t>(gate.quarters), 2))});
    case CliffordKind::x:
      return make_operation(GateKind::x, {gate.first});
    case CliffordKind::cx:
      return make_operation(GateKind::cx, {gate.first, gate.second});
  }
  throw InternalError("a Clifford gate of no kind");
}

std::optional<RotationSequence> rotation_sequence(std::span<const Operation> gates,
                                                  std::uint32_t qubits) {
  if (qubits > kMaxQubitsOfPauliString || qubits == 0) return std::nullopt;
  RotationSequence result;
  for (std::uint32_t qubit = 0; qubit < qubits; ++qubit) {
    result.images.push_back({bit_of(qubit), 0, 0});
    result.images.push_back({0, bit_of(qubit), 0});
  }
  std::vector<PauliString>& images = result.images;
  for (const Operation& gate : gates) {
    const std::size_t first = gate.qubits[0];
    PauliString& x = images[2 * first];
    PauliString& z = images[2 * first + 1];
    switch (gate.gate) {
      case GateKind::h:
        std::swap(x, z);
        result.clifford.push_back({CliffordKind::h, gate.qubits[0]});
        break;
      case GateKind::x:
        z.phase = (z.phase + 2) % 4;
        result.clifford.push_back({CliffordKind::x, gate.qubits[0]});
        break;
      case GateKind::cx: {
        const std::size_t second = gate.qubits[1];
        x = product(x, images[2 * second]);
        images[2 * second + 1] = product(z, images[2 * second + 1]);
        result.clifford.push_back({CliffordKind::cx, gate.qubits[0], gate.qubits[1]});
        break;
      }
      case GateKind::rz: {
        const std::optional<unsigned> quarters = quarter_turns(gate.angles[0]);
        if (!quarters) {
          if (result.rotations.size() == kMaxRotations) return std::nullopt;
          result.rotations.push_back({z, gate.angles[0]});
          break;
        }
        // A full turn changes the sign.
        result.is_negated = result.is_negated != (*quarters >= 4);
        if (*quarters % 4 == 0) break;
        // S^dagger X S = -Y = -i X Z.
        for (unsigned i = 0; i < *quarters % 4; ++i) {
          x = product(x, z);
          x.phase = (x.phase + 3) % 4;
        }
        result.clifford.push_back({CliffordKind::s, gate.qubits[0], 0, *quarters % 4});
        break;
      }
      default:
        return std::nullopt;
    }
  }
  return result;
}

std::size_t count_rotations(std::span<const Operation> gates) {
  return static_cast<std::size_t>(std::ranges::count_if(gates, [](const Operation& gate) {
    return gate.gate == GateKind::rz && !quarter_turns(gate.angles[0]);
  }));
}

}  // namespace quartz::optimizer
