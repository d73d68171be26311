#include <catch2/catch.hpp>
#include <vector>

#include "programs.hpp"

using namespace quartz;
using namespace quartz::test;

namespace {

using Conditions = std::vector<Condition>;

const std::string declarations = "qubit[2] q;\nbit a;\nbit b;\nbit[3] c;\n";

/// Returns the conditions of each operation.
std::vector<Conditions> conditions_of(const Circuit& circuit) {
  std::vector<Conditions> result;
  for (const Operation& operation : circuit.operations) {
    result.emplace_back(operation.conditions().begin(), operation.conditions().end());
  }
  return result;
}

std::vector<Conditions> conditions_in(const std::string& body) {
  return conditions_of(parse_3(declarations + body));
}

const Condition a{0, 1};
const Condition not_a{0, 0};
const Condition b{1, 1};
const Condition not_b{1, 0};
const Condition c_is_5{2, 5};
const Condition c_is_not_5{2, 5, {}, true};

}  // namespace

TEST_CASE("Nested conditions are combined, the outer one first") {
  CHECK(conditions_in("if (a) { x q[0]; if (b) { y q[0]; if (c == 5) z q[0]; } h q[0]; }") ==
        std::vector<Conditions>{{a}, {a, b}, {a, b, c_is_5}, {a}});
  CHECK(conditions_in("if (a) if (!b) x q[0];") == std::vector<Conditions>{{a, not_b}});
  CHECK(conditions_in("if (a) { for int i in [0:1] { if (c[i]) x q[i]; } }") ==
        std::vector<Conditions>{{a, {2, 1, 0}}, {a, {2, 1, 1}}});
}

TEST_CASE("An else belongs to the nearest if, and may be one itself") {
  CHECK(conditions_in("if (a) x q[0]; else if (b) y q[0]; else z q[0];") ==
        std::vector<Conditions>{{a}, {not_a, b}, {not_a, not_b}});
  CHECK(conditions_in("if (a) { x q[0]; } else if (c == 5) { y q[0]; } else if (b) { z q[0]; } "
                      "else { h q[0]; }") ==
        std::vector<Conditions>{
            {a}, {not_a, c_is_5}, {not_a, c_is_not_5, b}, {not_a, c_is_not_5, not_b}});
  CHECK(conditions_in("if (a) if (b) x q[0]; else y q[0];") ==
        std::vector<Conditions>{{a, b}, {a, not_b}});
  CHECK(conditions_in("if (a) { if (b) x q[0]; } else y q[0];") ==
        std::vector<Conditions>{{a, b}, {not_a}});
}

TEST_CASE("Boolean operators become exclusive cases") {
  CHECK(conditions_in("if (a && b && c == 5) x q[0];") == std::vector<Conditions>{{a, b, c_is_5}});
  CHECK(conditions_in("if (a && !b) x q[0]; else y q[0];") ==
        std::vector<Conditions>{{a, not_b}, {not_a}, {a, b}});
  CHECK(conditions_in("if (a || b) { x q[0]; h q[0]; } else y q[0];") ==
        std::vector<Conditions>{{a}, {a}, {not_a, b}, {not_a, b}, {not_a, not_b}});
  CHECK(conditions_in("if (!(a || c == 5)) x q[0];") ==
        std::vector<Conditions>{{not_a, c_is_not_5}});
  CHECK(conditions_in("if (!!a) x q[0]; if (!(c == 5)) x q[0]; if (((a))) x q[0];") ==
        std::vector<Conditions>{{a}, {c_is_not_5}, {a}});
  // '&&' binds more tightly than '||'.
  CHECK(conditions_in("if (a || b && c == 5) x q[0];") ==
        conditions_in("if (a || (b && c == 5)) x q[0];"));
  CHECK(conditions_in("if (a && b || c == 5) x q[0];") ==
        conditions_in("if ((a && b) || c == 5) x q[0];"));
  CHECK(conditions_in("if ((a || b) && c == 5) x q[0];") !=
        conditions_in("if (a || b && c == 5) x q[0];"));
}

TEST_CASE("Nested conditions are written as nested statements, and read back") {
  const std::string program =
      version_3 + declarations +
      "if (a) {\n  x q[0];\n  if (b) { y q[0]; }\n  if (c == 5) {\n  } else {\n    z q[1];\n  }\n"
      "} else {\n  if (b) {\n    h q[0];\n    h q[1];\n  } else {\n    s q[0];\n  }\n}\n";
  // Outermost conditions of a single statement are written out as well.
  const std::string written =
      version_3 + "qubit[2] q;\nbit[1] a;\nbit[1] b;\nbit[3] c;\n" +
      "if (a == 1) {\n  x q[0];\n  if (b == 1) { y q[0]; }\n  if (c == 5) {\n  } else {\n"
      "    z q[1];\n  }\n} else {\n  if (b == 1) {\n    h q[0];\n    h q[1];\n  } else {\n"
      "    s q[0];\n  }\n}\n";
  const Circuit circuit = parse_qasm(program);
  CHECK(write_qasm(circuit) == written);
  CHECK(parse_qasm(written) == circuit);
  Circuit second = circuit;
  second.qasm_version = 2;
  CHECK_THROWS_WITH(write_qasm(second),
                    "OpenQASM 2 cannot express a condition within a condition: write version 3");
}

