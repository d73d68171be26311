// Types of OpenQASM 3 that reduce values: integers with a width, and angles.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "programs.hpp"

using namespace quartz;
using namespace quartz::test;

namespace {

struct Claim {
  std::string declarations;
  std::string condition;
};

/// Checks that the condition is true after the declarations, and that its negation is false.
void check_true(const Claim& claim) {
  INFO(claim.declarations << " " << claim.condition);
  const std::string program = "qubit[8] q; " + claim.declarations + " if (";
  const Circuit expected = parse_3("qubit[8] q; x q[1];");
  CHECK(parse_3(program + claim.condition + ") x q[1]; else x q[2];").operations ==
        expected.operations);
  CHECK(parse_3(program + "!(" + claim.condition + ")) x q[2]; else x q[1];").operations ==
        expected.operations);
}

/// Checks that both programs have the same operations.
void check_expanded(const std::string& program, const std::string& expanded) {
  INFO(program);
  CHECK(parse_3("qubit[8] q; " + program).operations ==
        parse_3("qubit[8] q; " + expanded).operations);
}

/// Checks that the message of a program contains a text.
void check_refused(const std::string& program, const std::string& message) {
  INFO(program);
  CHECK_THAT(error_of(version_3 + "qubit[8] q; " + program), Catch::Contains(message));
}

const std::string two_bytes = "uint[8] a = 200; uint[8] b = 100;";
const std::string left_open = "OpenQASM leaves open whether the result is taken modulo 2^8";
const std::string no_width = "the type 'uint' has no width modulo which it could be taken";

}  // namespace

TEST_CASE("Operators on integers without a sign wrap around at their width") {
  const std::vector<Claim> claims{
      {"uint[8] a = 3; uint[8] b = 5;", "a - b > 0"},
      {"uint[8] a = 3; uint[8] b = 5;", "a - b == 254"},
      {"uint[8] a = 3; uint[8] b = 5; int c = a - b;", "c == 254"},
      {"uint[8] a = 3; uint[8] b = 5; int c = b - a;", "c == 2"},
      {"uint[8] a = 20;", "a * a == 144"},
      {"uint[8] a = 20; uint[8] two = 2;", "a ** two == 144"},
      {"uint[8] a = 200;", "(a << 1) == 144"},
      {"uint[8] a = 200;", "(a << 1) >> 1 == 72"},
      {"uint[8] a = 200;", "(a << 4000) == 0"},
      {"uint[8] a = 200;", "(a >> 64) == 0"},
      {"int[8] a = -7;", "(a >> 64) == -1"},
      {"int[8] a = -7;", "(a >> 2) == -2"},
      {"int[128] a = -7;", "(a >> 64) == -1"},
      {"int a = -7;", "(a >> 4000) == -1"},
      {"int a = -7;", "(a << 64) == -7 * 2**64"},
      {"uint a = 1;", "(a << 64) == 2**64"},
      {"uint[8] a = 3**50;", "a == 201"},
      {"const uint[64] n = 3**40; const uint[8] a = n;", "a == 33"},
      {"uint[63] a = 2**186;", "a == 0"},
      {"uint[100] a = 2**99 + 5;", "a[99] && !a[98] && a[2]"},
      {"int[64] a = -9223372036854775807 - 1;", "(a >> 63) == -1"},
      {two_bytes + " int c = a + b;", "c == 44"},
      {two_bytes, "a + b == 44"},
      {two_bytes + " float f = a + b;", "f == 44"},
      {"uint[8] a = 5;", "~a == 250"},
      {"int[8] a = 5;", "~a == -6"},
      {"uint[8] a = 5;", "-a == 251"},
      {"uint[8] a = 200; uint[16] b = 100;", "a + b == 300"},
      {"uint[8] a = 200; int[16] b = -300;", "a + b == -100"},
      {"uint[8] a = 200; int b = 100;", "a + b == 300 && b - a == -100 && -b < a"},
      {"int s = 0; for uint[2] i in [0:3] { s += i; }", "s == 6"},
      {"int[8] a = 100; int two = 2;", "a * two == 200"},
      {"uint[64] a = 18446744073709551615;", "(a >> 60) == 15"},
      {"uint[64] a = 18446744073709551615; uint[64] b = 2; a += b;", "a == 1"},
      {"uint[8] a = 200;", "int[8](a) == -56"},
      {"int[8] a = -56;", "uint[8](a) == 200"},
      {"def f(uint[8] n) -> uint[4] { return n; } uint[8] a = 20;", "f(a) == 4"},
  };
  for (const Claim& claim : claims) check_true(claim);
}

