#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/unitary.hpp"
#include "quartz/qasm/include_path.hpp"
#include "quartz/qasm/qasm.hpp"

using namespace quartz;
using Catch::Matchers::Contains;

namespace {

const Angle theta = Angle::symbol("theta");

GateKind by_matrix(const std::string& name, GateKind like) {
  const Gate& row = gate(like);
  return define_gate(
      {name, row.qubits, {row.parameters.begin(), row.parameters.end()}, row.matrix, std::nullopt});
}

/// Defines the gate cx a, b; rz(theta) b; cx a, b.
GateKind zz_by_body() {
  return define_gate({"zz_by_body",
                      2,
                      {"theta"},
                      {},
                      Decomposition{{make_operation(GateKind::cx, {0, 1}),
                                     make_operation(GateKind::rz, {1}, {theta}),
                                     make_operation(GateKind::cx, {0, 1})},
                                    {},
                                    {}}});
}

/// Defines e^{i pi/4} rx(pi/2), whose phase OpenQASM 2 cannot express.
GateKind root_of_x() {
  return define_gate(
      {"root_of_x",
       1,
       {},
       gate(GateKind::sx).matrix,
       Decomposition{
           {make_operation(GateKind::rx, {0}, {Angle::pi_times(Rational(1, 2))})}, {}, {}}});
}

std::string program(const std::string& statements, unsigned version = 2) {
  return version == 2 ? "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[2];\n" + statements
                      : "OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\n" + statements;
}

/// The custom gates of one gate set.
CustomGates set_of(const std::vector<GateKind>& kinds) {
  CustomGates gates;
  for (const GateKind kind : kinds) gates.add(kind);
  return gates;
}

/// Parses a program about that set.
Circuit parse(const std::string& text, const std::vector<GateKind>& kinds) {
  return parse_qasm(text, "t.qasm", IncludePath(), {}, set_of(kinds));
}

std::string error_with_gates(const std::string& text, const std::vector<GateKind>& kinds = {}) {
  try {
    (void)parse(text, kinds);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("A custom gate can be called without a definition in programs about its gate set",
          "[custom]") {
  const std::string text = program("later(pi/4) q[1],q[0];\n");
  CHECK_THAT(error_with_gates(text), Contains("unknown gate 'later'"));
  const GateKind kind = by_matrix("later", GateKind::rzx);
  // That it is defined somewhere in the process does not matter.
  CHECK_THAT(error_with_gates(text), Contains("unknown gate 'later'"));
  const Circuit circuit = parse(text, {kind});
  REQUIRE(circuit.operations.size() == 1);
  CHECK(circuit.operations[0].gate == kind);
  CHECK(circuit.operations[0].qubits[0] == 1);
  CHECK_THAT(error_with_gates(program("later q[1],q[0];\n"), {kind}),
             Contains("takes 1 parameter, found 0"));
  CHECK_THAT(error_with_gates(text, {zz_by_body()}), Contains("unknown gate 'later'"));
}

TEST_CASE("A name means the custom gate of its gate set, whatever else was loaded", "[custom]") {
  const GateKind zz = by_matrix("has_two_meanings", GateKind::rzz);
  const GateKind xx = by_matrix("has_two_meanings", GateKind::rxx);
  const std::string text = program("has_two_meanings(pi/4) q[0],q[1];\n");
  const std::string own =
      program("gate has_two_meanings(t) a,b { rxx(t) b,a; }\nhas_two_meanings(pi/4) q[0],q[1];\n");
  for (const GateKind kind : {zz, xx, zz}) {
    CHECK(parse(text, {kind}).operations.at(0).gate == kind);
    // A definition in the program means the gate if it has its matrix, as without other gates.
    CHECK(parse(own, {kind}).operations.at(0).gate == (kind == xx ? xx : GateKind::rxx));
  }
  CHECK(parse(own, {}).operations.at(0).gate == GateKind::rxx);
  CHECK_THAT(error_with_gates(text), Contains("unknown gate 'has_two_meanings'"));
  const Operation first = make_operation(zz, {0, 1}, {Angle()});
  const Operation second = make_operation(xx, {0, 1}, {Angle()});
  CHECK_NOTHROW(write_qasm(make_circuit(2, {first, first})));
  CHECK_THROWS_WITH(write_qasm(make_circuit(2, {first, second})),
                    "cannot write a circuit with two different gates named 'has_two_meanings'");
}

TEST_CASE("Threads read programs about sets with different gates of one name", "[custom]") {
  const std::vector<GateKind> kinds{by_matrix("in_threads", GateKind::rzz),
                                    by_matrix("in_threads", GateKind::rxx),
                                    by_matrix("in_threads", GateKind::ryy)};
  const std::string text = program("in_threads(pi/4) q[0],q[1];\n");
  std::vector<std::size_t> right(kinds.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    threads.emplace_back([&, i] {
      for (std::size_t k = 0; k < 20; ++k) {
        right[i] += parse(text, {kinds[i]}).operations.at(0).gate == kinds[i] ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(right == std::vector<std::size_t>(kinds.size(), 20));
}

TEST_CASE("Custom gates are written with their definitions, and read back", "[custom]") {
  for (const unsigned version : {2U, 3U}) {
    INFO("version " << version);
    Circuit circuit =
        make_circuit(2, {make_operation(zz_by_body(), {1, 0}, {Angle::pi_times(Rational(1, 3))}),
                         make_operation(root_of_x(), {1}),
                         make_operation(by_matrix("unknown_zz", GateKind::rzz), {0, 1}, {Angle()}),
                         make_operation(by_matrix("unknown_t", GateKind::t), {0})});
    circuit.qasm_version = version;
    const std::string text = write_qasm(circuit);
    std::vector<GateKind> kinds;
    for (const Operation& operation : circuit.operations) kinds.push_back(operation.gate);
    CHECK_THAT(
        text,
        Contains("gate zz_by_body(p0) q0,q1 { cx q0,q1; rz(p0) q1; cx q0,q1; }") &&
            Contains(
                version == 2
                    ? "gate root_of_x q0 { rx(pi/2) q0; u1(pi/4) q0; x q0; u1(pi/4) q0; x q0; }"
                    : "gate root_of_x q0 { gphase(pi/4); rx(pi/2) q0; }") &&
            Contains("opaque unknown_zz(p0) q0,q1;") && Contains("opaque unknown_t q0;"));
    CHECK(parse(text, kinds) == circuit);
    CHECK(write_qasm(parse(text, kinds)) == text);
    // Without the set, the definitions of the program are expanded.
    CHECK(parse(text, {}).operations.size() == 3 + (version == 2 ? 5 : 1) + 2);
  }
}

TEST_CASE("A definition with a custom gate's name is the gate if it has the gate's matrix",
          "[custom]") {
  const GateKind kind = zz_by_body();
  const auto first_gate = [&](const std::string& statements, unsigned version = 2) {
    const Circuit circuit = parse(program(statements, version), {kind});
    return circuit.operations.at(0);
  };
  const std::string call = "zz_by_body(pi/4) q[0],q[1];\n";
  CHECK(first_gate("gate zz_by_body(t) a,b { cx b,a; rz(t) a; cx b,a; }\n" + call).gate == kind);
  CHECK(first_gate("gate zz_by_body(t) a,b { barrier a; rzz(t/2) a,b; rzz(t/2) b,a; }\n" + call)
            .gate == kind);
  CHECK(first_gate("gate zz_by_body(t) a,b { gphase(-t/2); p(t) a; p(t) b; "
                   "ctrl @ inv @ pow(2) @ p(t) a,b; }\n" +
                       call,
                   3)
            .gate == kind);
  // With another matrix, including one that differs only in the phase, the definition keeps its own
  // meaning.
  CHECK(first_gate("gate zz_by_body(t) a,b { cx a,b; p(t) b; cx a,b; }\n" + call).gate ==
        GateKind::cx);
  CHECK(first_gate("gate zz_by_body(t) a,b { rzz(2*t) a,b; }\n" + call).gate == GateKind::rzz);
  CHECK(first_gate("gate zz_by_body(t) a,b { rzz(t*t) a,b; }\n" + call).gate == GateKind::rzz);
  CHECK(first_gate("gate zz_by_body a { h a; }\nzz_by_body q[0];\n").gate == GateKind::h);
}

TEST_CASE("An opaque declaration with a custom gate's name is the gate if no body is known",
          "[custom]") {
  const GateKind kind = by_matrix("black_box", GateKind::rzz);
  const auto first = [&](const std::string& statements) {
    return parse(program(statements), {kind, zz_by_body()}).operations.at(0);
  };
  CHECK(first("opaque black_box(t) a,b;\nblack_box(1) q[0],q[1];\n").gate == kind);
  CHECK(first("opaque black_box a;\nblack_box q[0];\n").kind == OperationKind::opaque);
  CHECK(first("opaque zz_by_body(t) a,b;\nzz_by_body(1) q[0],q[1];\n").kind ==
        OperationKind::opaque);
}

TEST_CASE("Modifiers of custom gates are exact, or refused", "[custom]") {
  // The last gate is the identity at 0 and yet not a rotation: its square is not the gate with
  // twice the angle.
  const std::vector<GateKind> kinds{
      zz_by_body(), by_matrix("only_matrix", GateKind::t),
      define_gate({"crooked",
                   1,
                   {"theta"},
                   {},
                   Decomposition{{make_operation(GateKind::rx, {0}, {theta}),
                                  make_operation(GateKind::rz, {0}, {theta})},
                                 {},
                                 {}}})};
  const auto read = [&](const std::string& statement) {
    return parse("OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[3] q;\n" + statement, kinds);
  };
  const auto matrix = [](const Circuit& circuit) { return unitary_of(circuit.operations, 3); };
  const auto close = [](const std::vector<Complex>& a, const std::vector<Complex>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (std::abs(a[i] - b[i]) > 1e-12) return false;
    }
    return true;
  };
  CHECK(close(matrix(read("ctrl @ zz_by_body(pi/3) q[2],q[0],q[1];")),
              matrix(read("ctrl @ rzz(pi/3) q[2],q[0],q[1];"))));
  CHECK(close(matrix(read("inv @ zz_by_body(pi/3) q[0],q[1];")),
              matrix(read("rzz(-pi/3) q[0],q[1];"))));
  CHECK(close(matrix(read("inv @ only_matrix q[0];")), matrix(read("tdg q[0];"))));
  CHECK(close(matrix(read("pow(-3) @ only_matrix q[0];")), matrix(read("pow(3) @ tdg q[0];"))));
  CHECK_THAT(error_with_gates("OPENQASM 3.0;\nqubit[2] q;\nctrl @ only_matrix q[0],q[1];\n", kinds),
             Contains("t.qasm:3:1: cannot control the gate 'only_matrix', because its gate set "
                      "gives only its matrix"));
  CHECK(close(matrix(read("pow(2) @ crooked(0.3) q[0];")),
              matrix(read("rx(0.3) q[0]; rz(0.3) q[0]; rx(0.3) q[0]; rz(0.3) q[0];"))));
}

TEST_CASE("A gate whose name is a word of OpenQASM is neither read nor written", "[custom]") {
  const GateKind kind = by_matrix("measure", GateKind::t);
  CHECK_FALSE(is_gate_name("measure"));
  CHECK_FALSE(is_gate_name("while"));
  CHECK(is_gate_name("my_gate"));
  CHECK_THROWS_WITH(write_qasm(make_circuit(1, {make_operation(kind, {0})})),
                    "cannot write the gate 'measure': its name is a word of OpenQASM");
  CHECK(parse(program("creg c[2];\nmeasure q[0] -> c[0];\n"), {kind}).operations[0].kind ==
        OperationKind::measure);
}
