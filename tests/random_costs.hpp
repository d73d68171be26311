#pragma once

#include <string>
#include <vector>

#include "quartz/circuit/cost.hpp"
#include "quartz/target/gate_set.hpp"
#include "random_circuits.hpp"

namespace quartz::test {

/// Returns weights for all gates of a set, of a sum or of a critical path. They have few different
/// values, so that some are 0 and some are equal, in tenths or (like error rates) with more digits
/// than are kept. Often some weights are for certain qubits only.
inline GateWeights random_weights(const GateSet& set, Random& random, std::uint32_t qubits) {
  const bool rates = below(random, 2) == 0;
  const auto value = [&] {
    return static_cast<double>(below(random, 30)) / (rates ? 700.0 : 10.0);
  };
  std::vector<GateWeight> weights;
  for (const GateSetEntry& entry : set.entries) {
    if (below(random, 4) != 0) weights.push_back({entry.gate, {}, value()});
  }
  const std::size_t on_qubits = below(random, 2) * below(random, 5);
  for (std::size_t i = 0; i < on_qubits; ++i) {
    // Each entry has a different gate, so that no weight is given twice.
    const GateSetEntry& entry = set.entries[i % set.entries.size()];
    if (i >= set.entries.size() || gate(entry.gate).qubits > qubits) break;
    const Operation place = random_gate(random, {entry.gate}, qubits, 4);
    weights.push_back({entry.gate, {place.qubits.begin(), place.qubits.end()}, value()});
  }
  const bool is_path = below(random, 3) == 0;
  if (is_path) weights.push_back({GateKind{}, {}, value(), OperationKind::measure});
  return {"weights", weights, value(), is_path ? Combination::critical_path : Combination::sum};
}

/// Returns one to four objectives in random order: named costs, and sometimes weights.
inline Cost random_cost(const GateSet& set, Random& random, std::uint32_t qubits) {
  std::vector<Objective> objectives;
  for (const CostName& cost : cost_names()) {
    if (below(random, 2) == 0) objectives.emplace_back(cost.kind);
  }
  while (objectives.size() > kMaxObjectives) {
    objectives.erase(objectives.begin() + below(random, objectives.size()));
  }
  if (objectives.empty() || (objectives.size() < kMaxObjectives && below(random, 3) != 0)) {
    objectives.emplace_back(random_weights(set, random, qubits));
  }
  for (std::size_t i = objectives.size(); i > 1; --i) {
    std::swap(objectives[i - 1], objectives[below(random, i)]);
  }
  return Cost(std::move(objectives));
}

}  // namespace quartz::test
