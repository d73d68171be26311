#include <catch2/catch.hpp>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "programs.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/circuit/unitary.hpp"

using namespace quartz;
using namespace quartz::test;
using enum quartz::GateKind;

namespace {

/// Returns the text of the angle in a program, after checking that it reads back as the same angle.
std::string angle_text(const Angle& angle, unsigned version = 2) {
  Circuit circuit = make_circuit(1, {make_operation(rz, {0}, {angle})});
  circuit.qasm_version = version;
  for (const std::string& name : angle.symbols()) circuit.parameters.push_back({name});
  const std::string program = write_qasm(circuit);
  INFO(program);
  CHECK(parse_qasm(program) == circuit);
  const std::size_t start = program.rfind("rz(") + 3;
  return program.substr(start, program.rfind(")") - start);
}

}  // namespace

TEST_CASE("A complete program of version 2 is written") {
  const std::string program =
      "// made by hand\n//\nOPENQASM 2.0;\ninclude \"qelib1.inc\";\n// global phase: pi/4\n"
      "gate ccz q0,q1,q2 { cx q1,q2; tdg q2; cx q0,q2; t q2; cx q1,q2; tdg q2; cx q0,q2; t q1; "
      "t q2; cx q0,q1; t q0; tdg q1; cx q0,q1; }\n"
      "gate ryy(p0) q0,q1 { sxdg q0; sxdg q1; rzz(p0) q0,q1; sx q0; sx q1; }\n"
      "opaque magic(p0,p1) q0,q1;\nopaque idle q0;\n"
      "qreg a[2];\nqreg b[1];\ncreg c[2];\n"
      "ccz a[0],a[1],b[0];\nmagic(pi/2,0.5) a[0],b[0];\nidle b[0];\nryy(-pi/3) b[0],a[1];\n"
      "barrier a,b;\nbarrier b,a[1];\nreset a[0];\nif(c==2) measure a[1] -> c[1];\n"
      "if(c==0) idle a[0];\n";
  CHECK(write_qasm(parse_qasm(program)) == program);
}

TEST_CASE("A complete program of version 3 is written") {
  const std::string program =
      "// made by hand\nOPENQASM 3.0;\ninclude \"stdgates.inc\";\n"
      "input float[64] alpha;\ninput float[64] β;\n"
      "gate ecr q0,q1 { gphase(-pi/4); s q0; sx q1; cx q0,q1; x q0; }\n"
      "gate rzz(p0) q0,q1 { cx q0,q1; rz(p0) q1; cx q0,q1; }\n"
      "gate rxx(p0) q0,q1 { h q0; h q1; rzz(p0) q0,q1; h q0; h q1; }\n"
      "qubit[2] a;\nqubit[1] b;\nbit[2] c;\ngphase(alpha/2 - pi/4);\n"
      "ecr a[0],b[0];\nrxx(alpha - 2*β/3) a[0],a[1];\nU(0.1,0.2,0.3) a[0];\n"
      "c[1] = measure a[0];\nif (c == 2) { x a[0]; }\nif (c == 3) { c[0] = measure b[0]; }\n"
      "barrier a;\nreset b[0];\n";
  CHECK(write_qasm(parse_qasm(program)) == program);
}

TEST_CASE("An empty circuit is written as a program") {
  Circuit circuit;
  CHECK(write_qasm(circuit) == version_2);
  CHECK(parse_qasm(version_2) == circuit);
}

TEST_CASE("Angles are written exactly") {
  CHECK(angle_text(Angle()) == "0");
  CHECK(angle_text(pi(1)) == "pi");
  CHECK(angle_text(pi(-1)) == "-pi");
  CHECK(angle_text(pi(-3, 4)) == "-3*pi/4");
  CHECK(angle_text(radians(2)) == "2");
  CHECK(angle_text(radians(-1, 4)) == "-0.25");
  CHECK(angle_text(pi(1, 2) - radians(1, 4)) == "pi/2 - 0.25");
  CHECK(angle_text(pi(-1, 2) + radians(1, 4)) == "-pi/2+0.25");
  CHECK(angle_text(radians(1, 3)) == "1*1.0/3");
  CHECK(angle_text(radians(-2, 7), 3) == "-2*1.0/7");
  CHECK(angle_text(Angle::symbol("t") * Rational(-2, 3) + pi(1, 4) + radians(1, 3), 3) ==
        "-2*t/3+pi/4+1*1.0/3");
  CHECK(angle_text(Angle::symbol("t") - pi(1), 3) == "t - pi");
}