TEST_CASE("An integer of another type decides about a result once it is assigned") {
  const std::vector<Claim> claims{
      {"uint[8] a = 255; a += 1;", "a == 0"},
      {"uint[8] a = 0; a = a - 1;", "a == 255"},
      {"uint[8] a = 200; uint[8] b = 2 * a + 3;", "b == 147"},
      {"uint[8] a = 20; uint[4] b = a ** 2 - 1;", "b == 15"},
      {"array[uint[4], 2] a = {15, 1}; a[0] += 1;", "a[0] == 0"},
      {"uint[8] a = 0;", "uint[8](a - 1) == 255"},
      {"uint[8] a = 3;", "a - 2 + 1 == 2"},
      {"int[8] a = 100;", "int(a) * 2 == 200"},
      {"uint[8] a = 200;", "int(a) + 100 == 300"},
  };
  for (const Claim& claim : claims) check_true(claim);
  for (const char* condition :
       {"a + 100 > 0", "a - 201 < 0", "2 * a == 144", "a ** 2 == 64", "(a + 56) / 2 == 0",
        "a + 56 == 0", "-1 + a * 2 == 0", "int[16](a + 100) == 300", "(a + 100) % 3 == 0",
        "((a + 100) & 1) == 0", "bool(a + 56)", "float(a + 56) == 256.0"}) {
    check_refused(std::string("uint[8] a = 200; if (") + condition + ") x q[0];", left_open);
  }
  check_refused("uint[8] a = 200; rz((a + 100) * pi) q[0];", left_open);
  check_refused("uint[8] a = 255; x q[a - 254 + 255];", left_open);
  check_refused("uint[8] a = 200; uint[16] b = a + 100;", left_open);
  check_refused("uint[16] a = 65535; int b = 1; if (a + b > 0) x q[0];", "modulo 2^16");
}

TEST_CASE("Integers of other types that do not have a result are refused") {
  check_refused("uint n = 0; n -= 1;", no_width);
  check_refused("uint n = -1;", no_width);
  check_refused("const uint n = 2; if (n - 3 < 0) x q[0];", no_width);
  check_refused("for uint i in [0:2] { rz(pi * (i - 1)) q[0]; }", no_width);
  check_refused("int[8] a = 100; int b = a * 2;",
                "the number 200 does not fit an integer of 8 bits");
  check_refused("int[8] a = -128; if (-a > 0) x q[0];", "the number 128 does not fit");
  check_refused("int[8] a = 100; if ((a << 1) > 0) x q[0];", "the number 200 does not fit");
  check_refused("uint[8] a = 3; int[8] b = -1; if (a < b) x q[0];",
                "found a negative number beside");
  check_refused("uint a = 3; if (a > -1) x q[0];", "found a negative number beside");
  check_refused("int n = 5; if (~n < 0) x q[0];", "'~' of a number whose type has no width");
  check_refused("for uint[2] i in [0:4] { x q[i]; }",
                "the value 4 of the loop does not fit the type uint[2]");
  check_true({"uint[8] a = 3; int[16] b = -1;", "b < a"});
  check_true({"int n = 0; n -= 1;", "n == -1"});
}

TEST_CASE("Assignments to the variable of a loop end with the iteration") {
  check_expanded("for int i in {1, 2} { i += 2; x q[i]; }", "x q[3]; x q[4];");
  check_expanded("for uint[2] i in [2:3] { i += 2; x q[i]; }", "x q[0]; x q[1];");
  check_expanded(
      "bit c; for int i in [0:1] { c = measure q[0]; if (c) { i += 1; } if (i == 1) x q[1]; "
      "}",
      "bit c; c = measure q[0]; if (c) { x q[1]; } c = measure q[0]; if (!c) { x q[1]; }");
}

TEST_CASE("Blocks outside of other statements have a scope of their own") {
  check_expanded("int n = 1; { int n = 2; x q[n]; } x q[n];", "x q[2]; x q[1];");
  check_expanded("int n = 1; { n = 2; { n += 1; } } x q[n];", "x q[3];");
}

TEST_CASE("Constants have the values of their types") {
  check_expanded("const uint[4] n = 20; x q[n];", "x q[4];");
  check_expanded("uint[4] n = 20; x q[n];", "x q[4];");
  check_expanded("const bool b = 5; x q[int(b)];", "x q[1];");
  check_expanded("const angle[4] a = 9*pi/4; ctrl @ rx(a) q[0], q[1];",
                 "ctrl @ rx(pi/4) q[0], q[1];");
  check_refused("const int[4] n = 20;", "the number 20 does not fit an integer of 4 bits");
  check_refused("const bit[2] n = 5;", "the number 5 does not fit 2 bits");
}

