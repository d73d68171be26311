// Programs read with the gates that they define.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/declared_gate.hpp"
#include "quartz/qasm/dialect.hpp"
#include "quartz/qasm/include_path.hpp"
#include "quartz/qasm/qasm.hpp"
#include "random_gate_programs.hpp"

using namespace quartz;
using namespace quartz::test;
using Catch::Matchers::Contains;

namespace {

Circuit kept(const std::string& text) {
  return parse_qasm(text, "test", IncludePath(), {}, {}, GateCalls::kept);
}

std::vector<std::string> names_of(const Circuit& circuit) {
  std::vector<std::string> names;
  for (const DeclaredGate& gate : circuit.declared_gates) names.push_back(gate.name);
  return names;
}

const std::string kStart = "OPENQASM 3.0; include \"stdgates.inc\"; ";

}  // namespace

TEST_CASE("A kept program expands to what is read otherwise", "[kept gates]") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const unsigned version = 2 + seed % 2;
    const std::string text = RandomGateProgram(random, version).text();
    INFO("seed " << seed << '\n' << text);
    const Circuit circuit = kept(text);
    CHECK(with_expanded_calls(circuit) == parse_qasm(text));
    const std::string written = write_qasm(circuit);
    INFO(written);
    CHECK(parse_qasm(written) == parse_qasm(text));
    CHECK(kept(written) == (version == 2 ? without_phases_of_declared_gates(circuit) : circuit));
    CHECK(write_qasm(kept(written)) == written);
  }
}

TEST_CASE("Calls and definitions stay", "[kept gates]") {
  const Circuit circuit = kept(kStart + R"(
    gate never a { x a; }
    gate turn(t) a, b { cx a, b; rz(2*t) b; gphase(t); }
    gate both(t) a, b { turn(t) a, b; never a; turn(-t) b, a; }
    qubit[2] q;
    both(pi/3) q[1], q[0];)");
  CHECK(names_of(circuit) == std::vector<std::string>{"never", "turn", "both"});
  CHECK(circuit.operations.size() == 1);
  CHECK(write_qasm(circuit) == R"(OPENQASM 3.0;
include "stdgates.inc";
gate never q0 {
  x q0;
}
gate turn(p0) q0,q1 {
  gphase(p0);
  cx q0,q1;
  rz(2*p0) q1;
}
gate both(p0) q0,q1 {
  turn(p0) q0,q1;
  never q0;
  turn(-p0) q1,q0;
}
qubit[2] q;
both(pi/3) q[1],q[0];
)");
}

TEST_CASE("Version 2 has the phases of declared gates in the comment", "[kept gates]") {
  Circuit circuit = kept(kStart +
                         "gate part(t) a { h a; gphase(t); } qubit[2] q; bit[1] c; part(pi/4) q;"
                         "if (c == 1) { part(pi/8) q[0]; }");
  circuit.qasm_version = 2;
  const std::string text = write_qasm(circuit);
  CHECK_THAT(text, Contains("pi/2") && Contains("gate part(p0) q0 {\n  h q0;\n}\n"));
  CHECK(parse_qasm(text).global_phase == Angle::pi_times(Rational(1, 2)));
}

TEST_CASE("What cannot stay a call is expanded", "[kept gates]") {
  const auto is_expanded = [](const std::string& text) {
    const Circuit circuit = kept(kStart + text);
    for (const Operation& operation : circuit.operations) {
      if (called_gate(circuit, operation) != nullptr) return false;
    }
    return with_expanded_calls(circuit) == parse_qasm(kStart + text);
  };
  CHECK_FALSE(is_expanded("gate g a { h a; t a; } qubit[2] q; g q[0];"));
  for (const char* const modifier : {"ctrl @", "negctrl @", "ctrl @ inv @", "pow(2) @ ctrl @"}) {
    CHECK(is_expanded(
        fmt::format("gate g a {{ h a; gphase(pi/8); }} qubit[2] q; {} g q[0],q[1];", modifier)));
  }
  CHECK(is_expanded("gate g(t) a { rz(sin(t)) a; } input float s; qubit q; g(s) q;"));
  CHECK(is_expanded("gate g(t) a { rz(t*t) a; } qubit q; g(pi) q;"));
  CHECK(is_expanded("gate g a { h a; } qubit[2] q;\n#pragma braket verbatim\nbox { g q[0]; }\n"));
  // A body that is expanded keeps its calls of other gates.
  const Circuit circuit =
      kept(kStart + "gate g a { h a; } gate f(t) a { g a; rz(t*t) a; } qubit q; f(2) q;");
  REQUIRE(circuit.operations.size() == 2);
  CHECK(called_gate(circuit, circuit.operations[0]) != nullptr);
}

TEST_CASE("Declared gates have names of their own", "[kept gates]") {
  const Circuit circuit = kept(kStart + R"(
    gate ecr a { h a; } gate sx a { ecr a; t a; } gate opaque_gate a { sx a; }
    gate U1q a { h a; }
    qubit q; opaque_gate q; U1q q; sx q;)");
  CHECK(names_of(circuit) ==
        std::vector<std::string>{"ecr_declared", "sx_declared", "opaque_gate", "U1q_declared"});
  CHECK_THAT(write_qasm(circuit), Contains("include \"stdgates.inc\";"));
  // A word of the other version is no name either.
  const Circuit other = kept("OPENQASM 2.0; gate box a { U(0,0,1) a; } qreg q[1]; box q[0];");
  CHECK(names_of(other) == std::vector<std::string>{"box_declared"});
  CHECK_THROWS_WITH(kept("OPENQASM 2.0; include \"qelib1.inc\"; gate sx a { h a; } "
                         "opaque sx_declared a; qreg q[1]; sx q[0];"),
                    Contains("has the name that another gate is given"));
  // The definition of a gate of the table means that gate.
  const std::string rzz = write_qasm(parse_qasm(
      "OPENQASM 3.0; include \"stdgates.inc\"; qubit[2] q; rzz(pi/8) q[0],q[1]; ecr q[0],q[1];"));
  CHECK_THAT(rzz, Contains("gate rzz"));
  CHECK(kept(rzz).declared_gates.empty());
}

TEST_CASE("Dialects without definitions expand calls", "[kept gates]") {
  const std::string text = kStart + "gate g a { h a; t a; } qubit[2] q; g q;";
  for (const Dialect& dialect : dialects()) {
    if (dialect.has_gate_definitions || !dialect.has_version_3) continue;
    INFO(dialect.name);
    CHECK(write_qasm(in_dialect(kept(text), dialect), dialect) ==
          write_qasm(in_dialect(parse_qasm(text), dialect), dialect));
  }
}

TEST_CASE("The limit of the size of a program holds for kept calls", "[kept gates]") {
  std::string text = kStart + "gate g0 a { h a; } ";
  for (int i = 1; i <= 40; ++i) {
    text += fmt::format("gate g{} a {{ g{} a; g{} a; }} ", i, i - 1, i - 1);
  }
  CHECK_NOTHROW(kept(text + "qubit q; g3 q;"));
  CHECK_THROWS_AS(kept(text + "qubit q; g40 q;"), InputError);
}
