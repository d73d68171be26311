#include <catch2/catch.hpp>
#include <string>

#include "quartz/qasm/qasm.hpp"
#include "report/drawing/circuit_drawing.hpp"

using namespace quartz;
using namespace quartz::report;

namespace {

CircuitDrawing draw(const std::string& body, const DrawingLimits& limits = {}) {
  return draw_circuit(
      parse_qasm("OPENQASM 2.0; include \"qelib1.inc\"; qreg q[4]; creg c[2]; " + body), limits);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) {
    ++found;
  }
  return found;
}

}  // namespace

TEST_CASE("Every operation is drawn once, with a tooltip") {
  const CircuitDrawing drawing = draw("h q[0]; cx q[0],q[2]; rz(pi/4) q[3]; measure q[0] -> c[1];");
  CHECK(drawing.shown == 4);
  CHECK(drawing.omitted == 0);
  CHECK(count(drawing.svg, "<title>") == 4);
  CHECK(count(drawing.svg, "class=\"dot\"") == 1);
  CHECK(count(drawing.svg, "class=\"target\"") == 1);
  CHECK(count(drawing.svg, "class=\"wire\"") == 4);
  CHECK(count(drawing.svg, ">rz(π/4)<") == 1);
  CHECK(count(drawing.svg, ">M c[1]<") == 1);
}

TEST_CASE("What is behind the last column or on other qubits is counted") {
  const CircuitDrawing drawing = draw(
      "h q[0]; h q[0]; h q[0]; cx q[0],q[3]; h q[1]; h q[3]; h q[2];", {.columns = 2, .qubits = 3});
  CHECK(drawing.shown == 3);
  CHECK(drawing.omitted == 4);
}

TEST_CASE("Of many qubits, those of the first operations are drawn") {
  const CircuitDrawing drawing =
      draw("cx q[3],q[1]; ccx q[0],q[2],q[1]; h q[3]; h q[1];", {.qubits = 2});
  CHECK(count(drawing.svg, ">q[1]<") == 1);
  CHECK(count(drawing.svg, ">q[3]<") == 1);
  CHECK(count(drawing.svg, "class=\"wire\"") == 2);
  CHECK(count(drawing.svg, "<title>cx q[3],q[1]</title>") == 1);
  CHECK(count(drawing.svg, "<title>h q[3]</title>") == 1);
  // It is behind a gate that is not drawn.
  CHECK(count(drawing.svg, "<title>h q[1]</title>") == 0);
  CHECK(drawing.shown == 2);
  CHECK(drawing.omitted == 2);
}

TEST_CASE("A barrier on more qubits than are drawn ends none of their wires") {
  const CircuitDrawing drawing = draw("barrier q; h q[0]; cx q[0],q[1];", {.qubits = 2});
  CHECK(count(drawing.svg, "class=\"barrier\"") == 2);
  CHECK(drawing.shown == 3);
  CHECK(drawing.omitted == 0);
}

TEST_CASE("A barrier is a line through its qubits") {
  const CircuitDrawing drawing = draw("h q[0]; barrier q[0],q[1]; h q[1];");
  CHECK(count(drawing.svg, "class=\"barrier\"") == 2);
  CHECK(count(drawing.svg, "class=\"box\"") == 2);
}

TEST_CASE("Names of the program are escaped") {
  const Circuit circuit = parse_qasm(
      "OPENQASM 2.0; include \"qelib1.inc\"; opaque mine(a) x,y; qreg q[2]; mine(0.5) q[1],q[0];");
  const std::string svg = draw_circuit(circuit).svg;
  CHECK(count(svg, ">mine(0.5):0<") == 1);
  CHECK(count(svg, ">mine(0.5):1<") == 1);
}

TEST_CASE("A circuit without operations has its wires") {
  const CircuitDrawing drawing = draw("");
  CHECK(drawing.shown == 0);
  CHECK(count(drawing.svg, "class=\"wire\"") == 4);
}
