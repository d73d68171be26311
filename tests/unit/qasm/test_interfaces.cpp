#include <catch2/catch.hpp>
#include <string>

#include "programs.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/program_assumptions.hpp"

using namespace quartz;
using namespace quartz::test;
using Catch::Matchers::Contains;

// Inputs and outputs of programs, and annotations: what is kept for other programs.

TEST_CASE("An input of type bool is read like a bit whose value is not known") {
  const Circuit circuit =
      parse_3("input bool flag;\nqubit q;\nif (flag) { x q; }\nif (!flag) { z q; } else { h q; }");
  const std::string written = write_qasm(circuit);
  INFO(written);
  CHECK_THAT(written, Contains("input bool flag;\n") && !Contains("bit[1] flag"));
  CHECK(parse_qasm(written) == circuit);
  CHECK(write_qasm(parse_qasm(written)) == written);
  // A bit that nothing has written is 0, so a statement writes this one.
  REQUIRE(circuit.operations.size() == 4);
  CHECK(circuit.operations[0].kind == OperationKind::opaque);
  CHECK(circuit.operations[0].classical->bits.size() == 1);
  for (std::size_t i = 1; i < 4; ++i) CHECK(circuit.operations[i].conditions().size() == 1);
  Circuit other = circuit;
  other.qasm_version = 2;
  CHECK_THROWS_AS(write_qasm(other), UsageError);
}

TEST_CASE("An output is declared in what is written") {
  const Circuit circuit = parse_3(
      "qubit[2] q; output bit[2] c; output bit d; bit[1] e; h q[0]; c = measure q; d = measure "
      "q[0];");
  const std::string written = write_qasm(circuit);
  INFO(written);
  CHECK_THAT(written, Contains("output bit[2] c;\n") && Contains("output bit[1] d;\n") &&
                          !Contains("\nbit[2] c;") && Contains("\nbit[1] e;"));
  CHECK(parse_qasm(written) == circuit);
}

TEST_CASE("Inputs and outputs come before the resets at the start of a program") {
  const Circuit circuit =
      parse_3("qubit q; bit[1] c; h q; output bit[1] d; input bool flag; d[0] = measure q;");
  CHECK_THAT(write_qasm(circuit),
             Contains("qubit[1] q;\nbit[1] c;\noutput bit[1] d;\ninput bool flag;\nh q[0];\n"));
  const ProgramAssumptions assumptions{true, true};
  const Circuit program = with_assumptions(circuit, assumptions);
  CHECK(parse_qasm(write_qasm(program)) == program);
  CHECK(program.operations[2].kind == OperationKind::reset);
  CHECK(without_assumptions(program, assumptions) == circuit);
  // An input is no measurement, so the qubits at the end are the result.
  CHECK_FALSE(
      assumptions_of_program(parse_3("input bool flag; qubit q; if (flag) x q;")).ends_discarded);
}

TEST_CASE("An operation with annotations is kept with them") {
  const Circuit circuit = parse_3(
      "qubit[2] q; bit[2] c;\nh q[0];\n@one\n  @two with words, 3\nx q[1];\n@m\nc = measure q;\n"
      "if (c[0]) { h q[0]; }");
  const std::string written = write_qasm(circuit);
  INFO(written);
  CHECK_THAT(written, Contains("\n@one\n@two with words, 3\nx q[1];\n") &&
                          Contains("\n@m\nc = measure q;\n"));
  CHECK(parse_qasm(written) == circuit);
  CHECK(circuit.operations[2].classical->bits.size() == 2);  // the measurement writes them
}

namespace {

/// Checks what a program is written as, and that this is read as the same circuit.
void check_written(const std::string& program, const std::string& expected) {
  INFO(program);
  const Circuit circuit = parse_3(program);
  const std::string written = write_qasm(circuit);
  INFO(written);
  CHECK_THAT(written, Contains(expected));
  CHECK(parse_qasm(written) == circuit);
  CHECK(write_qasm(parse_qasm(written)) == written);
}

}  // namespace

