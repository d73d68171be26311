#include "quartz/rules/ecc_set.hpp"

#include <string>
#include <vector>

#include "quartz/circuit/gate.hpp"
#include "target.hpp"

namespace quartz::fuzz::ecc_set {
namespace {

void require_circuit(const std::vector<Operation>& circuit, const EccSet& set) {
  for (const Operation& operation : circuit) {
    const Gate& row = gate(operation.gate);
    require(operation.qubits.size() == row.qubits, "a gate has its number of qubits");
    require(operation.angles.size() == row.parameters.size(), "a gate has its number of angles");
    for (const Qubit qubit : operation.qubits) {
      require(qubit < set.qubits, "the qubits of a gate are those of the set");
    }
    for (const Angle& angle : operation.angles) {
      require(angle.symbols().size() <= set.parameters, "parameters are those of the set");
    }
  }
}

}  // namespace

void run(std::string_view input) {
  static const GateSet nam = load_gate_set("nam");
  const auto set = read([&] { return parse_ecc_set(input, input_name, nam); });
  if (!set) return;
  require_whole_text(
      input, [](const std::string& longer) { return parse_ecc_set(longer, input_name, nam); });
  for (const auto& circuits : set->classes) {
    for (const auto& circuit : circuits) require_circuit(circuit, *set);
  }
}

std::vector<std::string> seeds() {
  return {R"([[], {"0_1": [[[2, 2, 3, 2, ["1c"], [0.5, 0.1]], [["add", ["P2"], ["P0", "P1"]],
["cx", ["Q0", "Q1"], ["Q0", "Q1"]], ["rz", ["Q0"], ["Q0", "P2"]]]], [[2, 2, 2, 0, [], []], []]]}])",
          R"([[[6, "", 2, 1.5707963267948966, ["mult", ["P3"], ["P1", "P0"]],
["pi", ["P4"], ["P1"]], ["neg", ["P5"], ["P0"]]], [0.1]], {"a": [[[1, 4], [["rz", ["Q0"],
["Q0", "P3"]], ["t", ["Q0"], ["Q0"]], ["h", ["Q0"], ["Q0"]]]], [[1, 0], [["ch", ["Q0"], ["Q0"]]]]]}])",
          R"([[["0_1", "1_1"]], {}])"};
}

}  // namespace quartz::fuzz::ecc_set
