#include <catch2/catch.hpp>
#include <string>

#include "quartz/qasm/qasm.hpp"
#include "quartz/report/text_drawing.hpp"

using namespace quartz;

namespace {

std::string drawing_of(const std::string& statements, std::size_t width = 100) {
  const std::string header = "OPENQASM 2.0; include \"qelib1.inc\"; qreg q[3]; creg c[1]; ";
  return text_drawing(parse_qasm(header + statements), {.width = width});
}

}  // namespace

TEST_CASE("Gates are drawn on their wires, and connected with their controls") {
  REQUIRE(
      drawing_of("h q[0]; cx q[0],q[2]; rz(pi/4) q[1]; swap q[0],q[1]; measure q[2] -> c[0];") ==
      "q[0] ─┤h├─●───────────╳─\n"
      "          │           │\n"
      "q[1] ─────┼─┤rz(π/4)├─╳─\n"
      "          │\n"
      "q[2] ─────⊕─┤M c[0]├────\n");
}

TEST_CASE("A drawing that is wider than a line is continued below") {
  REQUIRE(drawing_of("h q[0]; x q[0]; y q[0];", 17) ==
          "q[0] ─┤h├─┤x├─ »\n"
          "q[1] ───────── »\n"
          "q[2] ───────── »\n"
          "\n"
          "q[0] ─┤y├─\n"
          "q[1] ─────\n"
          "q[2] ─────\n");
  // A line has at least one operation.
  const std::string narrow = drawing_of("h q[0]; x q[0];", 1);
  REQUIRE(narrow.find("┤h├") < narrow.find("┤x├"));
}

TEST_CASE("Barriers and conditions are drawn") {
  REQUIRE(drawing_of("barrier q[0],q[2]; if (c==1) x q[1]; reset q[1];") ==
          "q[0] ─░──────────────\n"
          "q[1] ───┤if x├─┤|0⟩├─\n"
          "q[2] ─░──────────────\n");
}

TEST_CASE("The text of a circuit without operations has its wires") {
  REQUIRE(drawing_of("") == "q[0] ─\nq[1] ─\nq[2] ─\n");
  REQUIRE(text_drawing(Circuit()).empty());
}
