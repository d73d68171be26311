#include <fmt/core.h>

#include <array>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "programs.hpp"

using namespace quartz;
using namespace quartz::test;

namespace {

const std::string qubits = "qubit[4] q; bit[4] c; ";

/// Checks that both programs have the same operations.
void check_same(const std::string& program, const std::string& expanded) {
  INFO(program);
  const Circuit circuit = parse_3(qubits + program);
  CHECK(circuit.operations == parse_3(qubits + expanded).operations);
  CHECK(parse_qasm(write_qasm(circuit)).operations == circuit.operations);
}

std::string error_in(const std::string& program) { return error_of(version_3 + qubits + program); }

}  // namespace

TEST_CASE("The elements of arrays are values") {
  check_same(
      "array[float[64], 3] t = {0.5, pi/4, -2*pi}; for int i in [0:2] { rx(t[i]) q[i]; } rz(t[-1]) "
      "q[3];",
      "rx(0.5) q[0]; rx(pi/4) q[1]; rx(-2*pi) q[2]; rz(-2*pi) q[3];");
  check_same("array[int[8], 2, 3] n = {{1, 2, 3}, {4, 5, 6}}; rx(n[1][2]) q[0]; rx(n[0, 1]) q[1];",
             "rx(6.0) q[0]; rx(2.0) q[1];");
  check_same("array[int, 2] n; n[0] = 1; n[1] = n[0] + 1; n[0] += 2; h q[n[0]]; x q[n[n[1] - 2]];",
             "h q[3]; x q[3];");
  check_same("array[bool, 2] b = {true, false}; if (b[0]) x q[0]; if (b[1]) x q[1];", "x q[0];");
  check_same("array[uint[4], 2] n = {1, 3}; for int i in n { h q[i]; }", "h q[1]; h q[3];");
  check_same("input angle theta; array[angle, 2] t = {theta, 2*theta}; rx(t[1]) q[0];",
             "input angle theta; rx(2*theta) q[0];");
  check_same(
      "array[int, 3, 2] n; rx(sizeof(n)) q[0]; rx(sizeof(n, 1)) q[0]; rx(sizeof(n[0])) q[0];",
      "rx(3.0) q[0]; rx(2.0) q[0]; rx(2.0) q[0];");
}

TEST_CASE("Parts of arrays are assigned element by element") {
  check_same(
      "array[int, 2, 3] n = {{1, 2, 3}, {4, 5, 6}}; n[0] = n[1]; n[1, 0:1] = {7, 8}; "
      "for int i in n[0] { rx(i) q[0]; } for int i in n[1] { rz(i) q[0]; }",
      "rx(4.0) q[0]; rx(5.0) q[0]; rx(6.0) q[0]; rz(7.0) q[0]; rz(8.0) q[0]; rz(6.0) q[0];");
  check_same("array[int, 4] n = {1, 2, 3, 4}; n[1:3] = n[0:2]; for int i in n { rx(i) q[0]; }",
             "rx(1.0) q[0]; rx(1.0) q[0]; rx(2.0) q[0]; rx(3.0) q[0];");
  check_same("array[int, 4] n = {1, 2, 3, 4}; for int i in n[3:-2:0] { rx(i) q[0]; }",
             "rx(4.0) q[0]; rx(2.0) q[0];");
  check_same("array[int, 2, 2] n = {{1, 2}, {3, 4}}; for int i in n[:, 1] { rx(i) q[0]; }",
             "rx(2.0) q[0]; rx(4.0) q[0];");
  check_same("array[int, 2] n = {1, 2}; array[int, 2] m = n; n[0] = 3; rx(m[0]) q[0];",
             "rx(1.0) q[0];");
  check_same("array[int, 2] n = {1, 2}; if (false) n = {3, 4}; else n[0] = 5; rx(n[0]) q[0];",
             "rx(5.0) q[0];");
}

