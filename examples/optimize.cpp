// Optimizes the circuit in a file for a target, and prints it once it is known to be equal.
#include <iostream>
#include <quartz/quartz.hpp>

int main(int, char** arguments) {
  const quartz::Circuit circuit = quartz::read_qasm_file(arguments[1]);
  const quartz::GateSet target = quartz::load_gate_set("ibm_heron");
  const quartz::SuperoptimizeResult result = quartz::superoptimize(
      circuit, target, {.seconds = 1, .check = quartz::CheckPolicy::required});
  std::cout << quartz::write_qasm(result.circuit);
  std::cerr << "checked: " << result.check.text << '\n';
}
