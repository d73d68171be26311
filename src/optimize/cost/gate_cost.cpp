#include "optimize/cost/gate_cost.hpp"

#include <utility>
#include <vector>

#include "optimize/cost/scalar_gate_cost.hpp"

namespace quartz::optimizer {
namespace {

/// Maximum number of gates in a block; longer blocks are cut into pieces.
constexpr std::uint64_t kMaxGatesOfCost = 1000;
/// Integers up to this bound are exact in double precision.
constexpr std::uint64_t kExactWholes = std::uint64_t{1} << 53U;

}  // namespace

GateCost gate_cost_of(const Cost& cost, const GateSet& set) {
  std::vector<Objective> objectives;
  bool has_total = false;
  for (const Objective& objective : cost.objectives()) {
    if (!objective.additive() || objective.depends_on_qubits()) continue;
    objectives.push_back(objective);
    has_total = has_total || objective.named() == &cost_name(CostKind::total);
  }
  if (!has_total && objectives.size() < kMaxObjectives) objectives.emplace_back(CostKind::total);
  return
      [value = scalar_gate_cost(Cost(std::move(objectives)), set, kMaxGatesOfCost, kExactWholes)](
          const Operation& gate) { return static_cast<double>(value(gate)); };
}

}  // namespace quartz::optimizer
