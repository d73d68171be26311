#include <catch2/catch.hpp>
#include <vector>

#include "programs.hpp"
#include "quartz/circuit/gate.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::test;

namespace {

/// Returns a circuit of IonQ's gates with their angles in turns.
Circuit in_turns(std::vector<Operation> operations, unsigned version) {
  Circuit circuit = make_circuit(2, std::move(operations));
  circuit.qasm_version = version;
  circuit.gates_in_turns = {GateKind::gpi, GateKind::gpi2, GateKind::ms};
  return circuit;
}

const std::string gpi_in_turns = "gate gpi(p0) q0 { x q0; rz(4*pi*p0) q0; }\n";

}  // namespace

TEST_CASE("Angles in turns are written as numbers, after a definition that states the unit") {
  using enum GateKind;
  const Circuit circuit = in_turns(
      {make_operation(gpi, {0}, {pi(1, 2)}), make_operation(gpi2, {1}, {pi(-1, 3)}),
       make_operation(ms, {0, 1}, {pi(1), Angle(), pi(1, 4)}), make_operation(rz, {0}, {pi(1, 2)})},
      2);
  const std::string text = write_qasm(circuit);
  CHECK_THAT(text, Catch::Contains(gpi_in_turns));
  CHECK_THAT(text, Catch::Contains("gpi(0.25) q[0];\ngpi2(-1*1.0/6) q[1];\nms(0.5,0,0.125) "
                                   "q[0],q[1];\nrz(pi/2) q[0];\n"));
  CHECK(parse_qasm(text) == circuit);
  // The definitions state what the gates are: under other names they are expanded to the same
  // unitary.
  std::string renamed = text;
  for (std::size_t at = 0; (at = renamed.find("gpi", at)) != std::string::npos; at += 4) {
    renamed.replace(at, 3, "own_");
  }
  for (std::size_t at = 0; (at = renamed.find("ms(", at)) != std::string::npos; at += 5) {
    renamed.replace(at, 3, "our_ms(");
  }
  const Circuit expanded = parse_qasm(renamed);
  CHECK(expanded.gates_in_turns.empty());
  CHECK(unitary_distance(circuit, expanded) < 1e-12);
}

TEST_CASE("Angles that are not rational numbers of turns stay exact") {
  using enum GateKind;
  const Angle long_decimal = Angle::decimal("0.78539816339744830962");
  for (const unsigned version : {2U, 3U}) {
    std::vector<Operation> operations;
    for (const Angle& angle :
         {radians(3, 10), radians(3, 10) + pi(1, 2), -radians(1, 3), long_decimal + pi(1, 7),
          pi(1, 9223372036854775807), pi(9223372036854775807), pi(2, 3), Angle()}) {
      operations.push_back(make_operation(gpi, {0}, {angle}));
      operations.push_back(make_operation(ms, {0, 1}, {angle, -angle, angle}));
    }
    Circuit circuit = in_turns(operations, version);
    if (version == 3) {
      circuit.parameters = {{"theta"}};
      const Angle theta = Angle::symbol("theta");
      circuit.operations.push_back(make_operation(gpi2, {0}, {theta * Rational(1, 2) + pi(1)}));
    }
    const std::string text = write_qasm(circuit);
    CHECK_THAT(text, Catch::Contains("gpi((0.3)/(2*pi)) q[0];"));
    CHECK(parse_qasm(text) == circuit);
    CHECK(write_qasm(parse_qasm(text)) == text);
  }
}

TEST_CASE("A definition in turns applies to calls, modifiers and other definitions") {
  const std::string calls =
      "qreg q[2];\ngpi(0.25) q;\ngate both(t) a,b { gpi(t) a; gpi(t/(2*pi)) b; }\n"
      "both(0.125) q[0],q[1];\n";
  const Circuit circuit = parse_2(gpi_in_turns + calls);
  REQUIRE(circuit.operations.size() == 4);
  CHECK(circuit.gates_in_turns == std::vector{GateKind::gpi});
  CHECK(circuit.operations[0].angles[0] == pi(1, 2));
  CHECK(circuit.operations[1].angles[0] == pi(1, 2));
  CHECK(circuit.operations[2].angles[0] == pi(1, 4));
  CHECK(circuit.operations[3].angles[0] == radians(1, 8));
  const Circuit inverted =
      parse_3("gate gpi(p0) q0 { x q0; rz(4*pi*p0) q0; } qubit q; inv @ gpi(0.25) q;");
  CHECK(inverted.operations == std::vector{make_operation(GateKind::gpi, {0}, {pi(1, 2)})});
  const Circuit loop = parse_3(
      "gate gpi(p0) q0 { x q0; rz(4*pi*p0) q0; } qubit q; for int i in [1:2] gpi(i/4.0) q;");
  CHECK(loop.operations == std::vector{make_operation(GateKind::gpi, {0}, {pi(1, 2)}),
                                       make_operation(GateKind::gpi, {0}, {pi(1)})});
}

TEST_CASE("Only the writer's definition declares that a gate's angles are in turns") {
  for (const char* other :
       {"gate gpi(p0) q0 { x q0; rz(2*pi*p0) q0; }", "gate gpi(p0) q0 { rz(4*pi*p0) q0; x q0; }",
        "gate gpi(p0) q0 { x q0; rz(4*pi*p0*p0) q0; }", "gate gpi(p0) q0 { x q0; rz(4*p0) q0; }",
        "gate gpi(p0) q0 { x q0; z q0; rz(4*pi*p0) q0; }"}) {
    INFO(other);
    const Circuit circuit = parse_2(other + std::string(" qreg q[1]; gpi(0.25) q[0];"));
    CHECK(circuit.gates_in_turns.empty());
    CHECK(circuit.operations.size() > 1);  // expanded
  }
  // The name of the parameter does not matter.
  CHECK(parse_2("gate gpi(phi) a { x a; rz(4*pi*phi) a; } qreg q[1]; gpi(0.25) q[0];").operations ==
        std::vector{make_operation(GateKind::gpi, {0}, {pi(1, 2)})});
  // The definition of the same gate with angles in radians.
  const Circuit radian =
      parse_2("gate gpi(phi) a { x a; rz(2*phi) a; } qreg q[1]; gpi(0.25) q[0];");
  CHECK(radian.gates_in_turns.empty());
  CHECK(radian.operations == std::vector{make_operation(GateKind::gpi, {0}, {radians(1, 4)})});
}

TEST_CASE("Gates of the standard include files cannot be written in turns") {
  for (const GateKind kind : {GateKind::rz, GateKind::rzz, GateKind::ecr}) {
    Circuit circuit = make_circuit(2, {});
    circuit.gates_in_turns = {kind};
    CHECK_THROWS_WITH(write_qasm(circuit), Catch::Contains("cannot write the angles of '"));
  }
}
