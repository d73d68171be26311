#include <catch2/catch.hpp>
#include <complex>
#include <string>
#include <vector>

#include "programs.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/circuit/unitary.hpp"

using namespace quartz;
using namespace quartz::test;
using enum quartz::GateKind;

namespace {

using Operations = std::vector<Operation>;

/// Returns a circuit of this gate alone, with angles for which no special identity holds.
Circuit circuit_of(const Gate& row, unsigned version) {
  Operation operation;
  operation.gate = row.kind;
  for (Qubit i = 0; i < row.qubits; ++i) operation.qubits.push_back(i);
  for (std::size_t i = 0; i < row.parameters.size(); ++i) {
    operation.angles.push_back(radians(3 + 4 * static_cast<std::int64_t>(i), 10));
  }
  Circuit circuit = make_circuit(row.qubits, {operation});
  circuit.qasm_version = version;
  return circuit;
}

/// Returns the program with every whole word `from` replaced by `to`.
std::string renamed(std::string program, const std::string& from, const std::string& to) {
  for (const std::string& before : {std::string("\n"), std::string("gate ")}) {
    for (const std::string& after : {std::string(" "), std::string("(")}) {
      const std::string old = before + from + after;
      for (std::size_t at = 0; (at = program.find(old, at)) != std::string::npos;) {
        program.replace(at, old.size(), before + to + after);
      }
    }
  }
  return program;
}

/// Returns the largest difference between the entries.
double distance(const std::vector<Complex>& expected, const std::vector<Complex>& actual) {
  double largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, std::abs(expected[i] - actual[i]));
  }
  return largest;
}

}  // namespace

TEST_CASE("A definition is expanded, with its parameters") {
  const Circuit circuit = parse_2(
      "gate inner(t) a { rz(t/2) a; rz(sin(pi/2)*t) a; }\n"
      "gate outer(x,y) a,b { inner(x+y) b; cx b,a; barrier a; U(x,-y,0) a; id b; }\n"
      "qreg q[3]; outer(pi,0.5) q[2],q[0]; inner(1) q;");
  CHECK(circuit.operations ==
        Operations{make_operation(rz, {0}, {pi(1, 2) + radians(1, 4)}),
                   make_operation(rz, {0}, {pi(1) + radians(1, 2)}), make_operation(cx, {0, 2}),
                   [] {
                     Operation barrier = make_operation(GateKind{}, {2});
                     barrier.kind = OperationKind::barrier;
                     return barrier;
                   }(),
                   make_operation(u, {2}, {pi(1), radians(-1, 2), Angle()}),
                   make_operation(id, {0}), make_operation(rz, {0}, {radians(1, 2)}),
                   make_operation(rz, {0}, {radians(1)}), make_operation(rz, {1}, {radians(1, 2)}),
                   make_operation(rz, {1}, {radians(1)}), make_operation(rz, {2}, {radians(1, 2)}),
                   make_operation(rz, {2}, {radians(1)})});
}

TEST_CASE("A definition takes free parameters, and global phases") {
  const Circuit circuit =
      parse_3("input float theta; gate g(a) q { gphase(a/2); p(-a) q; } qubit[2] q; g(theta) q; ");
  const Angle theta = Angle::symbol("theta");
  CHECK(circuit.global_phase == theta);
  CHECK(circuit.operations ==
        Operations{make_operation(p, {0}, {-theta}), make_operation(p, {1}, {-theta})});
}

TEST_CASE("A definition overrides the gate of the table in the rest of the program") {
  const Circuit circuit = parse_2(
      "qreg q[2]; h q[0]; gate h a { x a; } h q[0]; gate rzz(t) a,b { cz a,b; } rzz(1) q[0],q[1];");
  CHECK(circuit.operations ==
        Operations{make_operation(h, {0}), make_operation(x, {0}), make_operation(cz, {0, 1})});
}

