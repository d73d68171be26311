#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "programs.hpp"
#include "quartz/circuit/bit_expression.hpp"

using namespace quartz;
using namespace quartz::test;

namespace {

const std::string four_qubits = "qubit[4] q; bit[4] c; ";

/// Checks that both programs have the same operations.
void check_expanded(const std::string& program, const std::string& expanded) {
  INFO(program);
  const Circuit circuit = parse_3(four_qubits + program);
  CHECK(circuit.operations == parse_3(four_qubits + expanded).operations);
  CHECK(parse_qasm(write_qasm(circuit)).operations == circuit.operations);
}

/// Evaluates a condition of an operation by the definition of Condition.
bool is_met(const Circuit& circuit, const Condition& condition, const std::vector<bool>& bits) {
  if (condition.expression != nullptr) {
    return holds(*condition.expression, bits) != condition.negated;
  }
  const Register tested = tested_bits(circuit, condition);
  std::uint64_t value = 0;
  for (std::uint32_t i = 0; i < tested.size; ++i) {
    if (bits[tested.first + i]) value |= std::uint64_t{1} << i;
  }
  return (value == condition.value) != condition.negated;
}

/// Returns how often an unparametrized gate is executed when the bits have this value.
int times_executed(const Circuit& circuit, GateKind kind, unsigned value) {
  std::vector<bool> bits(circuit.bit_count());
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = ((value >> i) & 1U) != 0;
  int times = 0;
  for (const Operation& operation : circuit.operations) {
    if (operation.kind != OperationKind::gate || operation.gate != kind) continue;
    bool is_executed = true;
    for (const Condition& condition : operation.conditions()) {
      is_executed = is_executed && is_met(circuit, condition, bits);
    }
    if (is_executed) ++times;
  }
  return times;
}

/// Checks that x is executed once if `expected` holds for the contents c of the bits, and never
/// otherwise, and that y in the else is executed in the other cases. The program that is written
/// must have the same property.
void check_condition(const std::string& condition, const std::function<bool(unsigned)>& expected) {
  INFO(condition);
  const Circuit read = parse_3(four_qubits + "if (" + condition + ") { x q[0]; } else { y q[0]; }");
  for (const Circuit& circuit : {read, parse_qasm(write_qasm(read))}) {
    for (unsigned c = 0; c < 16; ++c) {
      CHECK(times_executed(circuit, GateKind::x, c) == (expected(c) ? 1 : 0));
      CHECK(times_executed(circuit, GateKind::y, c) == (expected(c) ? 0 : 1));
    }
  }
}

}  // namespace

TEST_CASE("Operators on bits and registers in conditions have the values of OpenQASM 3") {
  const auto bit = [](unsigned c, unsigned i) { return ((c >> i) & 1U) != 0; };
  check_condition("c[0] ^ c[1]", [&](unsigned c) { return bit(c, 0) != bit(c, 1); });
  check_condition("(c[0] ^ c[1] ^ c[2] ^ c[3]) == true",
                  [&](unsigned c) { return (bit(c, 0) != bit(c, 1)) != (bit(c, 2) != bit(c, 3)); });
  check_condition("(c[0] ^ c[1]) == false", [&](unsigned c) { return bit(c, 0) == bit(c, 1); });
  check_condition("c[0] == c[1]", [&](unsigned c) { return bit(c, 0) == bit(c, 1); });
  check_condition("c[0] & c[1] | c[2]",
                  [&](unsigned c) { return (bit(c, 0) && bit(c, 1)) || bit(c, 2); });
  check_condition("~c[1]", [&](unsigned c) { return !bit(c, 1); });
  check_condition("~c == 5", [](unsigned c) { return (~c & 15U) == 5; });
  check_condition("c < 6", [](unsigned c) { return c < 6; });
  check_condition("c <= 6", [](unsigned c) { return c <= 6; });
  check_condition("c > 6", [](unsigned c) { return c > 6; });
  check_condition("6 <= c", [](unsigned c) { return 6 <= c; });
  check_condition("c != 6 && c[0] < 1", [](unsigned c) { return c != 6 && (c & 1U) < 1; });
  check_condition("(c & 6) == 4", [](unsigned c) { return (c & 6U) == 4; });
  check_condition("(c | \"0110\") == 7", [](unsigned c) { return (c | 6U) == 7; });
  check_condition("(c ^ 0b0101) > 9", [](unsigned c) { return (c ^ 5U) > 9; });
  check_condition("(c << 1) == 4", [](unsigned c) { return ((c << 1U) & 15U) == 4; });
  check_condition("(c >> 2) == 1", [](unsigned c) { return (c >> 2U) == 1; });
  check_condition("c[0:1] == c[2:3]", [](unsigned c) { return (c & 3U) == (c >> 2U); });
  check_condition("c[{3, 0}] == 1", [](unsigned c) { return (c >> 3U) == 1 && (c & 1U) == 0; });
  check_condition("!(c[0] && c[1]) || c == 15",
                  [&](unsigned c) { return !(bit(c, 0) && bit(c, 1)) || c == 15; });
  check_condition("c", [](unsigned c) { return c != 0; });
  check_condition("bool(c[2])", [&](unsigned c) { return bit(c, 2); });
  check_condition("c + 3 == 9", [](unsigned c) { return c + 3 == 9; });
  check_condition("c[0] + c[1] + c[2] >= 2", [&](unsigned c) {
    return static_cast<int>(bit(c, 0)) + static_cast<int>(bit(c, 1)) +
               static_cast<int>(bit(c, 2)) >=
           2;
  });
  check_condition("(c[2] << 1) == 0", [](unsigned) { return true; });
  check_condition("(c[2:2] << 0) == 1", [&](unsigned c) { return bit(c, 2); });
  check_condition("c[2:2] >> 1", [](unsigned) { return false; });
  check_condition("c[2:2] << c[0:1]", [&](unsigned c) { return bit(c, 2) && (c & 3U) == 0; });
  check_condition("true", [](unsigned) { return true; });
  check_condition("c == 3 && false", [](unsigned) { return false; });
}

