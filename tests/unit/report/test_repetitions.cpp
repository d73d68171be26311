#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "quartz/qasm/qasm.hpp"
#include "report/drawing/circuit_drawing.hpp"
#include "report/drawing/repetitions.hpp"

using namespace quartz;
using namespace quartz::report;

namespace {

Circuit circuit_of(const std::string& body) {
  return parse_qasm("OPENQASM 2.0; include \"qelib1.inc\"; qreg q[3]; " + body);
}

std::string repeated(const std::string& part, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += part;
  return text;
}

std::vector<std::size_t> numbers_of(const Repetition& each) {
  return {each.first, each.length, each.count};
}

}  // namespace

TEST_CASE("Parts that are repeated are found between others") {
  const std::vector<Repetition> found =
      repetitions_in(circuit_of("x q[2]; " + repeated("h q[0]; t q[0]; cx q[0],q[1]; ", 10) +
                                "y q[2]; " + repeated("cz q[1],q[2]; ", 20)),
                     1000);
  REQUIRE(found.size() == 2);
  CHECK(numbers_of(found[0]) == std::vector<std::size_t>{1, 3, 10});
  CHECK(numbers_of(found[1]) == std::vector<std::size_t>{32, 1, 20});
}

TEST_CASE("The angles and qubits of a repeated part are the same each time") {
  CHECK(repetitions_in(circuit_of(repeated("rz(0.1) q[0]; rz(0.2) q[0]; ", 3) +
                                  repeated("h q[0]; h q[1]; h q[2]; ", 2)),
                       1000)
            .empty());
}

TEST_CASE("Operations beyond the limit are not looked at") {
  const std::vector<Repetition> found = repetitions_in(circuit_of(repeated("h q[0]; ", 100)), 40);
  REQUIRE(found.size() == 1);
  CHECK(found[0].count == 40);
}

TEST_CASE("A repeated part is drawn once, in a frame, and counted as often as it occurs") {
  const Circuit circuit =
      circuit_of("x q[2]; " + repeated("h q[0]; t q[0]; cx q[0],q[1]; ", 10) + "y q[2];");
  const CircuitDrawing drawing =
      draw_circuit(circuit, {.columns = 10, .qubits = 3, .folds_repetitions = true});
  CHECK(drawing.folded == 1);
  CHECK(drawing.shown == 32);
  CHECK(drawing.omitted == 0);
  CHECK(drawing.svg.find(">×10<") != std::string::npos);
  const CircuitDrawing cut =
      draw_circuit(circuit, {.columns = 3, .qubits = 3, .folds_repetitions = true});
  CHECK(cut.shown + cut.omitted == 32);
  CHECK(cut.omitted > 27);
}