TEST_CASE("Angles are taken modulo 2 pi, exactly") {
  check_expanded("angle[8] h = 3*pi; rx(h/2) q[0];", "rx(pi/2) q[0];");
  check_expanded("angle h = 3*pi; rx(h/2) q[0];", "rx(pi/2) q[0];");
  check_expanded("angle h = -pi/2; rx(h) q[0]; rx(h/3) q[0];", "rx(3*pi/2) q[0]; rx(pi/2) q[0];");
  check_expanded("angle[8] a = 3*pi; ctrl @ rx(a) q[0], q[1];", "ctrl @ rx(pi) q[0], q[1];");
  check_expanded("angle a = 5*pi/2; a *= 3; rx(a) q[0];", "rx(3*pi/2) q[0];");
  check_expanded("angle a = 7; rx(a) q[0];", "rx(7 - 2*pi) q[0];");
  check_expanded("angle a = -0.5; a += 0.25; rx(a) q[0];", "rx(2*pi - 0.25) q[0];");
  check_expanded("angle a = 1e18; rx(a) q[0];", "rx(1e18 - 318309886183790670*pi) q[0];");
  check_expanded("def f(angle a, qubit r) { rx(a/2) r; } f(3*pi, q[0]);", "rx(pi/2) q[0];");
  check_expanded("array[angle[8], 1] a = {3*pi}; rx(a[0]/2) q[0];", "rx(pi/2) q[0];");
  check_expanded("rx(angle[8](3*pi)/2) q[0];", "rx(pi/2) q[0];");
  check_refused("angle a = -pi/9223372036854775783;",
                "the angle modulo 2*pi needs a fraction of more than 64 bits");
  check_refused("angle a = 1e20;", "the angle is too large to be reduced modulo 2*pi");
  const std::vector<Claim> claims{
      {"angle a = 3*pi;", "a == pi"},
      {"angle[4] a = pi; a += pi;", "a == 0"},
      {"angle a = 3*pi/2; angle b = pi;", "2*a == pi && pi < a && b < a"},
      {"angle[4] a = 3*pi/2; angle[4] b = pi/2;", "a / b == 3 && a + b == 0 && b - a == pi"},
      {"angle[4] a = 7*pi/8; uint[4] two = 2;", "a / two == 3*pi/8 && a / 2 == 3*pi/8"},
      {"angle[4] a = pi/4;", "-a == 7*pi/4"},
      {"angle[4] a = 9*(pi/8);", "(a << 2) == pi/2 && (a >> 2) == pi/4"},
      {"angle[4] a = 9*(pi/8);", "a[0] == 1 && a[1] == 0 && bit[4](a) == \"1001\""},
      {"angle[4] a = \"1001\";", "a == 9*pi/8"},
      {"angle[4] a = pi/8; angle[4] b = 9*pi/8;", "(a | b) == b && (a ^ b) == pi && ~a == 7*pi/4"},
  };
  for (const Claim& claim : claims) check_true(claim);
}

TEST_CASE("Angles with a width are rounded to the nearest one of their type") {
  check_expanded("angle[2] a = 3*pi/8 + 0.01; rx(a) q[0];", "rx(pi/2) q[0];");
  check_expanded("angle[3] a = pi/8; rx(a) q[0];", "rx(0) q[0];");
  check_expanded("angle[3] a = 3*pi/8; rx(a) q[0];", "rx(pi/2) q[0];");
  check_expanded("angle[8] a = 2*pi*(127.0/512); rx(a) q[0];", "rx(pi/2) q[0];");
  check_expanded("angle[8] a = 1; rx(a) q[0];", "rx(41*pi/128) q[0];");
  check_expanded("angle[8] a = -0.001; rx(a) q[0];", "rx(0) q[0];");
  check_expanded("angle[20] a = pi/2; angle[4] b = a + pi/32; rx(b) q[0];", "rx(pi/2) q[0];");
  check_expanded("angle[62] a = pi/3; angle[2] b = a; rx(b) q[0];", "rx(pi/2) q[0];");
  check_expanded("angle[64] a = 3*pi + pi/1024; rx(a) q[0];", "rx(pi + pi/1024) q[0];");
  check_refused("angle[64] a = pi/3;", "rounding to more than 62 bits is not supported");
  check_refused("angle[4] a = pi; a += 0.1;", "write angle[4](0.1) for the nearest one");
  check_refused("angle[4] a = pi; if (a == 0.1) x q[0];",
                "write angle[4](0.1) for the nearest one");
}