TEST_CASE("A register of one bit is not written as an operand of a shift or a complement") {
  // Its bit would be one, which tools promote to an integer in different ways.
  const auto written = [](const std::string& statement) {
    return write_qasm(
        parse_3("qubit[2] q; bit[1] c; bit[1] d; bit[2] e; c[0] = measure q[0]; "
                "d[0] = measure q[1]; " +
                statement));
  };
  CHECK_THAT(written("if ((c << 1) == 0) { x q[1]; }"),
             Catch::Contains("\nx q[1];\n") && !Catch::Contains("<<"));
  CHECK_THAT(written("if (c << e) { x q[1]; }"), !Catch::Contains("<<"));
  CHECK_THAT(written("d = c << 1;"), Catch::Contains("d[0] = 0;"));
  CHECK_THAT(written("d = c >> 0;"), Catch::Contains("d[0] = c[0];"));
  CHECK_THAT(written("d = ~c;"), Catch::Contains("d[0] = !c[0];"));
  CHECK_THAT(written("c <<= 1;"), Catch::Contains("c[0] = 0;"));
}

TEST_CASE("Bits of the type int[n] are compared in two's complement") {
  const auto value = [](unsigned c) { return static_cast<int>(c) - (c >= 8 ? 16 : 0); };
  for (const int number : {-8, -1, 0, 3, 7}) {
    const auto against = [&](const std::string& sign) {
      return "int[4](c) " + sign + " " + std::to_string(number);
    };
    check_condition(against("=="), [&](unsigned c) { return value(c) == number; });
    check_condition(against("!="), [&](unsigned c) { return value(c) != number; });
    check_condition(against("<"), [&](unsigned c) { return value(c) < number; });
    check_condition(against("<="), [&](unsigned c) { return value(c) <= number; });
    check_condition(against(">"), [&](unsigned c) { return value(c) > number; });
    check_condition(against(">="), [&](unsigned c) { return value(c) >= number; });
  }
  check_condition("-3 < int[4](c)", [&](unsigned c) { return -3 < value(c); });
  check_condition("int[4](c)", [](unsigned c) { return c != 0; });
  check_condition("!int[4](c) || int(int[4](c)) == -2",
                  [&](unsigned c) { return c == 0 || value(c) == -2; });
  check_condition("uint[4](int[4](c)) > 9", [](unsigned c) { return c > 9; });
  check_condition("int[5](c) > 9", [](unsigned c) { return c > 9; });
  check_condition("int[2](c[1:2]) < int[2](c[0:1])", [](unsigned c) {
    const auto of = [](unsigned bits) {
      return static_cast<int>(bits % 4) - (bits % 4 > 1 ? 4 : 0);
    };
    return of(c >> 1U) < of(c);
  });
  check_expanded("int[4] n = c; switch (n) { case -1 { x q[0]; } case 2 { y q[0]; } }",
                 "switch (c) { case 15 { x q[0]; } case 2 { y q[0]; } }");
}

