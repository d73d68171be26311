#include <catch2/catch.hpp>
#include <string>

#include "circuit/kept_statement.hpp"
#include "programs.hpp"

using namespace quartz;
using namespace quartz::test;

namespace {

const std::string two_qubits = "qubit[2] q;\nbit[2] c;\n";

/// Checks that a program is written as it was read.
void check_kept(const std::string& program, const std::string& declarations = {}) {
  INFO(program);
  const std::string text = version_3 + two_qubits + declarations + program;
  const Circuit circuit = parse_qasm(text);
  CHECK(write_qasm(circuit) == text);
  Circuit second = circuit;
  second.qasm_version = 2;
  CHECK_THROWS_WITH(write_qasm(second), Catch::Contains("OpenQASM 2 cannot express"));
}

}  // namespace

TEST_CASE("A loop on measured bits is kept, with its body as operations") {
  check_kept("while (c[0]) {\nh q[0];\nc[0] = measure q[0];\n}\nx q[1];\n");
  check_kept(
      "while ((c[0] ^ c[1]) & c[0]) {\nh q[0];\nif (c[1]) { x q[1]; }\nc[0] = measure q[0];\n}\n");
  const Circuit circuit =
      parse_3(two_qubits +
              "int n = 0; while (!c[0]) { n = 3; h q[n - 2]; for int i in [0:1] { x q[i]; } "
              "} h q[0];");
  REQUIRE(circuit.operations.size() == 6);
  CHECK(circuit.operations[0].classical->opaque_name == "while (!c[0]) {");
  CHECK(circuit.operations[0].qubits.size() == 2);
  CHECK(circuit.operations[1] == make_operation(GateKind::h, {1}));
  CHECK(circuit.operations[4].classical->opaque_name == "}");
}

TEST_CASE("Kept statements are on all qubits, also those declared after them") {
  const Circuit circuit = parse_3("qubit a; bit c; box { x a; } qubit[3] b; h b;");
  CHECK(circuit.operations[0].qubits.size() == 4);
  CHECK(circuit.operations[2].qubits.size() == 4);
}

TEST_CASE("Boxes, assignments to bits and result pragmas are kept") {
  check_kept("box {\nx q[0];\n}\nx q[0];\n");
  check_kept("box[100ns] {\nx q[0];\n}\n");
  check_kept("c[0] = 1;\nif (c[0]) { x q[0]; }\n");
  check_kept("c = \"10\";\nc = c ^ 1;\n");
  check_kept("h q[0];\n#pragma braket result expectation z(q[0]) @ x(q[1])\n");
  check_kept("h q[0];\n#pragma braket noise depolarizing(0.01) q[0]\nh q[0];\n");
  check_kept("#pragma braket unitary([[1.0, 0], [0, 0.6 + 0.8im]]) q[1]\nh q[0];\n");
  check_kept("#pragma vendor anything at all { ; }\nh q[0];\n");
  check_kept("if (c[0]) {\n  #pragma vendor note\n}\n");
  CHECK(parse_3("bit c = 0; bit[3] d = \"000\"; qubit q;").operations.empty());
  CHECK(parse_3("bit c = 1; qubit q;").operations.at(0).classical->opaque_name == "c[0] = 1;");
}

TEST_CASE("Annotations of a box are kept with it") {
  check_kept("@my.str hello, world\n@my.int 0x0a\nbox {\n@static\nbox {\nx q[0];\n}\n}\n");
  check_kept("h q[0];\n@reversible\nbox[100ns] {\nh q[0];\n}\n");
}

TEST_CASE("Durations and delays of them are kept") {
  check_kept("stretch s;\nduration d = 2*s+100ns;\ndelay[d] q[0];\ndelay[(d-s)/2] q;\n");
  check_kept("const duration d = 22ns;\nduration e;\ndelay[d] q;\nbox[2*d] {\ndelay[d] q[0];\n}\n");
  check_kept("box {\nduration d = 20ns;\ndelay[d] q;\n}\n");
  CHECK(parse_3("qubit[2] q; delay[20ns];").operations ==
        parse_3("qubit[2] q; delay[20ns] q;").operations);
}

