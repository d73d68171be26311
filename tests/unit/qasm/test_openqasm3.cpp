#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "programs.hpp"

using namespace quartz;
using namespace quartz::test;

// Constructs of OpenQASM 3 beyond OpenQASM 2. Each program is compared with a simpler program with
// the same meaning.

namespace {

/// Checks that both programs are read as the same circuit.
void check_equal_programs(const std::string& program, const std::string& plain) {
  INFO(program);
  const Circuit circuit = parse_3(program);
  const Circuit expected = parse_3(plain);
  CHECK(write_qasm(circuit) == write_qasm(expected));
  CHECK(parse_qasm(write_qasm(circuit)) == circuit);
}

}  // namespace

TEST_CASE("Modified gates that have a name of their own become that gate") {
  const std::string qubits = "qubit[5] q; input float t; ";
  check_equal_programs(
      qubits + "ctrl @ x q[0],q[1]; ctrl(2) @ x q[0],q[1],q[2]; ctrl @ ctrl @ x q[2],q[1],q[0];",
      qubits + "cx q[0],q[1]; ccx q[0],q[1],q[2]; ccx q[2],q[1],q[0];");
  check_equal_programs(
      qubits + "ctrl @ rz(t) q[0],q[1]; ctrl @ U(1,2,3) q[0],q[1]; ctrl @ swap q[0],q[1],q[2];",
      qubits + "crz(t) q[0],q[1]; cu3(1,2,3) q[0],q[1]; cswap q[0],q[1],q[2];");
  check_equal_programs(
      qubits + "negctrl @ x q[0],q[1]; negctrl(2) @ z q[0],q[1],q[2];",
      qubits +
          "x q[0]; cx q[0],q[1]; x q[0]; x q[0]; x q[1]; ccz q[0],q[1],q[2]; x q[0]; "
          "x q[1];");
  check_equal_programs(
      qubits + "inv @ s q[0]; inv @ rz(t) q[0]; inv @ U(1,2,3) q[0]; inv @ cx q[0],q[1];",
      qubits + "sdg q[0]; rz(-t) q[0]; U(-1,-3,-2) q[0]; cx q[0],q[1];");
  check_equal_programs(
      qubits +
          "pow(3) @ t q[0]; pow(-2) @ s q[0]; pow(4) @ rz(t) q[0]; pow(0) @ h q[0]; "
          "pow(2**4+1) @ h q[1];",
      qubits + "t q[0]; t q[0]; t q[0]; sdg q[0]; sdg q[0]; rz(4*t) q[0]; h q[1];");
  check_equal_programs(qubits + "inv @ ctrl @ pow(2) @ s q[0],q[1]; ctrl @ inv @ t q[0],q[1];",
                       qubits + "csdg q[0],q[1]; csdg q[0],q[1]; cp(-pi/4) q[0],q[1];");
  // The controls of the outermost modifier come first.
  check_equal_programs(qubits + "ctrl @ negctrl @ z q[0],q[1],q[2];",
                       qubits + "x q[1]; ccz q[0],q[1],q[2]; x q[1];");
}

TEST_CASE("An exponent that is a quotient of two numbers is not truncated") {
  // The standard file of OpenQASM 3 defines sx in this way.
  CHECK(parse_3("qubit q; pow(1/2) @ x q;") == parse_3("qubit q; pow(0.5) @ x q;"));
  CHECK(parse_3("qubit q; pow(0.25) @ p(4.0) q;") == parse_3("qubit q; p(1.0 - pi/2) q;"));
  CHECK(parse_3("qubit[2] q; pow(0.25) @ cp(-4.0) q[0], q[1];") ==
        parse_3("qubit[2] q; cp(pi/2 - 1.0) q[0], q[1];"));
  CHECK(parse_3("qubit q; pow(0.5) @ gphase(4.0); x q;") ==
        parse_3("qubit q; gphase(2.0 - pi); x q;"));
  CHECK(parse_3("qubit q; pow(-3/4) @ z q;") == parse_3("qubit q; pow(-0.75) @ z q;"));
  CHECK(parse_3("qubit q; pow(4/2) @ x q;") == parse_3("qubit q; pow(2) @ x q;"));
  CHECK(parse_3("gate f a { inv @ pow(1/2) @ s a; } qubit q; f q;").operations ==
        parse_3("qubit q; p(-pi/4) q;").operations);
}

