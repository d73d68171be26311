#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/gate.hpp"

/// Random circuits for property tests.
namespace quartz::test {

using Random = std::mt19937_64;

inline std::uint32_t below(Random& random, std::size_t bound) {
  return static_cast<std::uint32_t>(random() % bound);
}

/// Returns the kinds of gates on at most this many qubits.
inline std::vector<GateKind> kinds_up_to(unsigned qubits) {
  std::vector<GateKind> kinds;
  for (const Gate& row : gate_table()) {
    if (row.qubits <= qubits) kinds.push_back(row.kind);
  }
  return kinds;
}

/// Returns a gate on random, distinct qubits; its angles are multiples of pi / `angle_divisor`.
inline Operation random_gate(Random& random, const std::vector<GateKind>& kinds,
                             std::uint32_t qubits, std::int64_t angle_divisor) {
  Operation operation;
  operation.gate = kinds[below(random, kinds.size())];
  const Gate& row = gate(operation.gate);
  while (operation.qubits.size() < row.qubits) {
    const Qubit qubit = below(random, qubits);
    if (std::find(operation.qubits.begin(), operation.qubits.end(), qubit) ==
        operation.qubits.end()) {
      operation.qubits.push_back(qubit);
    }
  }
  for (std::size_t i = 0; i < row.parameters.size(); ++i) {
    const auto numerator = static_cast<std::int64_t>(random() % (2 * angle_divisor));
    operation.angles.push_back(Angle::pi_times(Rational(numerator, angle_divisor)));
  }
  return operation;
}

inline Circuit random_circuit(Random& random, const std::vector<GateKind>& kinds,
                              std::uint32_t qubits, std::size_t size,
                              std::int64_t angle_divisor = 4) {
  std::vector<Operation> operations;
  while (operations.size() < size) {
    operations.push_back(random_gate(random, kinds, qubits, angle_divisor));
  }
  return make_circuit(qubits, std::move(operations));
}

/// Returns an equal circuit, with a gate and its inverse inserted at a random position.
inline Circuit with_inverse_pair(const Circuit& circuit, Random& random,
                                 const std::vector<GateKind>& kinds,
                                 std::int64_t angle_divisor = 4) {
  Circuit result = circuit;
  const Operation added = random_gate(random, kinds, circuit.qubit_count(), angle_divisor);
  const Decomposition inverse = inverse_of(added);
  std::vector<Operation> inserted{added};
  inserted.insert(inserted.end(), inverse.operations.begin(), inverse.operations.end());
  const auto place = result.operations.begin() + below(random, result.operations.size() + 1);
  result.operations.insert(place, inserted.begin(), inserted.end());
  result.global_phase += -inverse.phase;
  return result;
}

/// Returns an equal circuit, with one gate decomposed if the table has a decomposition of it.
inline Circuit with_decomposed_gate(const Circuit& circuit, Random& random) {
  Circuit result = circuit;
  const std::size_t place = below(random, circuit.operations.size());
  const Operation original = circuit.operations[place];
  for (const Decomposition& pattern : gate(original.gate).decompositions) {
    if (!pattern.when.empty()) continue;
    const Decomposition filled = instantiate(pattern, original);
    const auto at = result.operations.erase(result.operations.begin() + place);
    result.operations.insert(at, filled.operations.begin(), filled.operations.end());
    result.global_phase += filled.phase;
    break;
  }
  return result;
}

inline Operation with_classical(Operation operation, ClassicalPart part) {
  operation.classical = std::make_shared<const ClassicalPart>(std::move(part));
  return operation;
}

inline Operation measure(Qubit qubit, ClassicalBit bit) {
  Operation operation;
  operation.kind = OperationKind::measure;
  operation.qubits.push_back(qubit);
  return with_classical(std::move(operation), {{bit}, {}, {}});
}

inline Operation reset(Qubit qubit) {
  Operation operation;
  operation.kind = OperationKind::reset;
  operation.qubits.push_back(qubit);
  return operation;
}

inline Operation barrier(std::initializer_list<Qubit> qubits) {
  Operation operation;
  operation.kind = OperationKind::barrier;
  operation.qubits.assign(qubits.begin(), qubits.end());
  return operation;
}

inline Operation opaque(std::string name, std::initializer_list<Qubit> qubits,
                        std::vector<Angle> angles = {}) {
  Operation operation;
  operation.kind = OperationKind::opaque;
  operation.qubits.assign(qubits.begin(), qubits.end());
  operation.angles = std::move(angles);
  return with_classical(std::move(operation), {{}, {}, std::move(name)});
}

/// Returns the operation under `if (register == value)`, which replaces its own conditions.
inline Operation conditional(const Operation& operation, std::uint32_t bit_register,
                             std::uint64_t value) {
  ClassicalPart part = operation.classical == nullptr ? ClassicalPart{} : *operation.classical;
  part.conditions = {Condition{bit_register, value}};
  return with_classical(operation, std::move(part));
}

/// Returns a circuit with qubits q[n] and classical registers c0[sizes[0]], c1[sizes[1]], ...
inline Circuit classical_circuit(std::uint32_t qubits, const std::vector<std::uint32_t>& sizes,
                                 std::vector<Operation> operations) {
  Circuit circuit = make_circuit(qubits, std::move(operations));
  for (const std::uint32_t size : sizes) {
    const auto index = circuit.bit_registers.size();
    circuit.bit_registers.push_back({"c" + std::to_string(index), circuit.bit_count(), size});
  }
  return circuit;
}

}  // namespace quartz::test
