#include "optimize/measured_ancillas/obstacle_to_ancillas.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "circuit/kept_statement.hpp"
#include "optimize/pauli_network/pauli_string.hpp"

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

}  // namespace quartz::optimizer
