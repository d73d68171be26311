// A minimal program that uses the library.
#include <iostream>
#include <quartz/certify/equivalence.hpp>
#include <quartz/circuit/cost.hpp>
#include <quartz/qasm/qasm.hpp>

int main() {
  const std::string header = "OPENQASM 2.0; include \"qelib1.inc\"; qreg q[2]; ";
  const quartz::Circuit pair = quartz::parse_qasm(header + "cz q[0],q[1]; x q[0]; cz q[0],q[1];");
  const quartz::Circuit single = quartz::parse_qasm(header + "x q[0]; z q[1];");
  std::cout << quartz::count_gates(pair).total << " gates and " << quartz::count_gates(single).total
            << ": " << quartz::to_string(quartz::check_equivalence(pair, single).verdict) << '\n';
}