TEST_CASE("Durations are computed by the device, except for the values of numbers in them") {
  check_kept("duration t;\nt = 5ns;\ndelay[t] q;\n");
  check_kept("input duration w;\nduration d;\nd = 300us;\nd += 2*w;\nd /= 2.5;\ndelay[d-w] q;\n");
  check_kept("if (c[0]) { d = 2*d; }\n", "duration d = 1ns;\n");
  check_kept("const stretch s = 20ns;\nstretch t = 2*s;\ndelay[t] q[0];\n");
  check_kept("box {\nduration d = 1ns;\ndelay[d] q;\n}\nbox {\nstretch d;\ndelay[d] q;\n}\n");
  check_kept(
      "duration d = 0.5*durationof({x q[0];rz(pi/3) q[1];cx q[0],q[1];})+5dt;\n"
      "delay[d/2-durationof({h q[0];})] q;\n");
  const auto delay_of = [](const std::string& duration) {
    const Circuit circuit = parse_3(
        "int n = 3; float f = 1; float g = -0.5; array[int[8], 2] a = {4, 5}; const duration "
        "d = 2ns; qubit q; delay[" +
        duration + "] q;");
    CHECK(parse_qasm(write_qasm(circuit)) == circuit);
    return circuit.operations.at(1).classical->opaque_name;
  };
  CHECK(delay_of("n * d") == "delay[3*d]");
  CHECK(delay_of("(n - 1) * 100 ns") == "delay[(3-1)*100ns]");
  CHECK(delay_of("a[1] * d / f") == "delay[5*d/1.0]");
  CHECK(delay_of("-g * d + pi * 1dt") == "delay[-(-0.5)*d+pi*1dt]");
  CHECK(delay_of("(d / 1ns) * 1µs") == "delay[(d/1ns)*1µs]");
  CHECK(delay_of("0.3ns - 0.1ns - 0.2ns") == "delay[0.3ns-0.1ns-0.2ns]");
  CHECK(parse_3("qubit q; for int i in [1:2] { delay[i*1us] q; }").operations ==
        parse_3("qubit q; delay[1*1us] q; delay[2*1us] q;").operations);
}

TEST_CASE("The feedback gates of Amazon Braket are kept in their order") {
  check_kept("x q[0];\nmeasure_ff(0) q[0];\ncc_prx(pi,0.25,0) q[1];\n");
  const Circuit circuit = parse_3(
      "bit c; #pragma braket verbatim\nbox{ prx(3.14, 0) $1; measure_ff(0) $1; cc_prx(3.14, 0, 0) "
      "$1; "
      "}\nc = measure $1; if (c) { measure_ff(1) $0; }");
  CHECK(parse_qasm(write_qasm(circuit)) == circuit);
  CHECK(circuit.operations.at(2).classical->opaque_name == "measure_ff(0) $1;");
  CHECK(circuit::may_name_qubits(circuit.operations.at(2)));
  CHECK(circuit::may_name_qubits(circuit.operations.at(3)));
  CHECK(parse_3("qubit[2] q; measure_ff(0) q;").operations.size() == 2);
}

TEST_CASE("The durations of gates name qubits, which must be in their places") {
  const Circuit circuit = parse_3(
      "qubit q; duration d = durationof({x q;}); delay[d] q; delay[2*durationof({x q;})] q;");
  CHECK(circuit::may_name_qubits(circuit.operations.at(0)));
  CHECK_FALSE(circuit::may_name_qubits(circuit.operations.at(1)));
  CHECK(circuit::may_name_qubits(circuit.operations.at(2)));
}

TEST_CASE("A statement without effect in a box is on its qubits") {
  check_kept("box[100ns] {\nx q[0];\nnop q[1];\n}\nbox {\nnop q;\n}\n");
  const Circuit circuit = parse_3("qubit[2] q; box { nop q[1]; }");
  CHECK(circuit.operations[1].qubits.size() == 1);
  CHECK(circuit.operations[1].is_boundary());
}

TEST_CASE("Calls of functions that are defined elsewhere are kept") {
  const std::string declarations =
      "extern vote(bit[2]) -> bit;\nextern send(creg[2], int[32], float, duration, bool, "
      "angle[8]);\n"
      "extern number(uint[2]) -> uint[2];\n";
  check_kept(
      declarations +
      "c[0] = vote(c);\nif (c[0]) {\n  x q[0];\n  send(c, -5, pi/4, 100ns, bool(c[1]), 0.1);\n"
      "}\nc = bit[2](number(uint[2](c)));\nwhile (c[0]) {\nc[1] = vote(\"01\");\n}\n");
  // The value of a call in an expression is in a register of its own.
  const Circuit circuit = parse_3(
      declarations + two_qubits +
      "int n = 2; if (vote(c)) { x q[0]; } else { send(c, 3*n, n, 2*3ns, n == 2, pi); }\n"
      "extern f() -> int[4]; if (f() == -1) { h q[0]; } def g() -> bit { return vote(c); } c[1] = "
      "g();");
  CHECK(write_qasm(circuit) ==
        version_3 + two_qubits + "bit[1] returned;\nbit[4] returned_1;\nbit[1] returned_2;\n" +
            declarations +
            "returned[0] = vote(c);\nif (returned == 1) {\n  x q[0];\n} else {\n"
            "  send(c, 6, 2, 2*3ns, true, pi);\n}\nextern f() -> int[4];\n"
            "returned_1 = bit[4](f());\nif (returned_1 == 15) { h q[0]; }\n"
            "returned_2[0] = vote(c);\nc[1] = returned_2[0];\n");
  CHECK(parse_qasm(write_qasm(circuit)) == circuit);
}