TEST_CASE("A decimal that would read back as a multiple of pi is written with zeros") {
  const Angle sum = Angle::decimal("0.5") + Angle::decimal("1.0707963267948966");
  CHECK(sum == Angle::decimal("1.5707963267948966"));
  CHECK(angle_text(sum) == "1.570796326794896600000000000000000000e0");
  CHECK(angle_text(-sum) == "-1.570796326794896600000000000000000000e0");
  CHECK(angle_text(sum, 3) == "1.570796326794896600000000000000000000e0");
}

TEST_CASE("Numbers at the limits of their range read back") {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  for (const unsigned version : {2U, 3U}) {
    for (const Angle& angle :
         {radians(largest), radians(-largest), radians(largest, 10), radians(largest, 3),
          radians(1, largest), Angle::pi_times(Rational(largest, 2)),
          Angle::pi_times(Rational(-1, largest)), radians(1, 1000000000000000000),
          radians(largest, 1000000000000000000), Angle::decimal("1e-30"), Angle::decimal("2.5e200"),
          Angle::decimal("0.78539816339744830961566084581987572"),
          -Angle::decimal("1.57079632679489661923") * Rational(3, 7),
          Angle::decimal("12345678901234567890123.5") + pi(1, 3),
          Angle::decimal("9.587379924285257e-5"), Angle::decimal("0.0123456789012345678901")}) {
      INFO(angle.to_string());
      CHECK_FALSE(angle_text(angle, version).empty());
    }
  }
}

TEST_CASE("A circuit that no program can express is refused") {
  Circuit circuit = make_circuit(2, {make_operation(h, {0})});
  SECTION("an invalid name") {
    circuit.qubit_registers[0].name = "my register";
    CHECK_THROWS_WITH(write_qasm(circuit), "cannot write the name 'my register' in OpenQASM 2");
  }
  SECTION("a keyword of OpenQASM 3 as a name") {
    circuit.qasm_version = 3;
    circuit.qubit_registers[0].name = "measure";
    CHECK_THROWS_WITH(write_qasm(circuit), "cannot write the name 'measure' in OpenQASM 3");
  }
  SECTION("a repeated name") {
    circuit.bit_registers.push_back({"q", 0, 1});
    CHECK_THROWS_WITH(write_qasm(circuit), "cannot write a circuit with two things named 'q'");
  }
  SECTION("registers with a gap") {
    circuit.qubit_registers.push_back({"r", 3, 1});
    CHECK_THROWS_WITH(write_qasm(circuit),
                      "the registers of the circuit do not follow one another: 'r' starts at 3, "
                      "expected 2");
  }
  SECTION("free parameters in version 2") {
    circuit.parameters = {{"theta"}};
    CHECK_THROWS_WITH(write_qasm(circuit),
                      "OpenQASM 2 has no free parameters, such as 'theta': write version 3");
  }
  SECTION("a free parameter without a declaration") {
    circuit.operations = {make_operation(rz, {0}, {Angle::symbol("t")})};
    CHECK_THROWS_WITH(write_qasm(circuit), "the free parameter 't' is used but not declared");
  }
  SECTION("a qubit that does not exist") {
    circuit.operations = {make_operation(h, {2})};
    CHECK_THROWS_WITH(write_qasm(circuit), "the circuit has no qubit or bit number 2");
  }
  SECTION("a physical qubit that does not exist, or physical qubits together with a register") {
    circuit.qasm_version = 3;
    circuit.qubit_registers[0].name = "$";
    circuit.operations = {make_operation(h, {2})};
    CHECK_THROWS_WITH(write_qasm(circuit), "the circuit has no qubit or bit number 2");
    circuit.qubit_registers.push_back({"r", 2, 1});
    CHECK_THROWS_WITH(write_qasm(circuit), "cannot write physical qubits together with a register");
  }
  SECTION("a condition on a register or a bit that does not exist") {
    circuit.bit_registers.push_back({"c", 0, 2});
    for (const Condition& condition : {Condition{1, 0}, Condition{0, 0, 2}}) {
      ClassicalPart classical;
      classical.conditions = {condition};
      circuit.operations[0].classical = std::make_shared<ClassicalPart>(classical);
      CHECK_THROWS_WITH(write_qasm(circuit),
                        "a condition tests a register or a bit that the circuit does not have");
    }
  }
  SECTION("an unknown version") {
    circuit.qasm_version = 4;
    CHECK_THROWS_WITH(write_qasm(circuit), "cannot write OpenQASM version 4, only 2 and 3");
  }
  SECTION("a header comment of two lines") {
    circuit.header_comments = {"a\nh q[0];"};
    CHECK_THROWS_WITH(write_qasm(circuit),
                      "cannot write a header comment that is not a single line");
  }
  SECTION("an opaque gate with the name of a standard gate, or with two numbers of angles") {
    ClassicalPart classical;
    classical.opaque_name = "h";
    Operation opaque = make_operation(GateKind{}, {1});
    opaque.kind = OperationKind::opaque;
    opaque.classical = std::make_shared<ClassicalPart>(classical);
    circuit.operations.push_back(opaque);
    CHECK_THROWS_WITH(write_qasm(circuit),
                      "cannot write a circuit in which 'h' is both a standard gate and an opaque "
                      "gate");
    circuit.operations[0] = opaque;
    circuit.operations[0].angles = {pi(1)};
    CHECK_THROWS_WITH(write_qasm(circuit),
                      "the opaque gate 'h' is used with different numbers of angles or qubits");
  }
  CHECK_THROWS_AS(write_qasm(circuit), UsageError);
}

