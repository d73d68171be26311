#include "optimize/intermediate_set.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "quartz/errors.hpp"

namespace quartz {
namespace {

constexpr std::string_view kIntermediateSet = "nam";

bool has(const GateSet& set, GateKind gate) {
  return std::any_of(set.entries.begin(), set.entries.end(),
                     [&](const GateSetEntry& entry) { return entry.gate == gate; });
}

bool begins_with(const Cost& cost, CostKind kind) {
  return cost.objectives()[0].named() == &cost_name(kind);
}

/// How many gates a gate becomes on the way back is not known there; those on two qubits stay.
Cost intermediate_cost(const Cost& cost) {
  std::vector<Objective> objectives;
  if (begins_with(cost, CostKind::t)) objectives.emplace_back(CostKind::t);
  objectives.emplace_back(CostKind::two_qubit);
  objectives.emplace_back(CostKind::total);
  return Cost(std::move(objectives));
}

}  // namespace

IntermediateSetUse intermediate_set_use(const GateSet& set, const Cost& cost) {
  if (has(set, GateKind::h) && has(set, GateKind::cx)) return IntermediateSetUse::none;
  if (begins_with(cost, CostKind::two_qubit) && !has(set, GateKind::cx)) {
    return IntermediateSetUse::gains;
  }
  return IntermediateSetUse::may_gain;
}

std::optional<OptimizeResult> optimize_in_intermediate_set(const Circuit& circuit,
                                                           const GateSet& set,
                                                           const OptimizeOptions& options) {
  const GateSet intermediate = load_gate_set(kIntermediateSet);
  if (intermediate.digest == set.digest) return std::nullopt;
  OptimizeOptions there = options;
  there.cost = intermediate_cost(options.cost);
  there.search = SearchKind::annealing;
  there.record_rules = false;
  try {
    OptimizeResult result = optimize(translate(circuit, intermediate), intermediate, {}, there);
    result.circuit = translate(result.circuit, set);
    for (AlternativeCircuit& each : result.alternatives) {
      each.circuit = translate(each.circuit, set);
    }
    return result;
  } catch (const InputError&) {
    return std::nullopt;
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

}  // namespace quartz
