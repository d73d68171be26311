#include "quartz/circuit/cost.hpp"

#include <string>
#include <vector>

#include "quartz/circuit/gate.hpp"
#include "quartz/target/cost_file.hpp"
#include "target.hpp"

namespace quartz::fuzz::cost {

void run(std::string_view input) {
  const auto weights = read([&] { return parse_gate_weights(input, input_name); });
  if (!weights) return;
  require_whole_text(
      input, [](const std::string& longer) { return parse_gate_weights(longer, input_name); });
  const Objective objective(*weights);
  require(!objective.name().empty(), "a cost has a name");
  require(weights->units_per_one() > 0, "a weight of 1 has units");
  for (const Gate& row : gate_table()) {
    if (!weights->covers(row.kind)) continue;
    const double weight = objective.gate_weight(on_own_operands(row));
    require(weight >= 0 && weight <= GateWeights::kGreatest * 1.01, "weights are in their range");
  }
}

std::vector<std::string> seeds() {
  std::vector<std::string> seeds = repository_files("costs", ".json");
  seeds.emplace_back(R"({"format": "quartz-cost", "version": 1, "name": "w", "errors": true,
"gates": [{"gate": "cx", "error_rate": 0.01, "qubits": [0, 1]},
{"gate": "cx", "error_rate": 1, "qubits": [1, 0]}, {"gate": "h", "error_rate": 1e-4}],
"default": 0})");
  return seeds;
}

}  // namespace quartz::fuzz::cost
