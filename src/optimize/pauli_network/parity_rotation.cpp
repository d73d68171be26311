#include "optimize/pauli_network/parity_rotation.hpp"

namespace quartz::optimizer {

void append_parity_rotation(std::span<const Qubit> qubits, const Operation& rotation,
                            std::vector<Operation>& gates) {
  std::vector<Operation> cnots;
  for (const Qubit qubit : qubits.subspan(1)) {
    cnots.push_back(make_operation(GateKind::cx, {qubit, qubits.front()}));
  }
  gates.insert(gates.end(), cnots.begin(), cnots.end());
  gates.push_back(rotation);
  gates.insert(gates.end(), cnots.rbegin(), cnots.rend());
}

}  // namespace quartz::optimizer