TEST_CASE("CX is a gate that a program of OpenQASM 3 may define") {
  const Circuit circuit = parse_qasm(
      "OPENQASM 3.0; gate CX a, b { ctrl @ U(π, 0, π) a, b; } qubit[2] q; CX q[0], q[1];");
  CHECK(parse_qasm(write_qasm(circuit)) == circuit);
  CHECK(circuit.operations == parse_3("qubit[2] q; ctrl @ U(pi, 0, pi) q[0], q[1];").operations);
}

TEST_CASE("Registers of the old form may be without a size") {
  CHECK(parse_3("qreg q; creg c; x q; measure q -> c;") ==
        parse_3("qubit q; bit c; x q; measure q -> c;"));
}

TEST_CASE("A barrier without operands in a gate is on all its qubits") {
  CHECK(parse_3("gate f a, b { h a; barrier; h b; } qubit[3] q; f q[2], q[0];").operations ==
        parse_3("qubit[3] q; h q[2]; barrier q[2], q[0]; h q[0];").operations);
}

TEST_CASE("Modifiers work on registers, under conditions, and within definitions") {
  check_equal_programs(
      "qubit[2] a; qubit[2] b; qubit c; ctrl @ x a,b; ctrl(2) @ z a,b,c;",
      "qubit[2] a; qubit[2] b; qubit c; cx a[0],b[0]; cx a[1],b[1]; ccz a[0],b[0],c; ccz "
      "a[1],b[1],c;");
  check_equal_programs("qubit[2] q; bit c; if (c) { negctrl @ x q[0],q[1]; }",
                       "qubit[2] q; bit c; if (c) { x q[0]; cx q[0],q[1]; x q[0]; }");
  check_equal_programs(
      "gate g(t) a,b { h a; ctrl @ rz(t/2) a,b; inv @ s b; barrier a,b; h a; }\n"
      "qubit[3] q; g(0.5) q[0],q[1]; inv @ g(0.5) q[1],q[2];",
      "qubit[3] q; h q[0]; crz(0.25) q[0],q[1]; sdg q[1]; barrier q[0],q[1]; h q[0];\n"
      "h q[1]; barrier q[1],q[2]; s q[2]; crz(-0.25) q[1],q[2]; h q[1];");
}

TEST_CASE("The global phase of modified gates is exact") {
  CHECK(parse_3("qubit q; inv @ gphase(pi/4); pow(3) @ gphase(pi/8);").global_phase == pi(1, 8));
  check_equal_programs(
      "qubit[2] q; ctrl @ gphase(pi/4) q[0]; ctrl(2) @ gphase(0.5) q[0],q[1]; negctrl @ "
      "gphase(pi/2) q[1];",
      "qubit[2] q; p(pi/4) q[0]; cp(0.5) q[0],q[1]; x q[1]; p(pi/2) q[1]; x q[1];");
  // The phase of a definition matters if the call has controls.
  check_equal_programs(
      "gate phased a { gphase(pi/3); x a; } qubit[2] q; phased q[0]; ctrl @ phased q[0],q[1];",
      "qubit[2] q; gphase(pi/3); x q[0]; p(pi/3) q[0]; cx q[0],q[1];");
  check_equal_programs("gate phased a { gphase(pi/3); x a; } qubit q; pow(3) @ phased q;",
                       "qubit q; gphase(pi); x q; x q; x q;");
  check_equal_programs("input float t; qubit q; ctrl @ gphase(t/2) q;",
                       "input float t; qubit q; p(t/2) q;");
}

TEST_CASE("Constants work in sizes, indices, angles, gate bodies and modifiers") {
  check_equal_programs(
      "const int[32] n = 3; const float[64] step = pi/2**n; const uint k = 2*n-1;\n"
      "gate turn(t) a { rz(t*step) a; }\n"
      "qubit[n] q; bit[n] c; rz(step) q[n-1]; turn(2) q[0]; pow(k) @ t q[1]; c[k-4] = measure "
      "q[n-2];",
      "qubit[3] q; bit[3] c; rz(pi/8) q[2]; rz(pi/4) q[0]; t q[1]; t q[1]; t q[1]; t q[1]; t "
      "q[1]; c[1] = measure q[1];");
  check_equal_programs("const float third = 1/3.0; qubit q; rz(third*pi) q;",
                       "qubit q; rz(pi/3) q;");
}

TEST_CASE("A parameter of a gate is an angle, even if its argument is an integer") {
  check_equal_programs("gate g(t) a { rz(t/3) a; pow(2) @ p(t/2) a; } qubit q; g(1) q;",
                       "qubit q; rz(1.0/3) q; p(1) q;");
}