TEST_CASE("A parameter named like a gate of stdgates.inc keeps its name, and nothing is included") {
  Circuit circuit =
      parse_qasm("OPENQASM 3.0; input float[64] t; qubit[1] q; U(t,-pi/2,pi/2) q[0];");
  circuit.operations = {make_operation(h, {0}), make_operation(rz, {0}, {Angle::symbol("t")}),
                        make_operation(GateKind::t, {0}), make_operation(h, {0})};
  const std::string program =
      "OPENQASM 3.0;\ninput float[64] t;\n"
      "gate h q0 { U(pi/2,0,pi) q0; }\ngate rz(p0) q0 { gphase(-p0/2); U(0,0,p0) q0; }\n"
      "gate quartz_t q0 { U(0,0,pi/4) q0; }\n"
      "qubit[1] q;\nh q[0];\nrz(t) q[0];\nquartz_t q[0];\nh q[0];\n";
  CHECK(write_qasm(circuit) == program);
  CHECK(parse_qasm(program) == circuit);
}

TEST_CASE("Registers named like gates of qelib1.inc keep their names, and nothing is included") {
  const std::string program =
      "// made by hand\nOPENQASM 2.0;\n// global phase: pi/4\n"
      "gate quartz_h q0 { U(pi/2,0,pi) q0; }\n"
      "gate rz(p0) q0 { U(0,0,p0/2) q0; U(pi,0,pi) q0; U(0,0,-p0/2) q0; U(pi,0,pi) q0; }\n"
      "gate rzz(p0) q0,q1 { CX q0,q1; rz(p0) q1; CX q0,q1; }\n"
      "qreg h[2];\nqreg cx[1];\ncreg c[1];\n"
      "quartz_h h[0];\nCX h[0],cx[0];\nrzz(0.5) h[0],h[1];\nU(0.1,0.2,0.3) cx[0];\n"
      "measure h[0] -> c[0];\n";
  const Circuit circuit = parse_qasm(program);
  CHECK(circuit.operations[0] == make_operation(h, {0}));
  CHECK(circuit.operations[1] == make_operation(cx, {0, 2}));
  CHECK(circuit.operations[2] == make_operation(rzz, {0, 1}, {radians(1, 2)}));
  CHECK(circuit.global_phase == pi(1, 4));
  CHECK(circuit.header_comments == std::vector<std::string>{"made by hand"});
  CHECK(write_qasm(circuit) == program);

  // Earlier versions left the phase of rz out of its definition.
  std::string earlier = program;
  const std::size_t body = earlier.find("U(0,0,p0/2)");
  earlier.replace(body, earlier.find(" }", body) - body, "U(0,0,p0) q0;");
  CHECK(parse_qasm(earlier) == circuit);
}

