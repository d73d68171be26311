// What a user of the library writes first.
#include <iostream>
#include <quartz/circuit/circuit.hpp>
#include <quartz/circuit/cost.hpp>

int main() {
  using quartz::GateKind;
  const quartz::Circuit circuit = quartz::make_circuit(
      2, {quartz::make_operation(GateKind::h, {0}), quartz::make_operation(GateKind::cx, {0, 1})});
  const quartz::GateCounts counts = quartz::count_gates(circuit);
  std::cout << "total " << counts.total << ", two-qubit " << counts.two_qubit << '\n';
}
