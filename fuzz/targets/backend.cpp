#include "quartz/target/backend.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/gate.hpp"
#include "target.hpp"

namespace quartz::fuzz::backend {
namespace {

/// Requires that the weights of all gates that have one are in their range.
void require_weights(const std::optional<GateWeights>& weights) {
  if (!weights) return;
  const Objective objective(*weights);
  for (const Gate& row : gate_table()) {
    if (!weights->covers(row.kind)) continue;
    const double weight = objective.gate_weight(on_own_operands(row));
    require(weight >= 0 && weight <= GateWeights::kGreatest * 1.01, "weights are in their range");
  }
}

}  // namespace

void run(std::string_view input) {
  const auto backend = read([&] { return parse_backend(input, input_name); });
  if (!backend) return;
  require_whole_text(input,
                     [](const std::string& longer) { return parse_backend(longer, input_name); });
  require(!backend->name.empty(), "a device has a name");
  require(std::ranges::is_sorted(backend->gates), "gates are sorted");
  require(backend->kinds.size() <= backend->gates.size(), "every kind of gate has a name");
  require_weights(backend->error);
  require_weights(backend->duration);
  try {
    (void)gate_set_name_of(*backend);
    require(backend->kinds.size() >= 2, "a gate set has only gates of the device");
  } catch (const UsageError&) {
    // No bundled gate set fits.
  }
}

std::vector<std::string> seeds() {
  return {R"({"backend_name": "toy", "qubits": [[{"name": "readout_length", "unit": "ns",
"value": 1500}, {"name": "operational", "value": 1}], []], "gates": [
{"gate": "sx", "qubits": [0], "parameters": [{"name": "gate_error", "unit": "", "value": 1e-3},
{"name": "gate_length", "unit": "us", "value": 0.03}]},
{"gate": "cz", "qubits": [0, 1], "parameters": [{"name": "gate_error", "unit": "", "value": 1}]},
{"gate": "rz", "qubits": [1], "parameters": []}]})",
          R"({"backend_name": "toy", "n_qubits": 3, "basis_gates": ["rz", "sx", "x", "ecr"],
"coupling_map": [[0, 1], [2, 1]]})",
          R"({"paradigm": {"qubitCount": 2, "nativeGateSet": ["PRX", "CZ"], "connectivity":
{"fullyConnected": false, "connectivityGraph": {"0": ["1"]}}}, "standardized": {
"oneQubitProperties": {"0": {"oneQubitFidelity": [{"fidelityType":
{"name": "RANDOMIZED_BENCHMARKING"}, "fidelity": 0.999}]}}, "twoQubitProperties": {"0-1":
{"twoQubitGateFidelity": [{"direction": {"control": 0, "target": 1}, "gateName": "CZ",
"fidelity": 0.99}]}}, "TwoQubitGateDuration": {"value": 40, "unit": "ns"}}})",
          R"({"paradigm": {"qubitCount": 4, "nativeGateSet": ["gpi", "gpi2", "ms"], "connectivity":
{"fullyConnected": true, "connectivityGraph": {}}}, "provider": {"fidelity": {"2Q":
{"mean": 0.98}}, "timing": {"1Q": 1e-5, "2Q": 2e-4, "readout": 1e-4, "reset": 3e-5}}})"};
}

}  // namespace quartz::fuzz::backend