TEST_CASE("A comment with a phase is a header comment if an include line follows") {
  const Circuit circuit =
      parse_qasm("OPENQASM 2.0;\n// global phase: pi/4\ninclude \"qelib1.inc\";\nqreg q[1];");
  CHECK(circuit.global_phase == Angle());
  CHECK(circuit.header_comments == std::vector<std::string>{"global phase: pi/4"});
}

TEST_CASE("Physical qubits and a parameter named like a gate of stdgates.inc are written") {
  const std::string program =
      "OPENQASM 3.0;\n// physical qubits: 4\ninput float x;\n"
      "gate rz(p0) q0 { gphase(-p0/2); U(0,0,p0) q0; }\nrz(x) $2;\n";
  CHECK(write_qasm(parse_qasm(program)) == program);
}

TEST_CASE("Every gate is written without the include file, and reads back") {
  for (const unsigned version : {2U, 3U}) {
    for (const bool all_names : {false, true}) {
      Circuit circuit;
      circuit.qasm_version = version;
      circuit.qubit_registers = {{"x", 0, 5}};
      for (const Gate& row : gate_table()) {
        if (all_names && row.name != "x") {
          const auto bit = static_cast<std::uint32_t>(circuit.bit_registers.size());
          circuit.bit_registers.push_back({std::string(row.name), bit, 1});
        }
        std::vector<Angle> angles;
        for (std::size_t i = 0; i < row.parameters.size(); ++i) {
          angles.push_back(radians(static_cast<std::int64_t>(3 + i), 10));
        }
        circuit.operations.push_back(on_own_operands(row, angles));
      }
      const std::string program = write_qasm(circuit);
      INFO(program);
      CHECK(program.find("include") == std::string::npos);
      CHECK(parse_qasm(program) == circuit);
      CHECK(write_qasm(parse_qasm(program)) == program);
    }
  }
}

TEST_CASE("The definitions that replace the include file equal the gates, phase included") {
  for (const Gate& row : gate_table()) {
    std::vector<Angle> angles;
    for (std::size_t i = 0; i < row.parameters.size(); ++i) {
      angles.push_back(radians(static_cast<std::int64_t>(3 + i), 10));
    }
    Circuit circuit = make_circuit(row.qubits, {on_own_operands(row, angles)});
    circuit.qasm_version = 3;
    circuit.bit_registers = {{"x", 0, 1}};
    std::string program = write_qasm(circuit);
    INFO(program);
    // Under another name the definition keeps its own meaning.
    const std::string name(row.name);
    const std::string definition = "gate " + (name == "x" ? "quartz_x" : name);
    const std::size_t at = program.rfind(definition);
    if (at == std::string::npos) continue;  // U is not defined
    program.replace(at, definition.size(), "gate other");
    const std::size_t call = program.rfind('\n', program.size() - 2) + 1;
    program.replace(call, definition.size() - 5, "other");
    const Circuit expanded = parse_qasm(program);
    const std::vector<Complex> left = unitary_of(circuit.operations, row.qubits);
    const std::vector<Complex> right = unitary_of(expanded.operations, row.qubits);
    const Complex phase = std::polar(1.0, expanded.global_phase.value());
    REQUIRE(left.size() == right.size());
    for (std::size_t i = 0; i < left.size(); ++i)
      CHECK(std::abs(left[i] - phase * right[i]) < 1e-12);
  }
}
