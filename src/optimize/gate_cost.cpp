#include "optimize/gate_cost.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "quartz/circuit/gate.hpp"

namespace quartz {
namespace {

/// More gates than one replacement takes away.
constexpr double kMostGates = 4096;
/// Weights of gates are rounded to this part of the greatest: the caller compares exactly.
constexpr double kWeightSteps = 1 << 20;
/// Whole numbers up to here are exact in double precision.
constexpr double kExactWholes = 9007199254740992.0;

/// One objective as a whole number for each gate.
struct Level {
  const Objective* objective = nullptr;  ///< null: the number of gates
  double scale = 1;                      ///< times the units
  double greatest = 1;
  double factor = 1;

  [[nodiscard]] double of(const Operation& operation) const {
    if (objective == nullptr) return 1;
    return std::round(static_cast<double>(objective->gate_units(operation)) * scale);
  }
};

double greatest_units(const Objective& objective, const GateSet& set) {
  double greatest = 0;
  for (const GateSetEntry& entry : set.entries) {
    const Gate& row = gate(entry.gate);
    Operation operation;
    operation.gate = entry.gate;
    for (Qubit i = 0; i < row.qubits; ++i) operation.qubits.push_back(i);
    operation.angles.resize(row.parameters.size());
    greatest = std::max(greatest, static_cast<double>(objective.gate_units(operation)));
  }
  return greatest;
}

}  // namespace

GateCost gate_cost_of(const std::shared_ptr<const Cost>& cost, const GateSet& set) {
  std::vector<Level> levels;
  for (const Objective& objective : cost->objectives()) {
    if (!objective.additive() || objective.depends_on_qubits()) continue;
    Level level;
    level.objective = &objective;
    if (objective.named() == nullptr) {
      const double greatest = greatest_units(objective, set);
      if (greatest == 0) continue;
      level.scale = std::min(1.0, kWeightSteps / greatest);
      level.greatest = greatest * level.scale;
    }
    levels.push_back(level);
  }
  levels.emplace_back();
  // From the last, which counts least; those that would go beyond exact sums are left out at the
  // end.
  const auto span = [&](const Level& level) { return level.greatest * kMostGates; };
  double all = 1;
  std::size_t used = 0;
  while (used < levels.size() && all * span(levels[used]) <= kExactWholes) {
    all *= span(levels[used++]);
  }
  levels.resize(std::max<std::size_t>(used, 1));
  for (std::size_t i = levels.size() - 1; i-- > 0;) {
    levels[i].factor = levels[i + 1].factor * span(levels[i + 1]);
  }
  return [cost, levels = std::move(levels)](const Operation& operation) {
    double sum = 0;
    for (const Level& level : levels) sum += level.factor * level.of(operation);
    return sum;
  };
}

}  // namespace quartz
