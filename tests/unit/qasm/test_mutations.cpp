#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "programs.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::test;

// Damaged programs are either read or refused with an InputError that has a location. Any other
// exception fails the test; the sanitizers also reveal crashes and invalid memory accesses.

namespace {

const std::vector<std::string_view> fragments{";",
                                              ",",
                                              "(",
                                              ")",
                                              "[",
                                              "]",
                                              "{",
                                              "}",
                                              "->",
                                              "==",
                                              "=",
                                              "-",
                                              "+",
                                              "*",
                                              "**",
                                              "/",
                                              "^",
                                              "!",
                                              "//",
                                              "/*",
                                              "*/",
                                              "\"",
                                              "'",
                                              "\n",
                                              " ",
                                              ".",
                                              "e",
                                              "1e9",
                                              "0",
                                              "1",
                                              "-1",
                                              "4294967296",
                                              "18446744073709551616",
                                              "0.7853981633974483",
                                              "1e-999",
                                              "pi",
                                              "tau",
                                              "sin(",
                                              "sqrt(",
                                              "θ",
                                              "\xff",
                                              "qreg q[3];",
                                              "creg c[2];",
                                              "qubit[2] z;",
                                              "bit w;",
                                              "input float u;",
                                              "gate ",
                                              "opaque ",
                                              "measure ",
                                              "reset ",
                                              "barrier ",
                                              "if(c==1) ",
                                              "if (c == 1) { ",
                                              "else ",
                                              "gphase(",
                                              "include ",
                                              "OPENQASM 3.0;",
                                              "ctrl @ ",
                                              "negctrl(2) @ ",
                                              "inv @ ",
                                              "pow(3) @ ",
                                              "pow(-2) @ ",
                                              "const int n = 2;",
                                              "let k = ",
                                              "for int i in [0:2] { ",
                                              "for i in {1, 0} ",
                                              "[0:1]",
                                              "[{0,1}]",
                                              "[-1]",
                                              "[n]",
                                              ":",
                                              "++",
                                              "@",
                                              "delay[10ns] ",
                                              "dt",
                                              "durationof({x q[0];})",
                                              "vote(c)",
                                              "int[2](c)",
                                              "bit[3](",
                                              "angle[2] a = 0;",
                                              "a[1]",
                                              " <<= ",
                                              "&&",
                                              "-t",
                                              "*2ns",
                                              "_",
                                              "$1",
                                              "// physical qubits: 3\n",
                                              "if (c[0]) ",
                                              "if (c != 2) ",
                                              "} else {",
                                              "for ",
                                              "h ",
                                              "cx ",
                                              "rz(",
                                              "q",
                                              "q[0]",
                                              "c[0]",
                                              "a,b",
                                              "0/0",
                                              "$0",
                                              "gate g a { g2 a; }",
                                              "gate g2(t) a,b { rz(1/t) a; cx a,b; }"};

std::string mutated(std::string program, std::mt19937_64& random) {
  const auto below = [&](std::size_t bound) {
    return bound == 0 ? 0 : std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
  };
  for (std::size_t i = 1 + below(4); i > 0; --i) {
    const std::size_t at = below(program.size());
    switch (below(5)) {
      case 0:
        program.erase(at, 1 + below(8));
        break;
      case 1:
        program.insert(at, fragments[below(fragments.size())]);
        break;
      case 2:
        if (!program.empty()) program[at] = static_cast<char>(below(256));
        break;
      case 3:
        program.insert(at, program.substr(below(program.size()), below(30)));
        break;
      default:
        program.resize(at);
        break;
    }
  }
  return program;
}

struct Counts {
  std::size_t read = 0;
  std::size_t refused = 0;
};

/// Checks that the program is read, and that its written form reads back as the same circuit; or
/// that it is refused with a location.
void read_or_refuse(const std::string& program, Counts& counts) {
  try {
    const Circuit circuit = parse_qasm(program, "test");
    REQUIRE(parse_qasm(write_qasm(circuit)) == circuit);
    ++counts.read;
  } catch (const InputError& error) {
    REQUIRE(error.location().file == "test");
    REQUIRE(error.location().line >= 1);
    REQUIRE(error.location().column >= 1);
    ++counts.refused;
  }
}

/// Programs with constructs that the writer never uses.
const std::vector<std::string> programs_in_3{
    "const int n = 4;\nconst float[64] step = pi/2**n;\nqubit[n] q;\nbit[n] c;\n"
    "gate turn(t) a, b { gphase(t/3); ctrl @ rz(t*step) a, b; inv @ s b; }\n"
    "for int i in [0:n-3] {\n  turn(0.5) q[i], q[i+1];\n  pow(2) @ negctrl @ turn(1) q[{i}], "
    "q[(i+1):(i+1)], q[-1];\n  c[i] = measure q[i];\n  if (c[i]) { x q[i]; } else h q;\n}\n",
    "input float[64] theta;\ninput angle phi;\nqubit[5] q;\nqubit r;\nlet a = q[0:2:4] ++ r;\n"
    "let b = q[{1, 3}];\nctrl(2) @ U(theta, phi, theta - phi/2) a[0], a[1], b[0];\ncx a[1:2], b;\n"
    "pow(-3) @ crz(theta) a[0], b;\ndelay[100ns] a;\nbarrier b, r;\nctrl @ gphase(theta) r;\n",
    "bit[2] c;\nh $3;\ncx $3, $0;\nif (c != 2) { z $0; inv @ t $1; }\nc[1] = measure $3;\n"
    "for uint k in {1, 0} { reset $1; rz(k*pi/4) $2; }\n",
    "qubit[3] q;\nbit[2] c;\narray[int[8], 2, 3] n = {{1, 2, 0}, {2, 1, 0}};\n"
    "def f(mutable array[int[8], #dim = 1] m, qubit a) -> bit { m[0] += 1; h a; return measure a; "
    "}\nn[0, 0:1] = n[1][1:2];\nc[0] = f(n[0], q[n[0, 2]]);\nfor int i in n[:, 1] { x q[i]; }\n"
    "while (c[0]) { n[0][0] = 0; c[0] = measure q[0]; }\nrx(sizeof(n, 1)) q[{2, 0, 1}][0:1];\n"
    "@note x\nbox[100ns] { duration d = 20ns; delay[d] q; }\n"
    "#pragma braket noise bit_flip(0.1) q[0]\nif (c[0]) n[1][1] = 1;\nz q;\n",
    "extern vote(bit[2]) -> bit;\nextern send(creg[2], int[8], float, duration, bool, angle[4]);\n"
    "extern count(uint[2]) -> int[3];\nqubit[2] q;\nbit[2] c;\nint n = 3;\nint m;\n"
    "c = measure q;\nc[0] = vote(c);\nif (count(uint[2](c)) == -1) { x q[0]; }\n"
    "send(c, -n, pi/4, 2*n*5ns, c[1], 0.5);\nif (int[2](c) < -1) { m = c; if (m == 2) x q; c ^= 1; "
    "}\n"
    "while (c[1]) { c[1] = vote(c); }\n",
    "input duration w;\nqubit[2] q;\nbit c;\nconst duration t = 1_00 ns;\nstretch s = t;\nduration "
    "d;\n"
    "d = 3*t/2 - w;\nd += durationof({x q[0]; cx q[0], q[1];});\nfor int i in [1:2] { delay[i*t + "
    "d] q; "
    "}\nbox[2*t] { duration e = -0.5*t + s; delay[(t/1ns)*1us] q[0]; nop q[1]; }\n"
    "angle[3] a = pi/4;\nmeasure q[0] -> a[0];\na <<= 1;\ninv @ p(a) q[1];\nrz(-a) q;\n"
    "measure_ff(0) q[0];\ncc_prx(pi, 0, 0) q[1];\npow(1/2) @ x q[0];\n"};

}  // namespace