TEST_CASE("An assignment with annotations is kept with them") {
  check_written("bit[2] c;\n@one\n@two words\nc[0] = 1;\n@three\nc = c ^ \"01\";",
                "@one\n@two words\nc[0] = 1;\n@three\nc = c ^ 1;\n");
  check_written("qubit q; duration d;\n@a\nd = 5ns;\n@b\nd += 1ns;\ndelay[d] q;",
                "@a\nd = 5ns;\n@b\nd += 1ns;\ndelay[d] q;\n");
  check_written(
      "extern vote(bit[2]) -> bit; extern send(int[8]); bit[2] c;\n@a\nc[0] = vote(c);\n@b\n"
      "send(3);\n@c\nc[1] = c[0] ^ vote(c);",
      "@a\nc[0] = vote(c);\n@b\nsend(3);\nreturned[0] = vote(c);\n@c\nc[1] = c[0] ^ "
      "returned[0];\n");
  check_written("qubit[2] q;\n@a\nmeasure_ff(0) q;",
                "@a\nmeasure_ff(0) q[0];\n@a\nmeasure_ff(0) q[1];\n");
  // The value of a variable takes its place, so nothing is there to be annotated.
  CHECK(parse_3("qubit q; int n = 1;\n@a\nn += 1;\nfor int i in [1:n] { x q; }") ==
        parse_3("qubit q; int n = 1; n += 1; for int i in [1:n] { x q; }"));
}

TEST_CASE("An operation with annotations is kept with them in blocks") {
  check_written(
      "qubit[2] q; bit[2] c;\nif (c[0]) {\n@one\n@two words\nx q[0]; } else { h q[0];\n@b\n"
      "c[1] = measure q[1]; }",
      "if (c[0]) {\n  @one\n  @two words\n  x q[0];\n} else {\n  h q[0];\n  @b\n"
      "  c[1] = measure q[1];\n}\n");
  check_written("qubit q; bit[2] c; if (c[0]) { if (c[1]) {\n@a\nreset q;\n@b\nc[1] = 0; } }",
                "if (c[0]) {\n  if (c[1]) {\n    @a\n    reset q;\n    @b\n    c[1] = 0;\n");
  check_written("qubit q; bit c; while (c) {\n@a\nh q;\n@b\nc = measure q; }",
                "while (c[0]) {\n@a\nh q;\n@b\nc = measure q;\n}\n");
  check_written("qubit q; box {\n@a\nx q;\n}", "box {\n@a\nx q;\n}\n");
  // A measurement may write what its condition tests if it comes last.
  check_written("qubit q; bit c; if (c == 1) { h q;\n@a\nc = measure q; }",
                "  h q[0];\n  @a\n  c = measure q;\n}\n");
  CHECK_THROWS_WITH(parse_3("qubit q; bit c; if (c == 1) {\n@a\nc = measure q; h q; }"),
                    Contains("changes the register that it tests"));
  // One annotation for each case that a condition is divided into.
  check_written("qubit q; bit[2] c; if (c[0] || c[1]) {\n@a\nx q; }",
                "if (c[0]) {\n  @a\n  x q;\n} else {\n  if (c[1]) {\n    @a\n    x q;\n  }\n}\n");
}

