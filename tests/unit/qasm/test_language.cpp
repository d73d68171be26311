#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "programs.hpp"
#include "quartz/circuit/gate.hpp"

using namespace quartz;
using namespace quartz::test;
using enum quartz::GateKind;

namespace {

Operation plain(OperationKind kind, std::initializer_list<Qubit> qubits) {
  Operation operation;
  operation.kind = kind;
  operation.qubits.assign(qubits.begin(), qubits.end());
  return operation;
}

Operation measure(Qubit qubit, ClassicalBit bit) {
  Operation operation = plain(OperationKind::measure, {qubit});
  ClassicalPart classical;
  classical.bits = {bit};
  operation.classical = std::make_shared<ClassicalPart>(classical);
  return operation;
}

Operation opaque(const std::string& name, std::initializer_list<Qubit> qubits,
                 std::vector<Angle> angles = {}) {
  Operation operation = plain(OperationKind::opaque, qubits);
  operation.angles = std::move(angles);
  ClassicalPart classical;
  classical.opaque_name = name;
  operation.classical = std::make_shared<ClassicalPart>(classical);
  return operation;
}

Operation under(const Condition& condition, Operation operation) {
  ClassicalPart classical;
  if (operation.classical != nullptr) classical = *operation.classical;
  classical.conditions = {condition};
  operation.classical = std::make_shared<ClassicalPart>(classical);
  return operation;
}

using Operations = std::vector<Operation>;

}  // namespace

TEST_CASE("Registers keep their names and their order") {
  const Circuit circuit = parse_2("qreg b[1]; creg m[2]; qreg a[3]; creg n[1]; cx b[0],a[2];");
  CHECK(circuit.qasm_version == 2);
  CHECK(circuit.qubit_registers == std::vector<Register>{{"b", 0, 1}, {"a", 1, 3}});
  CHECK(circuit.bit_registers == std::vector<Register>{{"m", 0, 2}, {"n", 2, 1}});
  CHECK(circuit.operations == Operations{make_operation(cx, {0, 3})});
}

TEST_CASE("A statement on a register applies to each of its elements") {
  const Circuit circuit = parse_2(
      "qreg q[2]; qreg r[2]; qreg s[1]; creg c[2];\n"
      "h q; cx q,r; cx q[0],r; ccx q,s[0],r; reset r; measure q -> c; measure s -> c[1];");
  CHECK(circuit.operations ==
        Operations{make_operation(h, {0}), make_operation(h, {1}), make_operation(cx, {0, 2}),
                   make_operation(cx, {1, 3}), make_operation(cx, {0, 2}),
                   make_operation(cx, {0, 3}), make_operation(ccx, {0, 4, 2}),
                   make_operation(ccx, {1, 4, 3}), plain(OperationKind::reset, {2}),
                   plain(OperationKind::reset, {3}), measure(0, 0), measure(1, 1), measure(4, 1)});
}

TEST_CASE("A barrier is one operation, even if it names qubits twice") {
  const Circuit circuit = parse_2("qreg q[3]; barrier q; barrier q[2],q[0]; barrier q[1],q;");
  CHECK(circuit.operations == Operations{plain(OperationKind::barrier, {0, 1, 2}),
                                         plain(OperationKind::barrier, {2, 0}),
                                         plain(OperationKind::barrier, {1, 0, 2})});
}

TEST_CASE("Every gate of the table is found by its name and its aliases") {
  for (const std::string& header :
       {version_2, version_3, std::string("OPENQASM 2.0;\n"), std::string("OPENQASM 3.0;\n")}) {
    for (const Gate& row : gate_table()) {
      std::vector<std::string_view> names = row.aliases;
      names.push_back(row.name);
      for (const std::string_view name : names) {
        std::string call(name);
        std::vector<Angle> angles;
        for (std::size_t i = 0; i < row.parameters.size(); ++i) {
          call += (i == 0 ? "(" : ",") + std::string("0.") + std::to_string(i + 1);
          angles.push_back(radians(static_cast<std::int64_t>(i) + 1, 10));
        }
        if (!angles.empty()) call += ")";
        for (unsigned i = 0; i < row.qubits; ++i) {
          call += (i == 0 ? " q[" : ",q[") + std::to_string(i) + "]";
        }
        INFO(header << call);
        const Circuit circuit = parse_qasm(header + "qreg q[5];\n" + call + ";");
        REQUIRE(circuit.operations.size() == 1);
        CHECK(circuit.operations[0].gate == row.kind);
        CHECK(circuit.operations[0].angles == angles);
        CHECK_FALSE(circuit.operations[0].is_boundary());
      }
    }
  }
}