TEST_CASE("Loops over constants in a definition are unrolled") {
  const Circuit circuit = parse_3(
      "const int n = 2; gate g(t) a, b {\n"
      "  for int i in [1:n] { rz(i*t) a; for uint k in {1, 3} rx(k) b; }\n"
      "  for int i in [2:1] { h a; }\n"
      "  for int i in [3:-1:2] p(pow(2, i)) a;\n"
      "} qubit[2] q; g(pi/8) q[0], q[1];");
  CHECK(circuit.operations ==
        Operations{make_operation(rz, {0}, {pi(1, 8)}), make_operation(rx, {1}, {radians(1)}),
                   make_operation(rx, {1}, {radians(3)}), make_operation(rz, {0}, {pi(1, 4)}),
                   make_operation(rx, {1}, {radians(1)}), make_operation(rx, {1}, {radians(3)}),
                   make_operation(p, {0}, {radians(8)}), make_operation(p, {0}, {radians(4)})});
  CHECK(parse_qasm(write_qasm(circuit)) == circuit);
}

TEST_CASE("pow is a function in expressions, and a modifier before gates") {
  const Circuit circuit = parse_3("qubit q; rz(pow(2, -1)*pi + 2**2) q; pow(2) @ t q;");
  CHECK(circuit.operations == parse_3("qubit q; rz(pi/2 + 4) q; pow(2) @ t q;").operations);
  CHECK(parse_3("const int n = pow(2, 3); qubit[n] q;").qubit_count() == 8);
  CHECK(error_of(version_2 + "qreg q[1]; rz(pow(2, 3)) q[0];").find("unknown name 'pow'") !=
        std::string::npos);
}

TEST_CASE("An empty definition does nothing") {
  CHECK(parse_2("gate nop(a,b) x,y { } qreg q[2]; nop(1,2) q[0],q[1];").operations.empty());
}

TEST_CASE("The definitions that Qiskit writes are read") {
  const Circuit circuit = parse_2(
      "gate rzx(param0) q0,q1 { h q1; cx q0,q1; rz(param0) q1; cx q0,q1; h q1; }\n"
      "gate ecr q0,q1 { rzx(pi/4) q0,q1; x q0; rzx(-pi/4) q0,q1; }\n"
      "gate unitary123 q0 { u(1.5707963267948966,0,pi) q0; }\n"
      "gate iswap q0,q1 { s q0; s q1; h q0; cx q0,q1; cx q1,q0; h q1; }\n"
      "qreg q[2]; unitary123 q[0]; ecr q[0],q[1]; iswap q[1],q[0];");
  REQUIRE(circuit.operations.size() == 1 + 11 + 1);
  CHECK(circuit.operations[0] == make_operation(u, {0}, {pi(1, 2), Angle(), pi(1)}));
  CHECK(circuit.operations[3] == make_operation(rz, {1}, {pi(1, 4)}));
  CHECK(circuit.operations[9] == make_operation(rz, {1}, {pi(-1, 4)}));
  // The definition is word for word the writer's definition of the table's gate, so it is that
  // gate.
  CHECK(circuit.operations.back() == make_operation(iswap, {1, 0}));
}

TEST_CASE("Only the writer's definition of a gate is read as that gate") {
  const auto gates = [](const std::string& definition) {
    return parse_2(definition + " qreg q[3]; r(1,2) q[0];").operations;
  };
  const std::string ours = "gate r(theta,phi) q0 { u3(theta,phi-pi/2,-phi+pi/2) q0; }";
  CHECK(gates(ours) == Operations{make_operation(r, {0}, {radians(1), radians(2)})});
  CHECK(gates("gate r(a,b) x { u3(a,-pi/2+b,pi/2-b) x; }") == gates(ours));
  for (const std::string other :
       {"gate r(theta,phi) q0 { u3(theta,phi+pi/2,-phi+pi/2) q0; }",
        "gate r(phi,theta) q0 { u3(theta,phi-pi/2,-phi+pi/2) q0; }",
        "gate r(theta,phi) q0 { u(theta,phi-pi/2,-phi+pi/2) q0; }",
        "gate r(theta,phi) q0 { u3(theta,phi-pi/2,-phi+pi/2) q0; id q0; }",
        "gate r(theta,phi) q0 { u3(theta*theta,phi-pi/2,-phi+pi/2) q0; }"}) {
    INFO(other);
    for (const Operation& operation : gates(other)) CHECK(operation.gate != r);
  }
}

