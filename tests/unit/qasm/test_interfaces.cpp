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