TEST_CASE("Slices, lists and aliases select elements of registers") {
  const std::string qubits = "qubit[5] q; qubit[2] r; bit[4] c; ";
  check_equal_programs(
      qubits + "h q[1:3]; x q[0:2:4]; y q[{4, 0}]; z q[-2:-1]; s q[3:-1:2]; t q[:1]; sx q[3:];",
      qubits +
          "h q[1]; h q[2]; h q[3]; x q[0]; x q[2]; x q[4]; y q[4]; y q[0]; z q[3]; z "
          "q[4]; s q[3]; s q[2]; t q[0]; t q[1]; sx q[3]; sx q[4];");
  check_equal_programs(
      qubits +
          "cx q[0:1],r; cx q[4],r[0:1]; c[2:3] = measure r; c[{0}] = measure q[{3}]; reset "
          "q[1:2]; barrier q[3:4],r;",
      qubits +
          "cx q[0],r[0]; cx q[1],r[1]; cx q[4],r[0]; cx q[4],r[1]; c[2] = measure r[0]; "
          "c[3] = measure r[1]; c[0] = measure q[3]; reset q[1]; reset q[2]; barrier "
          "q[3],q[4],r;");
  check_equal_programs(qubits + "h q[{3, 1, 4}][{2, 0}][-1]; x q[1:4][0:1]; barrier q[0:2][1], r;",
                       qubits + "h q[3]; x q[1]; x q[2]; barrier q[1], r;");
  check_equal_programs(
      qubits +
          "let a = q[3:4] ++ r[1]; let b = a[1:2]; let one = q[0]; let bits = c[2:3];\n"
          "h a; cx one,b; x a[-1]; bits = measure b; cx one,q[1];",
      qubits +
          "h q[3]; h q[4]; h r[1]; cx q[0],q[4]; cx q[0],r[1]; x r[1]; c[2] = measure "
          "q[4]; c[3] = measure r[1]; cx q[0],q[1];");
}

TEST_CASE("Loops are unrolled") {
  const std::string qubits = "qubit[4] q; bit[4] c; ";
  check_equal_programs(
      qubits + "for int i in [0:2] { h q[i]; cx q[i],q[i+1]; }",
      qubits + "h q[0]; cx q[0],q[1]; h q[1]; cx q[1],q[2]; h q[2]; cx q[2],q[3];");
  check_equal_programs(
      qubits +
          "for uint[8] i in {3, 0} x q[i]; for i in [3:-2:0] { z q[i]; } for int i in "
          "[1:0] { nonsense { } } for int i in [1:0] x q[9];",
      qubits + "x q[3]; x q[0]; z q[3]; z q[1];");
  check_equal_programs(
      qubits + "for int i in [0:1] { for int j in [i+1:2] { cp(pi/2**(j-i)) q[i],q[j]; } }",
      qubits + "cp(pi/2) q[0],q[1]; cp(pi/4) q[0],q[2]; cp(pi/2) q[1],q[2];");
  // The same text has a different value in each iteration.
  check_equal_programs(qubits + "for int i in [1:3] { rz(i) q[0]; } rz(1) q[0];",
                       qubits + "rz(1) q[0]; rz(2) q[0]; rz(3) q[0]; rz(1) q[0];");
  check_equal_programs(
      qubits + "for int i in [0:1] { c[i] = measure q[i]; if (c[i]) { x q[2]; } }",
      qubits + "c[0] = measure q[0]; if (c[0]) x q[2]; c[1] = measure q[1]; if (c[1]) x q[2];");
  check_equal_programs(qubits + "if (c == 3) { for int i in [0:1] { x q[i]; } }",
                       qubits + "if (c == 3) { x q[0]; x q[1]; }");
}

TEST_CASE("Conditions may test one bit of a register") {
  const std::string header = "qubit[2] q; bit[3] c; ";
  const Circuit circuit =
      parse_3(header +
              "if (c[1]) x q[0]; if (!c[2]) { y q[0]; } if (c[-1] == 0) z q[1]; if (c[0] == true) "
              "{ h q[0]; h q[1]; } else { s q[0]; }");
  const auto condition = [&](std::size_t i) { return circuit.operations[i].conditions()[0]; };
  CHECK(condition(0) == Condition{0, 1, 1});
  CHECK(condition(1) == Condition{0, 0, 2});
  CHECK(condition(2) == Condition{0, 0, 2});
  CHECK(condition(3) == Condition{0, 1, 0});
  CHECK(condition(4) == Condition{0, 1, 0});
  CHECK(condition(5) == Condition{0, 0, 0});
  CHECK(write_qasm(circuit) ==
        version_3 +
            "qubit[2] q;\nbit[3] c;\nif (c[1]) { x q[0]; }\nif (!c[2]) {\n  y q[0];\n  z "
            "q[1];\n}\nif (c[0]) {\n  h q[0];\n  h q[1];\n} else {\n  s q[0];\n}\n");
  CHECK(parse_qasm(write_qasm(circuit)) == circuit);
  Circuit second = circuit;
  second.qasm_version = 2;
  CHECK_THROWS_WITH(write_qasm(second), Catch::Contains("one bit of the register 'c'"));
}

