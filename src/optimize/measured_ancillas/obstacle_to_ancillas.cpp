#include "optimize/measured_ancillas/obstacle_to_ancillas.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "circuit/kept_statement.hpp"
#include "optimize/pauli/pauli_gate.hpp"
#include "optimize/pauli_network/pauli_string.hpp"
#include "optimize/pauli_network/rotation_sequence.hpp"

namespace quartz::optimizer {

std::optional<std::string> obstacle_to_ancillas(const Circuit& circuit) {
  if (std::ranges::any_of(circuit.operations, circuit::is_kept_statement)) {
    return "the circuit has loops or other statements";
  }
  if (circuit.qubit_count() > kMaxQubitsOfPauliString) {
    return fmt::format("the circuit has {} qubits, and the most are {}", circuit.qubit_count(),
                       kMaxQubitsOfPauliString);
  }
  return std::nullopt;
}

std::size_t most_rotations_of_stretch(const Circuit& circuit) {
  std::size_t most = 0;
  std::size_t rotations = 0;
  for (const Operation& operation : circuit.operations) {
    if (operation.is_boundary()) {
      rotations = 0;
    } else if (operation.gate == GateKind::rz && !quarter_turns(operation.angles[0])) {
      most = std::max(most, ++rotations);
    }
  }
  return most;
}

std::optional<std::string> obstacle_to_rotations(const Circuit& circuit) {
  const std::size_t rotations = most_rotations_of_stretch(circuit);
  if (rotations <= kMaxRotations) return std::nullopt;
  const bool is_one_stretch = std::ranges::none_of(circuit.operations, &Operation::is_boundary);
  return fmt::format(
      "the simplified circuit has {} rotations by other angles than multiples of pi/2{}, and the "
      "most are {}",
      rotations,
      is_one_stretch ? "" : " without a measurement, reset, barrier or condition between",
      kMaxRotations);
}

}  // namespace quartz::optimizer