TEST_CASE("Assignments that pytket adds to OpenQASM 2 are kept") {
  const Circuit circuit =
      parse_2("qreg q[1]; creg a[2]; creg b[2]; b = (a ^ b); b[0] = (b[1] & a[1]);");
  REQUIRE(circuit.operations.size() == 2);
  CHECK(circuit.operations[0].classical->opaque_name == "b = a ^ b;");
  CHECK(circuit.operations[1].classical->opaque_name == "b[0] = b[1] & a[1];");
  CHECK(circuit.qasm_version == 3);
  CHECK(parse_qasm(write_qasm(circuit)) == circuit);
  CHECK(error_of(version_2 + "qreg q[1]; creg bit[2]; bit[0] = 1;") ==
        "test:3:25: only OpenQASM 3 can express this statement, where the name 'bit' is a reserved "
        "word");
}

TEST_CASE("A subroutine may return a measurement") {
  const Circuit circuit = parse_3(
      "def f(qubit q) -> bit { h q; return measure q; } qubit[2] q; bit c; c = f(q[1]); int n = "
      "f(q[0]); if (n == 1) x q[1];");
  CHECK(write_qasm(circuit) ==
        version_3 +
            "qubit[2] q;\nbit[1] c;\nbit[1] returned;\nbit[1] returned_1;\nh q[1];\n"
            "returned[0] = measure q[1];\nc[0] = returned[0];\nh q[0];\nreturned_1[0] = "
            "measure q[0];\nif (returned_1 == 1) { x q[1]; }\n");
}

TEST_CASE("Bits that are returned have a name that the program does not use") {
  const Circuit circuit = parse_3(
      "qubit q; duration returned = 5ns; def f(qubit a) -> bit { return measure a; } bit c; c "
      "= f(q); extern returned_2() -> bit; c = f(q); if (returned_2()) { x q; }");
  CHECK(circuit.bit_registers.at(1).name == "returned_1");
  CHECK(circuit.bit_registers.at(2).name == "returned_3");
  CHECK(circuit.bit_registers.at(3).name == "returned_4");
  CHECK(parse_qasm(write_qasm(circuit)) == circuit);
}

TEST_CASE("The initial value of bits may be that of a subroutine, which is executed once") {
  const Circuit circuit =
      parse_3("def f(qubit a) -> bit { x a; return measure a; } qubit q; bit c = f(q);");
  CHECK(write_qasm(circuit) == version_3 +
                                   "qubit[1] q;\nbit[1] c;\nbit[1] returned;\nx q[0];\n"
                                   "returned[0] = measure q[0];\nc[0] = returned[0];\n");
}

TEST_CASE("The gates of a verbatim box are opaque, and written as they were") {
  const Circuit circuit = parse_3(
      "#pragma braket verbatim\nbox {\n prx(0.1, 0.2) $0;\n h $1; h $1;\n}\nh $1;\nprx(0.1, 0.2) "
      "$0;");
  REQUIRE(circuit.operations.size() == 7);
  CHECK(circuit.operations[0].classical->opaque_name == "#pragma braket verbatim\nbox {");
  for (std::size_t i = 1; i < 4; ++i) {
    CHECK(circuit.operations[i].kind == OperationKind::opaque);
    CHECK(circuit.operations[i].is_boundary());
  }
  CHECK(circuit::is_opaque(circuit.operations[1], OpaqueKind::verbatim_gate));
  CHECK(circuit.operations[1].gate == GateKind::r);
  CHECK_FALSE(circuit.operations[5].is_boundary());
  const std::string text = write_qasm(circuit);
  CHECK(text.find("#pragma braket verbatim\nbox {\nr(0.1,0.2) $0;\nh $1;\nh $1;\n}\nh $1;\n") !=
        std::string::npos);
  CHECK(text.find("gate r(p0,p1)") != std::string::npos);
  CHECK(parse_qasm(text) == circuit);
}
