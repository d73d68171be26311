#include <catch2/catch.hpp>
#include <string>

#include "quartz/circuit/circuit.hpp"
#include "quartz/qasm/qasm.hpp"

using namespace quartz;

namespace {

/// Returns the operations of a program, as the writer writes them.
std::string operations_of(const std::string& program) {
  const std::string text = write_qasm(parse_qasm(program, "program"));
  return text.substr(text.find("qubit[2] q;\n") + 12);
}

const std::string kBegin = "OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\n";

}  // namespace

TEST_CASE("a statement that a program repeats appends its gate again", "[repeated statements]") {
  CHECK(operations_of(kBegin + "h q[0];\nrz(pi/4) q[1];cx q[0],q[1];\nh q[0]; cx q[0],q[1];\n"
                               "rz(pi/4) q[1];\nrz(pi/4)  q[1];\n") ==
        "h q[0];\nrz(pi/4) q[1];\ncx q[0],q[1];\nh q[0];\ncx q[0],q[1];\nrz(pi/4) q[1];\n"
        "rz(pi/4) q[1];\n");
}

TEST_CASE("a semicolon in a comment does not end a statement that is repeated",
          "[repeated statements]") {
  CHECK(operations_of(kBegin + "cx q[0], /* ; */ q[1];\ncx q[0], /* ; */ q[1];\n") ==
        "cx q[0],q[1];\ncx q[0],q[1];\n");
  CHECK(operations_of(kBegin + "x // ;\nq[1];\nx // ;\nq[0];\n") == "x q[1];\nx q[0];\n");
}

TEST_CASE("the words of a statement may mean something else later", "[repeated statements]") {
  CHECK(operations_of(kBegin + "float a = 1;\nrz(a) q[0];\nrz(a) q[0];\na = 2;\nrz(a) q[0];\n") ==
        "rz(1) q[0];\nrz(1) q[0];\nrz(2) q[0];\n");
  CHECK(operations_of(kBegin + "for int i in [1:2] { rz(i) q[0]; }\nrz(1) q[0];\n") ==
        "rz(1) q[0];\nrz(2) q[0];\nrz(1) q[0];\n");
}

TEST_CASE("calls that append several operations, or none of the table, are repeated as they are",
          "[repeated statements]") {
  CHECK(operations_of(kBegin + "h q;\nh q;\n") == "h q[0];\nh q[1];\nh q[0];\nh q[1];\n");
  CHECK(operations_of(kBegin + "gate two a { x a; y a; }\ntwo q[0];\ntwo q[0];\n") ==
        "x q[0];\ny q[0];\nx q[0];\ny q[0];\n");
}
