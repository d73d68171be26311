#pragma once

#include <utility>

#include "quartz/base/errors.hpp"
#include "quartz/target/gate_set.hpp"
#include "random_circuits.hpp"

namespace quartz::test {

/// Returns a random circuit in the gates of a set, with permitted angles: multiples of pi/4 for
/// gates that accept any angle.
inline Circuit random_circuit_in(const GateSet& set, Random& random, std::uint32_t qubits,
                                 std::size_t size) {
  std::vector<Operation> operations;
  while (operations.size() < size) {
    const GateSetEntry& entry = set.entries[below(random, set.entries.size())];
    if (gate(entry.gate).qubits > qubits) continue;
    Operation operation = random_gate(random, {entry.gate}, qubits, 4);
    if (!entry.angles.empty()) operation.angles = entry.angles[below(random, entry.angles.size())];
    for (std::size_t i = 0; i < entry.ranges.size(); ++i) {
      if (!entry.ranges[i]) continue;
      const Angle width = entry.ranges[i]->greatest - entry.ranges[i]->least;
      const auto eighths = static_cast<std::int64_t>(1 + below(random, 8));
      operation.angles[i] = entry.ranges[i]->least + width * Rational(eighths, 8);
    }
    operations.push_back(std::move(operation));
  }
  return make_circuit(qubits, std::move(operations));
}

/// Returns the circuit with decimals instead of the angles for gates that accept any angle.
inline Circuit with_decimal_angles(Circuit circuit, const GateSet& set, Random& random) {
  for (Operation& operation : circuit.operations) {
    ensure(set.contains(operation), "the circuit is in the set");
    for (Angle& angle : operation.angles) {
      const auto thousandths = static_cast<std::int64_t>(below(random, 6283));
      const Angle before = std::exchange(angle, Angle::radians(Rational(thousandths, 1000)));
      if (!set.contains(operation)) angle = before;
    }
  }
  return circuit;
}

/// Returns a Clifford+T circuit on two qubits, in the given gates, whose shortest form with three
/// entangling gates needs angles that are not rational multiples of pi.
inline Circuit deep_two_qubit_circuit(GateKind turn, GateKind entangler) {
  std::vector<Operation> operations;
  for (int layer = 0; layer < 6; ++layer) {
    for (const Qubit qubit : {0U, 1U}) {
      operations.push_back(make_operation(turn, {qubit}));
      operations.push_back(
          make_operation(GateKind::rz, {qubit}, {Angle::pi_times(Rational(1, 4))}));
    }
    operations.push_back(make_operation(entangler, {0, 1}));
  }
  return make_circuit(2, std::move(operations));
}

}  // namespace quartz::test