TEST_CASE("U, CX and u0 are built in") {
  const Circuit circuit =
      parse_qasm("qreg q[2]; U(pi,0,0.5) q[0]; CX q[0],q[1]; u0(3) q[1]; h() q[0];");
  CHECK(circuit.operations == Operations{make_operation(u, {0}, {pi(1), Angle(), radians(1, 2)}),
                                         make_operation(cx, {0, 1}), make_operation(id, {1}),
                                         make_operation(h, {0})});
}

TEST_CASE("Conditions apply to each operation of a statement") {
  const Circuit circuit = parse_2(
      "qreg q[2]; creg c[2]; creg d[1];\n"
      "if(c==3) cx q[0],q[1]; if (d == 1) measure q[0] -> d[0]; if(d==0) reset q;\n"
      "if(c==2) barrier q; if(d[0]==1) x q[1]; if(d==1) measure q -> c;");
  const Condition d_is_1{1, 1};
  CHECK(circuit.operations ==
        Operations{under({0, 3}, make_operation(cx, {0, 1})), under(d_is_1, measure(0, 2)),
                   under({1, 0}, plain(OperationKind::reset, {0})),
                   under({1, 0}, plain(OperationKind::reset, {1})),
                   under({0, 2}, plain(OperationKind::barrier, {0, 1})),
                   under(d_is_1, make_operation(x, {1})), under(d_is_1, measure(0, 0)),
                   under(d_is_1, measure(1, 1))});
}

TEST_CASE("A conditional gate is expanded into conditional operations") {
  const Circuit circuit = parse_2(
      "gate pair(t) a,b { rz(t) a; barrier a,b; cx a,b; }\n"
      "qreg q[2]; creg c[2]; if(c==1) pair(pi) q[1],q[0];");
  CHECK(circuit.operations == Operations{under({0, 1}, make_operation(rz, {1}, {pi(1)})),
                                         plain(OperationKind::barrier, {1, 0}),
                                         under({0, 1}, make_operation(cx, {1, 0}))});
}

TEST_CASE("Opaque gates are kept, even if they hide a gate of the table") {
  const Circuit circuit = parse_2(
      "opaque magic(a,b) x,y; opaque rzx(t) a,b; opaque nothing() a; gate twice a,b { magic(1,pi) "
      "a,b; magic(2,pi) b,a; }\n"
      "qreg q[2]; creg c[1]; rzx(0.5) q[1],q[0]; twice q[0],q[1]; if(c==1) nothing q[0];");
  CHECK(circuit.operations == Operations{opaque("rzx", {1, 0}, {radians(1, 2)}),
                                         opaque("magic", {0, 1}, {radians(1), pi(1)}),
                                         opaque("magic", {1, 0}, {radians(2), pi(1)}),
                                         under({0, 1}, opaque("nothing", {0}))});
}

TEST_CASE("Register names may be gate names, and in version 2 even words of the language") {
  CHECK(parse_2("qreg x[1]; creg measure[1]; x x[0]; measure x[0] -> measure[0];").operations ==
        Operations{make_operation(x, {0}), measure(0, 0)});
  CHECK(parse_2("qreg pi[1]; qreg gate[1]; rz(pi) pi[0]; h gate;").operations ==
        Operations{make_operation(rz, {0}, {pi(1)}), make_operation(h, {1})});
  CHECK(parse_3("qubit x; bit h; x x; h = measure x; h[0] = measure x;").operations ==
        Operations{make_operation(x, {0}), measure(0, 0), measure(0, 0)});
}

TEST_CASE("A program whose registers have names of included gates is written in the same form") {
  const std::string program =
      "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg x[2];\nx x[0];\ncx x[0],x[1];\n";
  const Circuit circuit = parse_qasm(program);
  CHECK(circuit.hides_library_names);
  CHECK(write_qasm(circuit) == program);
  CHECK(parse_qasm(write_qasm(circuit)) == circuit);
  // Without the include statement nothing is hidden, and the output includes nothing either.
  const Circuit plain = parse_qasm("OPENQASM 2.0;\nqreg x[2];\nCX x[0],x[1];\n");
  CHECK_FALSE(plain.hides_library_names);
  CHECK(write_qasm(plain).find("include") == std::string::npos);
}

TEST_CASE("Comments are permitted anywhere, with line ends of any kind") {
  const Circuit circuit = parse_qasm(
      "OPENQASM/* version */2.0;\r\n// include\r\ninclude \"qelib1.inc\";\r\n"
      "qreg q[/* two */2];/***/h/**/q[0]/* ; */;//h q[1];\r\ncx q[0],// to\r\nq[1];;\n// end");
  CHECK(circuit.operations == Operations{make_operation(h, {0}), make_operation(cx, {0, 1})});
}

