#include "optimize/cost/scalar_gate_cost.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "quartz/circuit/gate.hpp"

namespace quartz::optimizer {
namespace {

/// Maximum number of gates in a block; longer blocks are cut into pieces.
constexpr std::uint64_t kMaxGatesOfBlock = 1000;
/// Bound on the cost of a block, which lets sums over whole circuits fit 64 bits.
constexpr std::uint64_t kMaxCostOfBlock = std::uint64_t{1} << 53U;

/// Returns the operation on qubits that no weight names.
Operation elsewhere(Operation operation) {
  Qubit qubit = std::numeric_limits<Qubit>::max();
  for (Qubit& operand : operation.qubits) operand = qubit--;
  return operation;
}

/// Returns the maximum contribution of a gate of the set, in units of the objective.
std::uint64_t max_units(const Objective& objective, const GateSet& set) {
  if (objective.named() != nullptr) return 1;
  std::uint64_t most = 1;
  for (const GateSetEntry& entry : set.entries) {
    Operation operation;
    operation.gate = entry.gate;
    operation.angles.resize(gate(entry.gate).parameters.size());
    operation.qubits.resize(gate(entry.gate).qubits);
    most = std::max(most, objective.gate_units(elsewhere(std::move(operation))));
  }
  return most;
}

struct Digit {
  Objective objective;
  std::uint64_t base = 0;     ///< greater than this objective's sum for any circuit
  std::uint64_t divisor = 1;  ///< units of the objective that count as one

  /// Returns what the operation counts in the objective, rounded up.
  [[nodiscard]] std::uint64_t of(const Operation& operation) const {
    const std::uint64_t units = objective.gate_units(operation);
    return divisor == 1 ? units : (units + divisor - 1) / divisor;
  }
};

/// Returns the digits of the objectives that are wanted, without the last ones if a sum could
/// exceed `most`. If that of the first one could, it is rounded.
template <typename IsWanted>
std::vector<Digit> digits_of(std::span<const Objective> objectives, const GateSet& set,
                             std::uint64_t gates, std::uint64_t most, const IsWanted& is_wanted) {
  std::vector<Digit> digits;
  std::uint64_t product = 1;
  for (const Objective& objective : objectives) {
    if (!is_wanted(objective)) continue;
    const std::uint64_t all_units = max_units(objective, set);
    // An annealed circuit may become longer than the input.
    const std::uint64_t max_gates = 8 * gates + 64;
    std::uint64_t divisor = 1;
    const auto units = [&] { return (all_units + divisor - 1) / divisor; };
    const std::uint64_t max_units_of_gate = most / product / max_gates;
    while (digits.empty() && max_units_of_gate > 1 && units() >= max_units_of_gate) divisor *= 10;
    if (units() >= max_units_of_gate) break;
    product *= units() * max_gates;
    digits.push_back({objective, units() * max_gates, divisor});
  }
  return digits;
}

/// Returns the sum of the digits of a gate that are sums.
ScalarGateCost sum_of_digits(std::vector<Digit> digits) {
  return [digits = std::move(digits)](const Operation& operation) {
    const Operation moved = elsewhere(operation);
    std::uint64_t value = 0;
    for (const Digit& digit : digits) {
      value *= digit.base;
      if (digit.objective.additive()) value += digit.of(moved);
    }
    return value;
  };
}

constexpr std::uint64_t kMaxScalarCost = std::uint64_t{1} << 62U;

}  // namespace

ScalarGateCost scalar_gate_cost(const Cost& cost, const GateSet& set, std::uint64_t gates,
                                std::uint64_t most) {
  std::vector<Digit> digits =
      digits_of(cost.objectives(), set, gates, most,
                [](const Objective& objective) { return objective.additive(); });
  if (digits.empty()) return {};
  return sum_of_digits(std::move(digits));
}

ScalarCost scalar_cost(const Cost& cost, const GateSet& set, std::uint64_t gates) {
  std::vector<Objective> objectives(cost.objectives().begin(), cost.objectives().end());
  const auto path = std::ranges::find_if(
      objectives, [](const Objective& objective) { return !objective.additive(); });
  if (path == objectives.end()) return scalar_gate_cost(cost, set, gates);
  const std::string_view name = path->name();
  const bool is_first = path == objectives.begin();
  objectives.emplace_back(CostKind::total);
  std::vector<Digit> digits = digits_of(
      objectives, set, gates, kMaxScalarCost,
      [&](const Objective& objective) { return objective.additive() || objective.name() == name; });
  ScalarCost scalar;
  std::uint64_t base = 1;
  for (auto digit = digits.rbegin(); digit != digits.rend(); base *= digit->base, ++digit) {
    if (digit->objective.additive()) continue;
    scalar.per_length = base;
    scalar.is_path_first = is_first;
    scalar.length = [length = *digit](const Operation& operation) {
      return length.of(elsewhere(operation));
    };
  }
  scalar.gate = sum_of_digits(std::move(digits));
  return scalar;
}

ScalarGateCost scalar_gate_cost_in_blocks(const Cost& cost, const GateSet& set) {
  std::vector<Objective> objectives;
  bool has_total = false;
  for (const Objective& objective : cost.objectives()) {
    if (!objective.additive() || objective.depends_on_qubits()) continue;
    objectives.push_back(objective);
    has_total = has_total || objective.named() == &cost_name(CostKind::total);
  }
  if (!has_total && objectives.size() < kMaxObjectives) objectives.emplace_back(CostKind::total);
  return scalar_gate_cost(Cost(std::move(objectives)), set, kMaxGatesOfBlock, kMaxCostOfBlock);
}

}  // namespace quartz::optimizer