TEST_CASE("Bits are changed by operators with an assignment") {
  check_expanded("c ^= 5; c[0] |= c[1]; c &= 3; c <<= 1; c[1:2] >>= 1;",
                 "c = c ^ 5; c[0] = c[0] | c[1]; c = c & 3; c = c << 1; c[1:2] = c[1:2] >> 1;");
}

TEST_CASE("Registers of any width are compared") {
  const Circuit circuit =
      parse_3("qubit q; bit[100] c; bit[100] d; if (c < d) { x q; } if (c ^ d == 0) y q;");
  REQUIRE(circuit.operations.size() == 2);
  std::vector<bool> bits(200);
  bits[199] = true;  // the most significant bit of d
  CHECK(is_met(circuit, circuit.operations[0].conditions()[0], bits));
  bits[99] = true;
  CHECK_FALSE(is_met(circuit, circuit.operations[0].conditions()[0], bits));
  CHECK(write_qasm(circuit).find("if (c < d) { x q[0]; }") != std::string::npos);
  CHECK(parse_qasm(write_qasm(circuit)) == circuit);
}

TEST_CASE("A condition with operators is one condition of each operation") {
  const Circuit circuit = parse_3(four_qubits + "if (c[0] ^ c[1]) { x q[0]; cx q[0], q[1]; }");
  REQUIRE(circuit.operations.size() == 2);
  CHECK(circuit.operations[0].conditions().size() == 1);
  CHECK(*circuit.operations[0].classical == *circuit.operations[1].classical);
  Circuit second = circuit;
  second.qasm_version = 2;
  CHECK_THROWS_WITH(write_qasm(second), Catch::Contains("a condition with operators on bits"));
  CHECK(error_of(version_3 + four_qubits + "if (c[0] ^ c[1]) { c[0] = measure q[0]; x q[1]; }") ==
        "test:3:63: a measurement under the condition of line 3 changes the register that it "
        "tests; an operation after it under the same condition is not supported");
}

TEST_CASE("Numbers of a type without a sign wrap around") {
  check_expanded("uint[63] n = 1; n += 2; x q[n]; uint[3] m = 9; x q[m];", "x q[3]; x q[1];");
}

TEST_CASE("Variables with known values are followed") {
  check_expanded("int n = 2; h q[n]; n += 1; h q[n]; n = n - 3; h q[n];",
                 "h q[2]; h q[3]; h q[0];");
  check_expanded("uint[2] n = 3; n += 1; h q[n];", "h q[0];");
  check_expanded("float t = pi/2; rx(t) q[0]; t /= 2; rx(t) q[0]; t *= 3; rx(2*t) q[0];",
                 "rx(pi/2) q[0]; rx(pi/4) q[0]; rx(3*pi/2) q[0];");
  check_expanded("angle[8] a = pi; a -= pi/2; rz(a) q[1];", "rz(pi/2) q[1];");
  check_expanded("bool b = 2 < 3; if (b && !false) x q[0]; else y q[0]; if (!b) z q[0];",
                 "x q[0];");
  check_expanded("int n = 7; if (n % 4 == 3) x q[n >> 1]; n <<= 1; if (n == 14) y q[n & 3];",
                 "x q[3]; y q[2];");
  check_expanded("int n = 0x1f; if (n == 0b11111 && n == 0o37) x q[0];", "x q[0];");
  check_expanded("int n = int(2.9); uint m = uint[2](7); rx(float(n)/m) q[0]; h q[int(true)];",
                 "rx(2.0/3) q[0]; h q[1];");
  check_expanded("uint[4] a = 5; for uint i in [0:3] { if (bool(a[i])) x q[i]; }",
                 "x q[0]; x q[2];");
  check_expanded("const bool yes = true; if (yes) { int n = 1; n += 1; h q[n]; }", "h q[2];");
  check_expanded("int i = 3; for int i in [0:1] { h q[i]; } h q[i];", "h q[0]; h q[1]; h q[3];");
}