TEST_CASE("An else is the condition on all values but one") {
  const std::string program =
      version_3 +
      "qubit[2] q;\nbit[2] c;\nbit[1] d;\nif (c == 2) {\n  x q[0];\n} else {\n  y q[0];\n  z "
      "q[1];\n}\n"
      "if (d == 1) {\n  x q[0];\n} else {\n  y q[0];\n}\nif (c == 1) {\n} else {\n  h q[0];\n}\n";
  const Circuit circuit = parse_qasm(program);
  const auto condition = [&](std::size_t i) { return circuit.operations[i].conditions()[0]; };
  CHECK(condition(0) == Condition{0, 2});
  CHECK(condition(1) == Condition{0, 2, {}, true});
  CHECK(condition(2) == condition(1));
  CHECK(condition(3) == Condition{1, 1});
  CHECK(condition(4) == Condition{1, 0});
  CHECK(condition(5) == Condition{0, 1, {}, true});
  CHECK(write_qasm(circuit) == program);
  CHECK(
      parse_3("qubit q; bit[2] c; bit d; if (c != 3) x q; if (d != 1) x q; if (c[1] != 0) x q;")
          .operations ==
      parse_3("qubit q; bit[2] c; bit d; if (c == 3) {} else { x q; } if (!d) x q; if (c[1]) x q;")
          .operations);
  Circuit second = circuit;
  second.qasm_version = 2;
  CHECK_THROWS_WITH(write_qasm(second), Catch::Contains("or on all but one of its values"));
}

TEST_CASE("A written block ends where a measurement changes a bit that it tests") {
  const std::string program = version_3 +
                              "qubit[2] q;\nbit[2] c;\nif (c == 1) {\n  x q[0];\n  c[0] = measure "
                              "q[0];\n}\nif (c == 1) { y "
                              "q[0]; }\n";
  CHECK(write_qasm(parse_qasm(program)) == program);
}

TEST_CASE("Physical qubits keep their numbers, idle ones too") {
  const Circuit circuit =
      parse_3("bit[2] c; h $3; cx $3,$1; barrier $1,$0; c[0] = measure $3; delay[1ms] $0;");
  CHECK(circuit.qubit_registers == std::vector<Register>{{"$", 0, 4}});
  const std::string written =
      version_3 +
      "// physical qubits: 4\nbit[2] c;\nh $3;\ncx $3,$1;\nbarrier $1,$0;\nc[0] = measure $3;\n"
      "delay[1ms] $0;\n";
  CHECK(write_qasm(circuit) == written);
  CHECK(parse_qasm(written) == circuit);
  Circuit idle = circuit;
  idle.operations.clear();
  CHECK(parse_qasm(write_qasm(idle)) == idle);
  idle.qasm_version = 2;
  CHECK_THROWS_WITH(write_qasm(idle), "OpenQASM 2 has no physical qubits: write version 3");
  // In another place, or together with registers, it is an ordinary comment.
  CHECK(parse_3("// physical qubits: 4\nqubit q; x q;").qubit_count() == 1);
  CHECK(parse_3("// physical qubits: many\nx $0;").qubit_count() == 1);
}

TEST_CASE("Delays are kept with their durations") {
  const std::string program =
      version_3 +
      "qubit[3] q;\nbit[1] c;\ndelay[100ns] q[0];\ndelay[2.5us] q[1],q[2];\n"
      "if (c == 1) { delay[10dt] q; }\n";
  const Circuit circuit = parse_qasm(program);
  CHECK(write_qasm(circuit) == program);
  CHECK(circuit.operations[0].is_boundary());
  Circuit second = circuit;
  second.qasm_version = 2;
  CHECK_THROWS_WITH(write_qasm(second),
                    "OpenQASM 2 cannot express 'delay[100ns]': write version 3");
}