TEST_CASE("Every definition that is written is read as the gate and means the gate") {
  for (const unsigned version : {2U, 3U}) {
    for (const Gate& row : gate_table()) {
      const Circuit circuit = circuit_of(row, version);
      const std::string program = write_qasm(circuit);
      INFO(program);
      CHECK(parse_qasm(program) == circuit);

      const std::string name(row.name);
      if (program.find("gate " + name) == std::string::npos) continue;  // in the include file
      // Under another name the definition is expanded to the same unitary, including its phase.
      const Circuit expanded = parse_qasm(renamed(program, name, "my_" + name));
      CHECK(expanded.operations != circuit.operations);
      auto expected = unitary_of(circuit.operations, row.qubits);
      auto actual = unitary_of(expanded.operations, row.qubits);
      for (Complex& entry : actual) entry *= std::polar(1.0, expanded.global_phase.value());
      CHECK(distance(expected, actual) < 1e-12);
    }
  }
}

TEST_CASE("Definitions of the gates of the include file mean these gates, including their phase") {
  for (const unsigned version : {2U, 3U}) {
    for (const Gate& row : gate_table()) {
      Circuit circuit = circuit_of(row, version);
      circuit.qubit_registers[0].name = "swap";  // hides a gate of both files
      const std::string program = write_qasm(circuit);
      INFO(program);
      CHECK(program.find("include") == std::string::npos);
      CHECK(parse_qasm(program) == circuit);
      const std::string name = row.kind == GateKind::swap ? "quartz_swap" : std::string(row.name);
      if (program.find("gate " + name) == std::string::npos) continue;  // built in
      const Circuit expanded = parse_qasm(renamed(program, name, "my_" + name));
      auto expected = unitary_of(circuit.operations, row.qubits);
      auto actual = unitary_of(expanded.operations, row.qubits);
      for (Complex& entry : actual) entry *= std::polar(1.0, expanded.global_phase.value());
      CHECK(distance(expected, actual) < 1e-12);
    }
  }
}

TEST_CASE("Definitions that earlier versions wrote without their phase are read as the gates") {
  const Circuit circuit = parse_2(
      "gate ecr q0,q1 { s q0; sx q1; cx q0,q1; x q0; }\n"
      "qreg q[2]; ecr q[0],q[1];");
  CHECK(circuit.operations == Operations{make_operation(ecr, {0, 1})});
}

TEST_CASE("Gates of the include files need no definition, all others do") {
  std::vector<std::string> defined[2];
  for (const unsigned version : {2U, 3U}) {
    for (const Gate& row : gate_table()) {
      const std::string program = write_qasm(circuit_of(row, version));
      if (program.find("gate " + std::string(row.name)) != std::string::npos) {
        defined[version - 2].emplace_back(row.name);
      }
    }
  }
  // The expected lists follow from the include files that Qiskit 2.6 ships.
  CHECK(defined[0] == std::vector<std::string>{"r", "gpi", "gpi2", "cs", "csdg", "iswap", "iswapdg",
                                               "sqrtiswap", "sqrtiswapdg", "ecr", "ms", "ryy",
                                               "rzx", "ccz"});
  CHECK(defined[1] == std::vector<std::string>{
                          "sxdg", "r",   "gpi",     "gpi2",    "cs",        "csdg",        "csx",
                          "cu1",  "cu3", "iswap",   "iswapdg", "sqrtiswap", "sqrtiswapdg", "ecr",
                          "rxx",  "ms",  "ryy",     "rzz",     "rzx",       "ccz",         "rccx",
                          "c3x",  "c4x", "c3sqrtx", "rc3x"});
}