TEST_CASE("A measurement of a tested bit ends each statement that tests the bit") {
  // After a change of a bit that the outer statement tests, the inner statement may only continue
  // outside of both.
  const Circuit circuit = parse_3(declarations +
                                  "if (a) { x q[0]; if (b) { y q[0]; a = measure q[1]; } } "
                                  "if (a) { if (b) { b = measure q[0]; } x q[1]; }");
  CHECK(conditions_of(circuit) == std::vector<Conditions>{{a}, {a, b}, {a, b}, {a, b}, {a}});
  CHECK(parse_qasm(write_qasm(circuit)) == circuit);
  CHECK(error_of(version_3 + "qubit q; bit a; bit b; if (a) { if (b) { a = measure q; } x q; }") ==
        "test:3:59: a measurement under the condition of line 3 changes the register that it "
        "tests; an operation after it under the same condition is not supported");
  CHECK(error_of(version_3 + "qubit q; bit a; bit b; if (a || b) { a = measure q; }") ==
        "test:3:24: a measurement changes what this condition tests, which has '&&' or '||': "
        "expected nested 'if' statements");
}

TEST_CASE("Unsupported conditions are refused with their location") {
  const std::string start = version_3 + "qubit q; bit a; bit b; ";
  CHECK(error_of(start + "if (a && ) x q;") ==
        "test:3:33: found ')', expected a number, 'pi', a parameter, a function or '('");
  CHECK(error_of(start + "if ((a && b) x q;") ==
        "test:3:37: found 'x', expected ')': a condition compares a register with an integer");
  CHECK(error_of(start + "else x q;") ==
        "test:3:24: 'else' is not supported in OpenQASM 3 programs yet");
  std::string many = "if ((a||b)";
  for (int i = 0; i < 600; ++i) many += "&&(a||b)";
  CHECK_THAT(error_of(start + many + ") x q;"),
             Catch::Contains("an expression of more than 1024 operations on measured bits"));
  const std::string deep(1000, '(');
  CHECK_THAT(error_of(start + "if (" + deep + "a"),
             Catch::Contains("the expression is nested more than 200 deep"));
  std::string ifs;
  for (int i = 0; i < 1000; ++i) ifs += "if (a) ";
  CHECK_THAT(error_of(start + ifs + "x q;"), Catch::Contains("nested more than 100 deep"));
}

TEST_CASE("A measurement may discard its outcome") {
  const Circuit circuit = parse_3("qubit[2] q; bit a; measure q; if (a) measure q[1];");
  REQUIRE(circuit.operations.size() == 3);
  for (const Operation& operation : circuit.operations) {
    CHECK(operation.kind == OperationKind::measure);
    CHECK(operation.is_boundary());
    CHECK(operation.classical->bits.empty());
  }
  CHECK(circuit.operations[1].qubits[0] == 1);
  CHECK(circuit.operations[2].conditions().size() == 1);
  const std::string written = version_3 +
                              "qubit[2] q;\nbit[1] a;\nmeasure q[0];\nmeasure q[1];\n"
                              "if (a == 1) { measure q[1]; }\n";
  CHECK(write_qasm(circuit) == written);
  CHECK(parse_qasm(written) == circuit);
  Circuit second = circuit;
  second.qasm_version = 2;
  CHECK_THROWS_WITH(write_qasm(second),
                    "OpenQASM 2 cannot express a measurement without a bit: write version 3");
  CHECK(error_of(version_2 + "qreg q[1]; measure q[0];") == "test:3:24: found ';', expected '->'");
}

TEST_CASE("Inputs are written back with their types") {
  const std::string program = version_3 +
                              "input float[64] a;\ninput float b;\ninput angle c;\ninput angle[20] "
                              "d;\nqubit[1] q;\nrz(a+b+c+d) q[0];\n";
  const Circuit circuit = parse_qasm(program);
  CHECK(write_qasm(circuit) == program);
  CHECK(parse_3("const uint n = 20; input angle[n] d; qubit q;").parameters ==
        std::vector<Parameter>{{"d", "angle[20]"}});
  CHECK(error_of(version_3 + "input angle[0] d;") ==
        "test:3:13: found a type of 0 bits, expected 1 or more");
  Circuit wrong = circuit;
  for (const char* type : {"bool", "angle[", "angle[]", "float[1", "float[0]", "float[64] x; h"}) {
    wrong.parameters[0].type = type;
    CHECK_THROWS_WITH(write_qasm(wrong), Catch::Contains("the parameter 'a' has the type '"));
  }
}