TEST_CASE("An operation with annotations is written with what its names mean") {
  check_written("qubit[3] q; for int i in [0:1] {\n@a i\nx q[i];\n}",
                "\n@a i\nx q[0];\n@a i\nx q[1];\n");
  check_written("const float f = 0.5; input float t; qubit q;\n@a\nu3(f, 2*t, pi/2) q;",
                "\n@a\nu3(0.5,2*t,pi/2) q[0];\n");
  check_written("qubit[3] q; let a = q[{2, 0}];\n@a\ncx a, q[1];",
                "\n@a\ncx q[2],q[1];\n@a\ncx q[0],q[1];\n");
  check_written(
      "qubit[3] q; bit[3] c; let a = q[1:2]; let b = c[0:1];\n@a\nb = measure a;\n@b\n"
      "reset a;\n@c\nmeasure a[0];",
      "\n@a\nc[0] = measure q[1];\n@a\nc[1] = measure q[2];\n@b\nreset q[1];\n@b\n"
      "reset q[2];\n@c\nmeasure q[1];\n");
  check_written("qubit[2] q; def f(qubit a, int n) {\n@a\nctrl @ rx(n) a, q[0];\n} f(q[1], 3);",
                "\n@a\nctrl @ rx(3) q[1],q[0];\n");
  check_written("qubit q;\n@a\nx /* why; */ q; // what for; and when", "\n@a\nx q[0];\n");
  check_written("qubit[2] a;\n@a\nbarrier;\nqubit b; x b;", "\n@a\nbarrier a[0],a[1];\n");
  check_written(
      "qubit[2] q; const duration d = 5ns;\n@a\ndelay[2*d] q;\n@b\n"
      "delay[durationof({x q[0];})] q[0];\nbox {\n@c\nnop q[0];\n}",
      "@a\ndelay[2*d] q[0],q[1];\n@b\ndelay[durationof({x q[0];})] q[0];\nbox {\n@c\n"
      "nop q[0];\n}\n");
  check_written(
      "const int n = 3; qubit q;\n@a\ngphase(pi / n);\n@b\ngphase(pi);\n@c\n"
      "ctrl @ gphase(n) q;\n@d\npow(0) @ x q;",
      "\n@a\ngphase(pi/3);\n@b\ngphase(pi);\n@c\nctrl @ gphase(3) q[0];\n@d\n"
      "pow(0) @ x q;\n");
  CHECK(parse_3("qubit q;\n@a\ngphase(pi);").global_phase.is_zero());
  check_written("\n@a\nh $2;", "\n@a\nh $2;\n");
  check_written("qubit q; angle[3] c = pi/2;\n@a\nmeasure q -> c[0];",
                "c = \"010\";\n@a\nmeasure q -> c[0];\n");
  check_written("input float x; qubit q;\n@a\nx q;\n@b\nrx(x) q;",
                "\n@a\nx q[0];\n@b\nrx(x) q[0];\n");
  // The register has another name in the circuit than in the block.
  check_written("qubit q; bit b; if (b) { bit b;\n@a\nb = measure q;\n}",
                "  @a\n  b_1[0] = measure q[0];\n");
}

TEST_CASE("Circuits whose annotations differ are not the same") {
  const std::string program =
      "qubit[2] q; bit c; if (c) {\n@keep\nx q[0];\n}\n@keep\nh q[1];\n@keep\nc = 1;";
  const Circuit circuit = parse_3(program);
  std::size_t annotations = 0;
  for (std::size_t at = 0; (at = program.find("@keep", at)) != std::string::npos; ++at) {
    std::string changed = program;
    changed.replace(at, 5, "@keep x");
    CHECK(parse_3(changed) != circuit);
    ++annotations;
  }
  CHECK(annotations == 3);
}

TEST_CASE("Annotations of declarations and of control flow are read and not kept") {
  const std::string program =
      "NOTE qubit[2] q; NOTE bit[2] c; NOTE input bool flag; NOTE output bit r;\n"
      "NOTE c[0] = measure q[0];\nNOTE if (c[0]) { NOTE if (flag) { x q[1]; } }\n"
      "NOTE switch (c[0]) { case 0 { x q[1]; } }\n"
      "NOTE while (c[0]) { c[0] = measure q[0]; }";
  const auto with = [&](const std::string& note, const std::string& before_measurement) {
    std::string text = program;
    for (std::size_t at = 0; (at = text.find("NOTE ")) != std::string::npos;) {
      const bool is_measurement = text.compare(at + 5, 5, "c[0] ") == 0;
      text.replace(at, 5, is_measurement ? before_measurement : note);
    }
    return parse_3(text);
  };
  const Circuit plain = with("", "");
  CHECK(with("\n@one\n@two with words, 3\n", "") == plain);
  const Circuit kept = with("\n@one\n", "\n@m\n");
  CHECK(kept != plain);
  CHECK_THAT(write_qasm(kept), Contains("\n@m\nc[0] = measure q[0];\n"));
}

TEST_CASE("Annotations of what is expanded end with it") {
  const Circuit plain =
      parse_3("const int n = 2; gate g a { h a; } qubit q; for int i in [1:n] { g q; }");
  CHECK(parse_3("@a\nconst int n = 2;\n@b c\ngate g a { h a; } qubit q;\n@d\nfor int i in [1:n] {\n"
                "  g q; }") == plain);
}