TEST_CASE("Loops and switch statements on known values are followed") {
  check_expanded("int i = 0; while (i < 3) { h q[i]; i += 1; }", "h q[0]; h q[1]; h q[2];");
  check_expanded(
      "int i = 0; while (true) { i += 1; if (i == 2) { continue; } if (i > 3) { break; } "
      "x q[i]; } y q[i - 1];",
      "x q[1]; x q[3]; y q[3];");
  check_expanded(
      "for int i in [0:3] { for int j in [0:3] { if (j == 2) break; cx q[2], q[j]; } if (i == "
      "1) break; }",
      "cx q[2],q[0]; cx q[2],q[1]; cx q[2],q[0]; cx q[2],q[1];");
  check_expanded("for int i in {0, 3} { if (i == 0) continue; else if (i == 7) { } x q[{1, i}]; }",
                 "x q[1]; x q[3];");
  check_expanded(
      "int n = 2; switch (n) { case 0, 1 { x q[0]; } case 2 { y q[0]; } default { z q[0]; } }",
      "y q[0];");
  check_expanded(
      "switch (5) { case 0: { x q[0]; } break; case 1: case 2: { y q[0]; } break; default: "
      "{ z q[0]; } break; }",
      "z q[0];");
  check_expanded(
      "int i = 1; while (i < 0) { nonsense[{1, 2}] { } } if (false) { more } else if (i == 2) "
      "{ nonsense } else { h q[0]; }",
      "h q[0];");
}

TEST_CASE("A switch on measured bits is a condition for each case") {
  for (const std::string selector : {"c", "n"}) {
    const Circuit circuit =
        parse_3(four_qubits + "int n = c; switch (" + selector +
                ") { case 1, 2 { x q[0]; } case 9 { y q[0]; } default { z q[0]; "
                "} }");
    for (unsigned c = 0; c < 16; ++c) {
      CHECK(times_executed(circuit, GateKind::x, c) == (c == 1 || c == 2 ? 1 : 0));
      CHECK(times_executed(circuit, GateKind::y, c) == (c == 9 ? 1 : 0));
      CHECK(times_executed(circuit, GateKind::z, c) == (c == 1 || c == 2 || c == 9 ? 0 : 1));
    }
  }
}

TEST_CASE("Variables may change under conditions on measured bits") {
  const auto check = [](const std::string& program, const std::function<bool(unsigned)>& expected) {
    INFO(program);
    const Circuit circuit = parse_3(four_qubits + program);
    for (unsigned c = 0; c < 16; ++c) {
      CHECK(times_executed(circuit, GateKind::x, c) == (expected(c) ? 1 : 0));
    }
  };
  check("int n = 0; if (c[0]) n += 1; if (c[1]) { n += 1; } if (c[2]) n += 1; if (n == 2) x q[0];",
        [](unsigned c) { return __builtin_popcount(c & 7U) == 2; });
  check("int n = 0; if (c[0]) { n = 5; } else { n = 10; } if (n == 10) x q[0];",
        [](unsigned c) { return (c & 1U) == 0; });
  check("int n = 0; if (c[0] || c[1]) n += 3; if (n > 2) x q[0];",
        [](unsigned c) { return (c & 3U) != 0; });
  check("bool b = c[0] ^ c[1]; if (!b) x q[0];",
        [](unsigned c) { return (c & 3U) == 0 || (c & 3U) == 3; });
  check("int n = c; if (n + 1 == 4) x q[0];", [](unsigned c) { return c == 3; });
  check("int n = 1; if (c[0]) { int n = 2; n = 7; } if (n == 1) x q[0];",
        [](unsigned) { return true; });
}

TEST_CASE("A variable that is first assigned under a condition is known as long as it holds") {
  // Qiskit writes switch statements in this way.
  check_expanded(
      "int n; if (c == 1) { n = c[0:1]; switch (n) { case 1 { x q[0]; } } } else { n = 3; }",
      "if (c == 1) { switch (c[0:1]) { case 1 { x q[0]; } } }");
  check_expanded(
      "int n; int m; if (c[0]) { n = 1; if (c[1]) { n = 2; m = 2; x q[m]; } if (n == 2) y q; }",
      "if (c[0]) { if (c[1]) { x q[2]; } if (c[1]) y q; }");
  check_expanded("int n; if (c[0] || c[1]) { n = 2; x q[n]; n = 3; x q[n]; } n = 1; x q[n];",
                 "if (c[0] || c[1]) { x q[2]; x q[3]; } x q[1];");
  check_expanded("array[int[8], 2] a; if (c[0]) { a[1] = 2; x q[a[1]]; }", "if (c[0]) { x q[2]; }");
}

