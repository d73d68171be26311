#include <catch2/catch.hpp>

#include "quartz/circuit/gate.hpp"
#include "report/drawing/gate_symbol.hpp"

using namespace quartz;
using namespace quartz::report;

namespace {

/// Returns the signs of the operands, such as ".+" for a control and the target of a cx, and the
/// name in the boxes.
std::string text_of(std::string_view name) {
  const GateSymbol symbol = symbol_of(*find_gate(name));
  std::string text;
  for (const OperandSign sign : symbol.signs) text += "#.+x"[static_cast<std::size_t>(sign)];
  return text + " " + symbol.name + (symbol.numbered ? " numbered" : "");
}

}  // namespace

TEST_CASE("Controls, targets and exchanged qubits follow from the matrix") {
  CHECK(text_of("h") == "# h");
  CHECK(text_of("z") == "# z");
  CHECK(text_of("rz") == "# rz");
  CHECK(text_of("cx") == ".+ x");
  CHECK(text_of("ccx") == "..+ x");
  CHECK(text_of("cz").starts_with(".."));
  CHECK(text_of("swap") == "xx swap");
  CHECK(text_of("cswap") == ".xx swap");
}

TEST_CASE("Controlled gates have boxes with the name of what is controlled") {
  CHECK(text_of("cy") == ".# y");
  CHECK(text_of("ch") == ".# h");
  CHECK(text_of("crz") == ".# rz");
  CHECK(text_of("cp") == ".# p");
  CHECK(text_of("cu3") == ".# u3");
}

TEST_CASE("Boxes are numbered if their operands cannot be exchanged") {
  CHECK(text_of("ecr") == "## ecr numbered");
  CHECK(text_of("rzz") == "## rzz");
  CHECK(text_of("iswap") == "## iswap");
}

TEST_CASE("Every gate of the table has a symbol") {
  for (const Gate& gate : gate_table()) {
    const GateSymbol symbol = symbol_of(gate);
    CHECK(symbol.signs.size() == gate.qubits);
    CHECK_FALSE(symbol.name.empty());
  }
}
