#include "circuit/costs/operation_counter.hpp"

namespace quartz::circuit {

OperationCounter::OperationCounter(const Circuit& circuit, const Cost& cost) {
  for (const CostName& named : cost_names()) objectives_.emplace_back(named.kind);
  for (const Objective& objective : cost.objectives()) {
    if (const CostName* const named = objective.named()) {
      places_.push_back(static_cast<std::size_t>(named->kind));
    } else {
      places_.push_back(objectives_.size());
      objectives_.push_back(objective);
    }
  }
  values_.reserve(objectives_.size());
  for (const Objective& objective : objectives_) values_.emplace_back(objective, &circuit);
}

void OperationCounter::append(std::span<const Operation> operations) {
  operations_ += operations.size();
  for_each_part(operations, [&](std::span<const Operation> part) {
    for (ObjectiveValue& value : values_) value.append(part);
    for (const Operation& operation : part) {
      if (operation.kind != OperationKind::gate) continue;
      const auto kind = static_cast<std::size_t>(operation.gate);
      if (kind >= gates_.size()) gates_.resize(kind + 1);
      ++gates_[kind];
    }
  });
}

CircuitCounts OperationCounter::counts() const {
  CircuitCounts counts;
  counts.operations = operations_;
  for (std::size_t i = 0; i < counts.named.size(); ++i) counts.named[i] = values_[i].units();
  for (std::size_t i = 0; i < places_.size(); ++i) {
    counts.cost.units[i] = values_[places_[i]].units();
  }
  for (std::size_t kind = 0; kind < gates_.size(); ++kind) {
    if (gates_[kind] != 0) counts.gates[static_cast<GateKind>(kind)] = gates_[kind];
  }
  return counts;
}

}  // namespace quartz::circuit