TEST_CASE("Random assignments to an array give each element the right value") {
  constexpr unsigned seed = 5;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 200; ++round) {
    std::array<std::array<int, 4>, 3> n{};
    std::string program = "array[int, 3, 4] n = {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}; ";
    for (int statement = 0; statement < 20; ++statement) {
      const int row = below(3);
      const int other = below(3);
      const int column = below(4);
      const int value = below(100);
      switch (below(5)) {
        case 0:
          program += fmt::format("n[{}, {}] = {}; ", row, column - 4, value);
          n[row][column] = value;
          break;
        case 1:
          program += fmt::format("n[{}][{}] += n[{}][{}] + {}; ", row, column, other, 0, value);
          n[row][column] += n[other][0] + value;
          break;
        case 2:
          program += fmt::format("n[{}] = n[{}]; ", row, other - 3);
          n[row] = n[other];
          break;
        case 3:  // the last three columns of a row move to the first ones, in reverse
          program += fmt::format("n[{}, 0:2] = n[{}, 3:-1:1]; ", row, other);
          for (const auto old = n[other]; const int i : {0, 1, 2}) n[row][i] = old[3 - i];
          break;
        default:  // a column becomes another one
          program += fmt::format("n[:, {}] = n[0:2, {}]; ", column, below(2));
          const int source = program[program.size() - 4] - '0';
          for (auto& each : n) each[column] = each[source];
      }
    }
    std::string expected;
    for (int i = 0; i < 12; ++i) {
      program += fmt::format("rx(n[{}][{}]) q[0]; ", i / 4, i % 4);
      expected += fmt::format("rx({}.0) q[0]; ", n[i / 4][i % 4]);
    }
    check_same(program, expected);
  }
}

TEST_CASE("Subroutines share the arrays that they get") {
  check_same(
      "def f(readonly array[float, 2, 2] t, qubit a) { rx(t[1][0]) a; rx(sizeof(t)) a; } "
      "array[float, 2, 2] t = {{0.1, 0.2}, {0.3, 0.4}}; f(t, q[1]);",
      "rx(0.3) q[1]; rx(2.0) q[1];");
  check_same(
      "def f(mutable array[int, #dim = 1] n, int value) { n[0] = value; n[-1] += 1; } "
      "array[int, 2, 2] n = {{1, 2}, {3, 4}}; f(n[1], 0); for int i in n[1] { rx(i) q[0]; }",
      "rx(0.0) q[0]; rx(5.0) q[0];");
}

TEST_CASE("Elements of arrays depend on measured bits as variables do") {
  check_same("array[int, 2] n = {0, 0}; if (c[0]) n[1] = 1; if (n[1] == 1) x q[0];",
             "int n = 0; if (c[0]) n = 1; if (n == 1) x q[0];");
  check_same(
      "def f(mutable array[int, #dim = 1] n) { n[0] = 1; } array[int, 2] n = {0, 0}; if (c[0]) "
      "f(n); if (n[0] == 1) x q[0];",
      "int n = 0; if (c[0]) n = 1; if (n == 1) x q[0];");
  const std::string changed =
      "the value of an element of 'n' is not known: it depends on a bit that has changed in line 3";
  CHECK(error_in("array[int, 1] n = {0}; if (c[0]) n[0] = 1; c[0] = measure q[0]; if (n[0] == 1) x "
                 "q[0];") == "test:3:91: " + changed);
  CHECK(error_in("array[int, 1] n = {0}; if (c[0]) n[0] = 1; { int n = 2; c[0] = measure q[0]; } "
                 "if (n[0] == 1) x q[0];") != "no error");
}

TEST_CASE("A loop on measured bits may change arrays and variables") {
  const std::string is_not_known = "is not known: the loop of line 3 may change it";
  const auto check_forgotten = [&](const std::string& program) {
    INFO(program);
    CHECK(error_in(program).find(is_not_known) != std::string::npos);
  };
  const std::string array = "array[int, 2] n = {1, 2}; ";
  const std::string measured = "c[0] = measure q[0]; } rx(n[0]) q[0];";
  check_forgotten(array + "while (c[0]) { n[0] = 3; " + measured);
  check_forgotten(array + "while (c[0]) { for int i in [0:1] n[i] += 3; " + measured);
  check_forgotten(array + "while (c[0]) { n = {3, 4}; " + measured);
  check_forgotten("def f(mutable array[int, #dim = 1] m) { m[0] = 3; } " + array +
                  "while (c[0]) { f(n); " + measured);
  check_forgotten("def f() { n[0] = 3; } " + array + "while (c[0]) { f(); " + measured);
  check_forgotten(
      "def f() { n = 3; } def g() { f(); } int n = 1; while (c[0]) { g(); c[0] = measure "
      "q[0]; } rx(n) q[0];");
  // What only reads an array does not change it.
  CHECK(error_in(array + "while (c[0]) { rx(n[1]) q[1]; " + measured) == "no error");
}