TEST_CASE("An angle with measured bits is a gate for each bit, under the condition that it is 1") {
  const Circuit circuit = parse_3(
      "qubit[2] q; angle[3] a = 5*pi/4; angle[2] b = -pi/2; rz(a) q[0]; measure q[0] -> a[0]; a "
      "<<= "
      "1; phase(-a) q[1]; inv @ ctrl @ p(a) q[0], q[1]; b[1] = measure q[1]; rx(b) q; bit c = "
      "a[2];");
  CHECK(write_qasm(circuit) ==
        version_3 +
            "qubit[2] q;\nbit[3] a;\nbit[2] b;\nbit[1] c;\nrz(5*pi/4) q[0];\na = \"101\";\n"
            "a[0] = measure q[0];\na = a << 1;\n"
            "if (a[0]) { p(-pi/4) q[1]; }\nif (a[1]) { p(-pi/2) q[1]; }\n"
            "if (a[2]) { p(-pi) q[1]; }\n"
            "if (a[0]) { cp(-pi/4) q[0],q[1]; }\nif (a[1]) { cp(-pi/2) q[0],q[1]; }\n"
            "if (a[2]) { cp(-pi) q[0],q[1]; }\nb = \"11\";\nb[1] = measure q[1];\n"
            "if (b[0]) {\n  rx(pi/2) q[0];\n  rx(pi/2) q[1];\n}\n"
            "if (b[1]) {\n  rx(pi) q[0];\n  rx(pi) q[1];\n}\nc[0] = a[2];\n");
  CHECK(parse_qasm(write_qasm(circuit)) == circuit);
  // A name that a block has used before is not that of the register.
  CHECK(
      parse_3("qubit q; angle[1] a; a = 0; if (true) { bit a; } for int i in [0:1] { measure q -> "
              "a[0]; p(a) q; }")
          .bit_registers.back()
          .name == "a_1");
}

TEST_CASE("Subroutines are expanded where they are called") {
  check_expanded("def f(qubit a, float t) { rx(t) a; rz(2*t) a; } f(q[1], 0.5); f(q[0], pi);",
                 "rx(0.5) q[1]; rz(1.0) q[1]; rx(pi) q[0]; rz(2*pi) q[0];");
  check_expanded("def f(qubit[2] r) { cx r[0], r[1]; h r; } f(q[1:2]); f(q[{3, 0}]);",
                 "cx q[1],q[2]; h q[1]; h q[2]; cx q[3],q[0]; h q[3]; h q[0];");
  check_expanded(
      "def inner(qubit a, int n) -> int { for int i in [1:n] { x a; } return n + 1; } "
      "def outer(qubit a) { int k = inner(a, 2); h q[k]; } outer(q[0]);",
      "x q[0]; x q[0]; h q[3];");
  check_expanded(
      "def f(int n) -> int { if (n == 0) { return 1; } return 2; x q[0]; } h q[f(0)]; h "
      "q[f(1)];",
      "h q[1]; h q[2];");
  check_expanded("def f(qubit a, bit b) { if (b) { x a; } } f(q[0], c[1]); f(q[1], 1);",
                 "if (c[1]) { x q[0]; } x q[1];");
  check_expanded(
      "def parity(bit[3] b) -> bool { bool p = false; for int i in [0:2] { p ^= b[i]; } "
      "return p; } if (parity(c[0:2])) x q[0];",
      "if (c[0] ^ c[1] ^ c[2]) x q[0];");
  check_expanded("def swap(qubit[2] r) { cx r[0], r[1]; } swap(q[0:1]);", "cx q[0],q[1];");
}