TEST_CASE("The comments around the version line are kept") {
  const Circuit circuit = parse_qasm(
      "// Written by\r\n//  somebody \n//\n/* in two\n lines */\nOPENQASM 2.0;// at last\n//after\n"
      "include \"qelib1.inc\";\n// not here\nqreg q[1];");
  CHECK(circuit.header_comments == std::vector<std::string>{"Written by", " somebody ", "",
                                                            "in two", "lines ", "at last",
                                                            "after"});
}

TEST_CASE("A carriage return alone also ends a line of a comment") {
  const Circuit circuit = parse_qasm("// one\rtwo\r\n/* three\r\r\nfour */OPENQASM 2.0;");
  CHECK(circuit.header_comments == std::vector<std::string>{"one", "two", "three", "", "four "});
  CHECK(parse_qasm(write_qasm(circuit)) == circuit);
}

TEST_CASE("A carriage return ends a comment in OpenQASM 3, and does not in OpenQASM 2") {
  const Operations both{make_operation(h, {0}), make_operation(x, {0})};
  CHECK(parse_qasm("OPENQASM 3.0;\rinclude \"stdgates.inc\";\rqubit q;\rh q; // a\rx q; // b\r")
            .operations == both);
  CHECK(parse_qasm("// a\rOPENQASM 3.0; // b\rqubit q;\nh q; x q;").operations == both);
  CHECK(parse_2("qreg q[1]; h q; // a\rz q;\nx q;").operations == both);
  CHECK(parse_qasm("// a\rOPENQASM 2.0;\nqreg q[1];\rh q;\rx q;").operations == both);
  CHECK(parse_qasm("// a\r'\nOPENQASM 2.0;\nqreg q[1]; h q; x q;").operations == both);
  CHECK(error_of("// a\rOPENQASM 2.0;\nOPENQASM 3.0;") ==
        "test:3:10: the version of the program is ambiguous: a comment above contains a carriage "
        "return, which ends it in OpenQASM 3 but not in OpenQASM 2");
}

TEST_CASE("Comments that the writer puts below the include line are read with any line end") {
  for (const std::string line_end : {"\n", "\r\n", "\r"}) {
    const Circuit circuit =
        parse_qasm("OPENQASM 3.0;\ninclude \"stdgates.inc\";" + line_end + "// physical qubits: 3" +
                   line_end + "h $0;" + line_end + "x $0;");
    CHECK(circuit.qubit_count() == 3);
    CHECK(circuit.operations.size() == 2);
  }
  // In version 2 the comment continues after the carriage return, so it does not contain an
  // expression.
  const Circuit circuit = parse_2("// global phase: pi/4\rqreg r[1];\nqreg q[1];");
  CHECK(circuit.global_phase == Angle());
  CHECK(circuit.qubit_registers.size() == 1);
}

TEST_CASE("Comments with carriage returns are written as comments") {
  for (const std::string version : {"2.0", "3.0"}) {
    const Circuit circuit = parse_qasm("/* a\rx q[0];\r\nb */ OPENQASM " + version +
                                       ";// c\r\n// d\n/* e\rx q[0]; */ qreg q[1];");
    CHECK(circuit.header_comments ==
          std::vector<std::string>{"a", "x q[0];", "b ", "c", "d", "e", "x q[0]; "});
    CHECK(parse_qasm(write_qasm(circuit)) == circuit);
  }
}

TEST_CASE("Messages count lines that end with a carriage return") {
  CHECK(error_of("OPENQASM 3.0;\rqubit q;\r\n\rfoo q;") == "test:4:1: unknown gate 'foo'");
  CHECK(error_of("OPENQASM 2.0;\rqreg q[1];\n foo q;") == "test:3:2: unknown gate 'foo'");
  CHECK(error_of("OPENQASM 2.0; include \"qelib1\r.inc\";") ==
        "test:1:23: the string that starts here has no closing quote in its line");
}

TEST_CASE("A byte order mark and a missing version line are accepted") {
  CHECK(parse_qasm("\xEF\xBB\xBFOPENQASM 2.0;\nqreg q[1];\nh q;").operations.size() == 1);
  const Circuit circuit = parse_qasm("include \"qelib1.inc\"; qreg q[1]; h q;");
  CHECK(circuit.qasm_version == 2);
  CHECK(circuit.operations == Operations{make_operation(h, {0})});
}