TEST_CASE("Errors about arrays name the array, and what was expected") {
  struct Malformed {
    std::string program;
    std::string message;
  };
  const std::vector<Malformed> programs{
      {"array[int, 2] n = {1, 2}; h q[n[2]];",
       "3:55: index 2 is out of range: this dimension of 'n' has the size 2"},
      {"array[int, 2] n = {1, 2}; h q[n[0, 0]];",
       "3:56: the array 'n' has no more than 1 dimension"},
      {"array[int, 2] n = {1}; h q[0];", "3:41: this list does not have 2 elements"},
      {"array[int, 2] n = {1, 2, 3};", "3:41: this list does not have 2 elements"},
      {"array[int, 2] n = {{1}, {2}};",
       "3:42: found '{', expected a number, 'pi', a parameter, a function or '('"},
      {"array[int, 2, 2] n = {1, 2};", "3:45: found '1', expected '{'"},
      {"array[int, 2] n = 3;", "3:41: found '3', expected a list in braces or an array"},
      {"array[int, 2] n; h q[n[0]];",
       "3:44: the value of an element of 'n' is not known: nothing was assigned to it"},
      {"array[int, 2] n = {1, 2}; rx(n) q[0];",
       "3:52: found a part of the array 'n', expected an element"},
      {"array[int, 2] n = {1, 2}; array[int, 3] m = n;",
       "3:67: 'n' has other sizes than the array to which it is assigned"},
      {"array[int, 2] n = {1, 2}; array[uint, 2] m = n;",
       "3:68: 'n' has elements of another type than the array to which it is assigned"},
      {"array[int] n;", "3:34: the array 'n' has 0 dimensions, expected 1 to 7"},
      {"array[int, 1, 1, 1, 1, 1, 1, 1, 1] n;",
       "3:58: the array 'n' has 8 dimensions, expected 1 to 7"},
      {"array[int, 0] n;", "3:34: found the size 0 of an array, expected 1 to 65536"},
      {"array[int, 65536, 65536] n;", "3:48: the array 'n' has more than 65536 elements"},
      {"array[qubit, 2] n;", "3:29: an array of type 'qubit' is not supported"},
      {"array[int, 2] n = {1, 2}; n += 1;",
       "3:51: found '+=', expected '=': only an element of an array can be changed by an operator"},
      {"def f(readonly array[int, 2] n) { n[0] = 1; } array[int, 2] m = {1, 2}; f(m);",
       "3:57: the parameter 'n' is readonly and cannot be changed"},
      {"def f(mutable array[int, 2] n) { } def g(readonly array[int, 2] n) { f(n); } array[int, 2] "
       "m = {1, 2}; g(m);",
       "3:94: the array 'n' is readonly, but the parameter 'n' is mutable"},
      {"def f(readonly array[int, 3] n) { } array[int, 2] m = {1, 2}; f(m);",
       "3:87: the array 'm' has other sizes than the parameter 'n'"},
      {"def f(readonly array[int, #dim = 2] n) { } array[int, 2] m = {1, 2}; f(m);",
       "3:94: the array 'm' has other sizes than the parameter 'n'"},
      {"int m = 1; def f(readonly array[int, 3] n) { } f(m);", "3:72: 'm' is no array"},
      {"array[int, 2] n; rx(sizeof(n, 1)) q[0];", "3:51: 'n' has no dimension 1"},
  };
  for (const Malformed& each : programs) {
    INFO(each.program);
    CHECK(error_in(each.program) == "test:" + each.message);
  }
}
