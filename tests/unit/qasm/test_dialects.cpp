#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "programs.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/qasm/dialect.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::test;

namespace {

Circuit in_version_of(Circuit circuit, const Dialect& dialect) {
  if (dialect.version != 0) circuit.qasm_version = dialect.version;
  return circuit;
}

std::string written(const Circuit& circuit, const Dialect& dialect) {
  return write_qasm(in_dialect(in_version_of(circuit, dialect), dialect), dialect);
}

/// Returns a circuit of one gate of the table with its operands in reverse order.
Circuit single_gate(const Gate& row) {
  Operation operation;
  operation.gate = row.kind;
  for (unsigned i = row.qubits; i-- > 0;) operation.qubits.push_back(i);
  for (std::size_t i = 0; i < row.parameters.size(); ++i) {
    operation.angles.push_back(radians(static_cast<std::int64_t>(3 * i + 1), 7));
  }
  return make_circuit(row.qubits, {operation});
}

}  // namespace

TEST_CASE("Every gate is written in every dialect with its matrix and global phase") {
  for (const Dialect& dialect : dialects()) {
    for (const Gate& row : gate_table()) {
      const Circuit circuit = single_gate(row);
      const std::string text = written(circuit, dialect);
      INFO(dialect.name << ":\n" << text);
      const Circuit again = parse_qasm(text, "test");
      CHECK(unitary_distance(circuit, again) < 1e-12);
      if (dialect.gates.empty()) continue;
      CHECK(text.find("\ngate ") == std::string::npos);
      for (const Operation& operation :
           in_dialect(in_version_of(circuit, dialect), dialect).operations) {
        CHECK(std::any_of(dialect.gates.begin(), dialect.gates.end(),
                          [&](const auto& known) { return known.gate == operation.gate; }));
      }
    }
  }
}

TEST_CASE("A dialect determines the version, the include file and the names of gates") {
  const Circuit circuit =
      parse_2("qreg q[2]; cx q[0],q[1]; rzz(pi/4) q[0],q[1]; sdg q[0]; p(0.5) q[1];");
  CHECK(
      written(circuit, *find_dialect("braket")) ==
      "OPENQASM 3.0;\nqubit[2] q;\ncnot q[0],q[1];\nzz(pi/4) q[0],q[1];\nsi q[0];\nphaseshift(0.5) "
      "q[1];\n");
  CHECK(written(circuit, *find_dialect("quantinuum")) ==
        "OPENQASM 2.0;\ninclude \"hqslib1.inc\";\n// global phase: 0.25\nqreg q[2];\ncx "
        "q[0],q[1];\nRZZ(pi/4) q[0],q[1];\nsdg q[0];\nrz(0.5) q[1];\n");
  CHECK(written(circuit, *find_dialect("plain")) ==
        "OPENQASM 2.0;\ninclude \"qelib1.inc\";\n// global phase: 0.25\nqreg q[2];\ncx "
        "q[0],q[1];\ncx q[0],q[1];\nrz(pi/4) q[1];\ncx q[0],q[1];\nsdg q[0];\nrz(0.5) q[1];\n");
  CHECK(written(circuit, *find_dialect("qiskit")) == write_qasm(circuit));
  CHECK(find_dialect("") == nullptr);
}

TEST_CASE("Conditions of a gate are those of all gates that it becomes") {
  const Dialect& plain = *find_dialect("plain");
  const Circuit circuit = parse_2("qreg q[2]; creg c[2]; if(c==2) rzz(0.5) q[0],q[1];");
  CHECK(written(circuit, plain) ==
        "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[2];\ncreg c[2];\nif(c==2) cx "
        "q[0],q[1];\nif(c==2) rz(0.5) q[1];\nif(c==2) cx q[0],q[1];\n");
  const std::string one_bit =
      "OPENQASM 2.0;\ninclude \"hqslib1.inc\";\nqreg q[1];\ncreg c[2];\nmeasure q[0] -> "
      "c[1];\nif(c[1]==1) U1q(0.5,0) q[0];\n";
  CHECK(written(parse_qasm(one_bit), *find_dialect("quantinuum")) == one_bit);
}

TEST_CASE("Braket compares single bits with numbers") {
  const Circuit circuit =
      parse_3("qubit q; bit[2] c; bit d; if (!c[1]) x q; if (c == 2) y q; if (d) z q;");
  CHECK(
      written(circuit, *find_dialect("braket")) ==
      "OPENQASM 3.0;\nqubit[1] q;\nbit[2] c;\nbit[1] d;\nif (c[1] == 0) { x q[0]; }\nif (c[0] == 0 "
      "&& c[1] == 1) { y q[0]; }\nif (d[0] == 1) { z q[0]; }\n");
}

TEST_CASE("What a dialect cannot express is refused by name") {
  const auto error = [](const std::string& program, const std::string& dialect) {
    try {
      (void)in_dialect(parse_qasm(program), *find_dialect(dialect));
    } catch (const UsageError& problem) {
      return std::string(problem.what());
    }
    return std::string();
  };
  CHECK(error(version_2 + "opaque foo a; qreg q[1]; foo q[0];", "plain") ==
        "the dialect 'plain' cannot express 'foo'");
  CHECK(error(version_2 + "qreg x[1]; h x[0];", "plain") ==
        "the name 'x' is that of a gate in the dialect 'plain'");
  CHECK(error(version_2 + "qreg q[1];", "braket") == "the dialect 'braket' has no OpenQASM 2");
  CHECK(error(version_3 + "qubit q;", "quantinuum") ==
        "the dialect 'quantinuum' has no OpenQASM 3");
  CHECK(error(version_3 + "#pragma braket verbatim\nbox { cu(1,2,3,4) $0, $1; }", "braket") ==
        "the dialect 'braket' cannot express 'verbatim cu'");
}