TEST_CASE("The global phase is read from statements, and in version 2 from the writer's comment") {
  CHECK(parse_3("qubit q; gphase(pi/4); x q; gphase(-pi);").global_phase == pi(-3, 4));
  CHECK(parse_3("input float t; qubit q; gphase(t/2); gphase(pi);").global_phase ==
        Angle::symbol("t") * Rational(1, 2) + pi(1));
  CHECK(parse_2("// global phase: pi/4\nqreg q[1];").global_phase == pi(1, 4));
  CHECK(parse_2("// global phase: -3*pi/4+0.25\r\nqreg q[1];").global_phase ==
        pi(-3, 4) + radians(1, 4));
  // PennyLane writes gphase with a qubit.
  CHECK(parse_2("qreg q[1]; x q[0]; gphase(pi/4) q[0];").global_phase == pi(1, 4));
  // In another place, or without an expression, it is an ordinary comment.
  CHECK(parse_2("qreg q[1];\n// global phase: pi/4\n").global_phase == Angle());
  CHECK(parse_2("// global phase: unknown\nqreg q[1];").global_phase == Angle());
  CHECK(parse_2("// global phase: pi/4 pi\nqreg q[1];").global_phase == Angle());
  // A phase that depends on a classical bit cannot be observed.
  CHECK(parse_3("qubit q; bit c; if (c) { gphase(1); x q; }").global_phase == Angle());
}

TEST_CASE("Global phases add up exactly, even beyond 64-bit fractions") {
  CHECK(parse_3("gphase(0.123456789012345679); gphase(9.123456789012345678);").global_phase ==
        Angle::decimal("9.246913578024691357"));
  CHECK(error_of(version_3 + "gphase(1.0/9223372036854775807); gphase(1.0/9223372036854775783);") ==
        "test:3:34: the exact sum of the global phases does not fit 64-bit fractions");
}

TEST_CASE("OpenQASM 3: all forms of declarations and measurements are read") {
  const Circuit circuit = parse_3(
      "input float[64] theta; input angle phi; input float θ;\n"
      "qubit[2] q; qubit r; qreg s[1]; bit[2] c; bit d; creg e[1]; bit f = measure r;\n"
      "bit[2] g = measure q;\n"
      "rz(theta+θ) q[-1]; h q; cx r,q; c[1] = measure q[0]; c = measure q; measure s -> e; d = "
      "measure r;\nreset r; barrier q[1]; barrier; U(0,phi,0) r; u3(0,0,0) r; phase(phi) s[0];");
  CHECK(circuit.qasm_version == 3);
  CHECK(circuit.parameters == std::vector<Parameter>{{"theta"}, {"phi", "angle"}, {"θ", "float"}});
  CHECK(circuit.qubit_registers == std::vector<Register>{{"q", 0, 2}, {"r", 2, 1}, {"s", 3, 1}});
  CHECK(circuit.bit_registers ==
        std::vector<Register>{{"c", 0, 2}, {"d", 2, 1}, {"e", 3, 1}, {"f", 4, 1}, {"g", 5, 2}});
  const Angle theta = Angle::symbol("theta");
  const Angle phi = Angle::symbol("phi");
  CHECK(circuit.operations ==
        Operations{measure(2, 4), measure(0, 5), measure(1, 6),
                   make_operation(rz, {1}, {theta + Angle::symbol("θ")}), make_operation(h, {0}),
                   make_operation(h, {1}), make_operation(cx, {2, 0}), make_operation(cx, {2, 1}),
                   measure(0, 1), measure(0, 0), measure(1, 1), measure(3, 3), measure(2, 2),
                   plain(OperationKind::reset, {2}), plain(OperationKind::barrier, {1}),
                   plain(OperationKind::barrier, {0, 1, 2, 3}),
                   make_operation(u, {2}, {Angle(), phi, Angle()}),
                   make_operation(u3, {2}, {Angle(), Angle(), Angle()}),
                   make_operation(p, {3}, {phi})});
}

TEST_CASE("OpenQASM 3: conditions may compare a register with an integer") {
  const Circuit circuit = parse_3(
      "qubit[2] q; bit[2] c; bit d;\n"
      "if (c == 2) { x q[0]; cx q[0],q[1]; } if (d) h q[0]; if (!d) z q[0]; if (d == false) y "
      "q[0];\n"
      "if (d[0] == true) x q[0]; if (!c) x q[1]; if (c == 1) { c[0] = measure q[0]; } if (d) {}\n"
      "if (d == 1) { x q[0]; } else { y q[1]; z q[1]; }");
  const Condition d_is_0{1, 0};
  const Condition d_is_1{1, 1};
  CHECK(circuit.operations ==
        Operations{under({0, 2}, make_operation(x, {0})), under({0, 2}, make_operation(cx, {0, 1})),
                   under(d_is_1, make_operation(h, {0})), under(d_is_0, make_operation(z, {0})),
                   under(d_is_0, make_operation(y, {0})), under(d_is_1, make_operation(x, {0})),
                   under({0, 0}, make_operation(x, {1})), under({0, 1}, measure(0, 0)),
                   under(d_is_1, make_operation(x, {0})), under(d_is_0, make_operation(y, {1})),
                   under(d_is_0, make_operation(z, {1}))});
}

TEST_CASE("read_qasm_file names the file in its messages") {
  CHECK_THROWS_WITH(read_qasm_file("no-such-file.qasm"),
                    "no-such-file.qasm: cannot read: No such file or directory");
}
