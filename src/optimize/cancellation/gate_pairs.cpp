#include "optimize/cancellation/gate_pairs.hpp"

#include <algorithm>
#include <utility>

#include "optimize/pauli/pauli_gate.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// Appends a Pauli operator on the qubits of a gate.
void append_pauli(const LocalPauli& pauli, const Operation& gate, std::vector<Operation>& result) {
  for (unsigned i = 0; i < gate.qubits.size(); ++i) {
    const bool x = (pauli.x >> i & 1U) != 0;
    const bool z = (pauli.z >> i & 1U) != 0;
    if (!x && !z) continue;
    const GateKind kind = x && z ? GateKind::y : x ? GateKind::x : GateKind::z;
    result.push_back(make_operation(kind, {gate.qubits[i]}));
  }
}

}  // namespace

std::optional<GateOperators> GatePairs::operators_of(const Operation& gate) const {
  if (gate.is_boundary()) return std::nullopt;
  std::optional<GateOperators> result = gate_operators(gate.gate);
  if (result && result->count == 1 && !writer_.writable(gate)) return std::nullopt;
  return result;
}

std::optional<circuit::PhasedGates> GatePairs::merged(const Operation& first,
                                                      const Operation& second,
                                                      const OperatorRelation& relation) {
  const bool is_rotation = gate_operators(first.gate)->count == 1;
  std::optional<circuit::PhasedGates> result =
      is_rotation ? merged_rotations(first, second, relation) : left_of_controlled(first, relation);
  if (!result) return std::nullopt;
  const std::size_t most = is_rotation ? 1 : 2;
  const bool is_shorter = result->gates.size() <= most;
  const bool has_one_qubit_gates = std::ranges::all_of(
      result->gates, [](const Operation& gate) { return gate.qubits.size() == 1; });
  if (!is_shorter || (!is_rotation && !has_one_qubit_gates)) return std::nullopt;
  return result;
}

std::optional<circuit::PhasedGates> GatePairs::merged_rotations(const Operation& first,
                                                                const Operation& second,
                                                                const OperatorRelation& relation) {
  const PauliRotation a = *as_pauli_rotation(first);
  const PauliRotation b = *as_pauli_rotation(second);
  const std::optional<Angle> sum = try_add(a.angle, relation.is_negative[0] ? -b.angle : b.angle);
  if (!sum) return std::nullopt;
  std::optional<circuit::PhasedGates> result = writer_.write(first, a.axis, *sum);
  if (!result) return std::nullopt;
  result->phase.add_phase(a.phase);
  result->phase.add_phase(b.phase);
  return result;
}

/// With P = (1 - A)(1 - B)/4, the gates are 1 - 2 P with the signs of each. Their product is A for
/// another sign of B, B for another sign of A, and -AB for both.
std::optional<circuit::PhasedGates> GatePairs::left_of_controlled(
    const Operation& first, const OperatorRelation& relation) const {
  const GateOperators operators = *gate_operators(first.gate);
  std::vector<Operation> left;
  if (relation.is_negative[1]) append_pauli(operators.paulis[0], first, left);
  if (relation.is_negative[0]) append_pauli(operators.paulis[1], first, left);
  if (left.empty()) return circuit::PhasedGates{};
  const Qubit qubits = *std::ranges::max_element(first.qubits) + 1;
  try {
    Circuit translated = translate(make_circuit(qubits, std::move(left)), set_);
    if (relation.is_negative[0] && relation.is_negative[1]) {
      translated.global_phase.add_phase(Angle::pi_times(Rational(1)));
    }
    return circuit::PhasedGates{std::move(translated.operations), translated.global_phase};
  } catch (const InputError&) {
    return std::nullopt;  // the set has no such gates
  }
}

}  // namespace quartz::optimizer