TEST_CASE("Damaged programs are either read or refused") {
  constexpr unsigned seed = 11;
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  Counts counts;
  for (int i = 0; i < 4000; ++i) {
    const unsigned version = i % 2 == 0 ? 2 : 3;
    const std::string program = mutated(write_qasm(random_circuit(random, version)), random);
    INFO("program " << i << ":\n" << program);
    read_or_refuse(program, counts);
  }
  CHECK(counts.read > 100);
  CHECK(counts.refused > 1000);
}

TEST_CASE("Damaged programs with further constructs of OpenQASM 3 are either read or refused") {
  constexpr unsigned seed = 17;
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  Counts undamaged;
  for (const std::string& program : programs_in_3) read_or_refuse(version_3 + program, undamaged);
  CHECK(undamaged.refused == 0);
  Counts counts;
  for (int i = 0; i < 6000; ++i) {
    const std::string& program = programs_in_3[static_cast<std::size_t>(i) % programs_in_3.size()];
    const std::string damaged = version_3 + mutated(program, random);
    INFO("program " << i << ":\n" << damaged);
    read_or_refuse(damaged, counts);
  }
  CHECK(counts.read > 100);
  CHECK(counts.refused > 1000);
}

TEST_CASE("Random bytes are either read or refused") {
  constexpr unsigned seed = 13;
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes(std::uniform_int_distribution<std::size_t>(0, 60)(random), ' ');
    for (char& byte : bytes) {
      byte = static_cast<char>(std::uniform_int_distribution<int>(0, 255)(random));
    }
    INFO("program " << i);
    REQUIRE((error_of(bytes) == "no error" || error_of(bytes).starts_with("test:")));
    REQUIRE((error_of(version_2 + bytes) == "no error" ||
             error_of(version_2 + bytes).starts_with("test:")));
  }
}