TEST_CASE("Operators that angles do not have are refused if the reduction matters") {
  check_expanded("angle a = pi/2; rx(a * 0.5) q[0]; rx(sin(a)) q[0];",
                 "rx(pi/4) q[0]; rx(1) q[0];");
  check_expanded("angle a = 3*pi; rx(float(a) * 0.5) q[0]; rx(cos(a)) q[0];",
                 "rx(pi/2) q[0]; rx(-1) q[0];");
  check_refused("angle a = 3*pi; rx(a * 0.5) q[0];", "declare it as 'float'");
  check_refused("angle a = 3*pi; rx(sqrt(a)) q[0];", "declare it as 'float'");
  check_refused("angle a = 3*pi; int n = a;", "OpenQASM does not convert angles to integers");
  check_refused("angle a = pi; if (a < 2*pi) x q[0];", "write angle(2*pi) for the nearest one");
  check_refused("angle a = pi; rx(a / -2) q[0];", "an angle and a negative integer");
}

TEST_CASE("Angles with free parameters are not reduced") {
  check_expanded("input float t; angle a = 2*t + 3*pi; rx(a) q[0];",
                 "input float t; rx(2*t + 3*pi) q[0];");
  check_expanded("input angle t; angle a = t; rx(a/2) q[0];", "input angle t; rx(t/2) q[0];");
  check_refused("input float t; angle a = 2*t; rx(a/2) q[0];",
                "modulo 2*pi of an angle with a free parameter");
}

TEST_CASE("Numbers of type float keep all digits, whatever their width is") {
  check_expanded("float[32] f = 0.1; rx(f) q[0]; float g = 3*pi; rx(g/2) q[0];",
                 "rx(0.1) q[0]; rx(3*pi/2) q[0];");
}

TEST_CASE("Built-in functions of known numbers and bits have the values of the specification") {
  const std::vector<Claim> claims{
      {"", "floor(2.5) == 2"},
      {"", "floor(-2.5) == -3"},
      {"", "ceiling(2.5) == 3"},
      {"", "ceiling(-2.5) == -2"},
      {"", "ceiling(7) == 7"},
      {"", "floor(2*pi) == 6"},
      {"", "ceiling(2*pi) == 7"},
      {"const int n = 10;", "int(floor(sqrt(n))) == 3"},
      // What the function returns is a float, which no quotient truncates.
      {"", "floor(3.5) / 2 == 1.5"},
      {"", "mod(17, 5) == 2"},
      {"uint[8] a = 200; uint[8] b = 7;", "mod(a, b) == 4"},
      {"", "mod(5.5, 2) == 1.5"},
      {"", "mod(7*pi, 2*pi) == pi"},
      // The examples of the specification.
      {"uint[6] b = 37;", "popcount(b) == 3"},
      {"uint[6] b = 37;", "rotl(b, 3) == 44"},
      {"const bit[8] a = \"10001111\";", "rotl(a, 2) == \"00111110\""},
      {"const bit[8] a = \"10001111\";", "rotr(a, 2) == \"11100011\""},
      {"const bit[8] a = \"10001111\";", "popcount(a) == 5"},
      {"const bit[8] a = \"10001111\";", "rotl(a, 8) == a"},
      {"const bit[8] a = \"10001111\";", "rotl(a, 17) == rotl(a, 1)"},
      {"angle[4] a = 9 * (pi / 8);", "rotl(a, 1) == 3 * (pi / 8)"},
      {"uint[8] a = 1;", "rotr(a, 1) + a == 129"},
  };
  for (const Claim& claim : claims) check_true(claim);
  check_expanded("rz(mod(5, 3) * pi / 4) q[0];", "rz(pi / 2) q[0];");
  check_expanded("def floor(int n) -> int { return n + 1; } x q[floor(2)];", "x q[3];");
}

TEST_CASE("Built-in functions whose values are left open are refused") {
  check_refused("if (mod(-7, 2) == 1) x q[0];", "which sign mod has for negative numbers");
  check_refused("if (mod(7, 0) == 1) x q[0];", "division by zero");
  check_refused("uint[8] a = 1; if (rotl(a, -1) == 128) x q[0];",
                "OpenQASM does not say what rotl by a negative distance is");
  check_refused("int a = 1; if (rotr(a, 1) == 0) x q[0];", "a type with a width");
  check_refused("if (popcount(-1) == 8) x q[0];", "found a negative number");
  check_refused("if (popcount(0.5) == 8) x q[0];", "expects a value of bit[n] or uint[n]");
  check_refused("angle a = pi; if (floor(a) == 3) x q[0];", "write floor(float(a))");
  check_refused("input float a; rx(floor(a)) q[0];", "floor of a free parameter is not supported");
  check_refused("uint[8] a = 200; if (popcount(a + 100) == 3) x q[0];", left_open);
  check_refused("bit[2] c; c[0] = measure q[0]; if (popcount(c) == 1) x q[0];",
                "depends on a measurement is not supported");
  check_refused("if (mod(5) == 1) x q[0];", "expected ','");
  check_refused("if (floor == 1) x q[0];", "expected '('");
}
