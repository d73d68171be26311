#include <catch2/catch.hpp>

#include "quartz/qasm/qasm.hpp"
#include "report/drawing/label.hpp"

using namespace quartz;
using namespace quartz::report;

namespace {

Circuit parse(const std::string& body) {
  return parse_qasm(
      "OPENQASM 3.0; include \"stdgates.inc\"; input float theta; input float spin; "
      "qubit[2] q; qubit a; bit[2] c; " +
      body);
}

}  // namespace

TEST_CASE("Angles have the letter pi, and names that contain it are kept") {
  const auto angles = [](const std::string& expression) {
    return angles_label(parse("rz(" + expression + ") q[0];").operations.at(0));
  };
  CHECK(angles("pi/4") == "(π/4)");
  CHECK(angles("-3*pi/4") == "(-3π/4)");
  CHECK(angles("spin+pi/2") == "(spin+π/2)");
  CHECK(angles("0.25") == "(0.25)");
  CHECK(angles_label(parse("h q[0];").operations.at(0)).empty());
}

TEST_CASE("Tooltips are statements of OpenQASM") {
  const auto label = [](const std::string& body) {
    const Circuit circuit = parse(body);
    return full_label(circuit, circuit.operations.at(0));
  };
  CHECK(label("cx q[1], a;") == "cx q[1],a[0]");
  CHECK(label("rz(2*theta+pi/3) a;") == "rz(2*theta+pi/3) a[0]");
  CHECK_THAT(label("rz(sin(theta)*spin) a;"), Catch::Contains("sin(theta)"));
  CHECK(label("c[1] = measure q[0];") == "measure q[0] -> c[1]");
  CHECK(label("if (c[1]) { x q[0]; }") == "if: x q[0]");
  CHECK(label("reset a;") == "reset a[0]");
}

TEST_CASE("Long texts are cut between characters") {
  CHECK(shortened("rz(theta)") == "rz(theta)");
  CHECK(shortened("1234567890123456") == "1234567890123456");
  CHECK(shortened("12345678901234567") == "123456789012345…");
  CHECK(shortened("ππππππππππππππππππ") == "πππππππππππππππ…");
  CHECK(character_count("3π/4") == 4);
}