TEST_CASE("The body of a subroutine does not see the names of its callers") {
  const auto check = [](const std::string& program, const std::string& plain) {
    INFO(program);
    CHECK(write_qasm(parse_3(program)) == write_qasm(parse_3(plain)));
  };
  const std::string subroutine = "qubit q; const int n = 1; def f(qubit a) { rx(n) a; } ";
  check(subroutine + "for int n in [3:3] { f(q); }", "qubit q; rx(1) q;");
  check(subroutine + "if (true) { const int n = 3; f(q); rx(n) q; }", "qubit q; rx(1) q; rx(3) q;");
  check(subroutine + "def g(qubit a, int n) { f(a); rx(n) a; } g(q, 2);",
        "qubit q; rx(1) q; rx(2) q;");
  // Names of the calls around the caller, and of its own blocks, mean what they meant before.
  check(subroutine +
            "def g(qubit a, int n) { for int k in [5:5] { int n = 7; f(a); rx(n) a; n += k; "
            "f(a); rx(n) a; } rx(n) a; } for int n in [4:4] { g(q, 2); rx(n) q; }",
        "qubit q; rx(1) q; rx(7) q; rx(1) q; rx(12) q; rx(2) q; rx(4) q;");
  // A global variable that a block hides is the one that the body changes.
  check(
      "qubit q; int n = 1; def f(qubit a) { n += 1; rx(n) a; } if (true) { int n = 8; f(q); "
      "rx(n) q; } rx(n) q;",
      "qubit q; rx(2) q; rx(8) q; rx(2) q;");
  // A register of a block, and an argument by the name of a register.
  check("qubit[2] q; def f() { x q[1]; } if (true) { let q = q[{1, 0}]; f(); h q[1]; }",
        "qubit[2] q; x q[1]; h q[0];");
  check(
      "qubit q; array[int, 2] n = {1, 2}; def f(qubit a) { rx(n[1]) a; } "
      "if (true) { array[int, 2] n = {5, 6}; f(q); rx(n[1]) q; }",
      "qubit q; rx(2) q; rx(6) q;");
  CHECK_THAT(error_of(version_3 + "qubit q; def f(qubit a) { rx(n) a; } "
                                  "if (true) { int n = 3; f(q); }"),
             Catch::Contains("n"));
}

TEST_CASE("A call of a subroutine in an expression is executed once") {
  const std::string one = "def one(qubit a) -> int { x a; return 1; } ";
  check_expanded(one + "h q[0:one(q[3])];", "x q[3]; h q[0]; h q[1];");
  check_expanded(one + "h q[0:one(q[3]):2];", "x q[3]; h q[0]; h q[1]; h q[2];");
  check_expanded(one + "rx(one(q[3])) q[0]; rx(one(q[3])) q[0];",
                 "x q[3]; rx(1.0) q[0]; x q[3]; rx(1.0) q[0];");
  check_expanded(one + "int n = 0; while (n < one(q[3])) { n += 1; }", "x q[3]; x q[3];");
}

TEST_CASE("Bit expressions are evaluated as numbers of any width") {
  const auto numbers = [](std::uint64_t value) {
    std::vector<bool> bits(8);
    for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = ((value >> i) & 1U) != 0;
    return bits;
  };
  const auto value_of = [&](const BitExpressionPointer& expression, unsigned bits) {
    std::uint64_t value = 0;
    const std::vector<bool> result = evaluate(*expression, numbers(bits));
    CHECK(result.size() == expression->width);
    for (std::size_t i = 0; i < result.size(); ++i) value |= std::uint64_t{result[i]} << i;
    return value;
  };
  const BitExpressionPointer a = bits_expression({0, 1, 2, 3});
  const BitExpressionPointer b = bits_expression({4, 5, 6, 7});
  const auto binary = [&](BitOperator kind) { return bit_operation(kind, {a, b}); };
  for (unsigned x = 0; x < 16; ++x) {
    for (unsigned y = 0; y < 16; ++y) {
      const unsigned bits = x + 16 * y;
      CHECK(value_of(binary(BitOperator::conjunction), bits) == (x & y));
      CHECK(value_of(binary(BitOperator::disjunction), bits) == (x | y));
      CHECK(value_of(binary(BitOperator::exclusive_or), bits) == (x ^ y));
      CHECK(value_of(binary(BitOperator::sum), bits) == x + y);
      CHECK(value_of(binary(BitOperator::left_shift), bits) == ((x << y) & 15U));
      CHECK(value_of(binary(BitOperator::right_shift), bits) == (x >> y));
      CHECK(value_of(binary(BitOperator::less), bits) == (x < y ? 1 : 0));
      CHECK(value_of(binary(BitOperator::greater_equal), bits) == (x >= y ? 1 : 0));
      CHECK(value_of(binary(BitOperator::equal), bits) == (x == y ? 1 : 0));
      CHECK(value_of(bit_operation(BitOperator::complement, {a}), bits) == (~x & 15U));
      CHECK(value_of(bit_operation(BitOperator::selection, {a, b, constant_expression(9)}), bits) ==
            (x != 0 ? y : 9));
    }
  }
}
