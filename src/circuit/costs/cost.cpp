#include "quartz/circuit/cost.hpp"

#include <algorithm>
#include <array>
#include <boost/container/static_vector.hpp>
#include <charconv>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "circuit/costs/counted_operations.hpp"
#include "circuit/costs/objective_value.hpp"
#include "circuit/costs/operation_costs.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/declared_gate.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz {
namespace {

using circuit::counts_as_gate;
using circuit::counts_as_two_qubit;
using circuit::for_each_part;
using circuit::ObjectiveValue;

constexpr std::array kCosts = {
    CostName{CostKind::total, "total", "number of gates", &GateCounts::total, counts_as_gate},
    CostName{CostKind::two_qubit, "two-qubit", "number of gates on two or more qubits",
             &GateCounts::two_qubit, counts_as_two_qubit},
    CostName{CostKind::t, "t", "number of T gates and rotations that are not by multiples of pi/2",
             &GateCounts::t, counts_as_t},
    CostName{CostKind::depth, "depth", "longest chain of gates", &GateCounts::depth, counts_as_gate,
             Combination::critical_path},
    CostName{CostKind::two_qubit_depth, "two-qubit-depth",
             "most gates on two or more qubits that one chain contains", nullptr,
             counts_as_two_qubit, Combination::critical_path},
    CostName{CostKind::t_depth, "t-depth", "most gates counted by t that one chain contains",
             nullptr, counts_as_t, Combination::critical_path},
};

constexpr bool has_row_for_each_kind() {
  for (std::size_t i = 0; i < kCosts.size(); ++i) {
    if (kCosts[i].kind != static_cast<CostKind>(i)) return false;
  }
  return kCosts.size() == static_cast<std::size_t>(CostKind::t_depth) + 1 &&
         kCosts.size() == kNamedCosts;
}
static_assert(has_row_for_each_kind(), "a kind is the index of its row");

/// Returns the shortest text that reads back as exactly this number.
std::string shortest_text(double number) {
  std::array<char, 32> digits{};
  const std::to_chars_result end =
      std::to_chars(digits.data(), digits.data() + digits.size(), number);
  return {digits.data(), end.ptr};
}

bool is_multiple_of_quarter_turn(const Angle& angle) {
  return angle.is_pi_multiple() && angle.pi_part().denominator() <= 2;
}

/// Returns the values of objectives, without critical paths if there is no circuit.
circuit::OperationCosts costs_in_one_pass(std::span<const Objective> objectives,
                                          const Circuit* circuit,
                                          std::span<const Operation> operations) {
  boost::container::static_vector<std::pair<std::size_t, ObjectiveValue>, kMaxObjectives> values;
  for (std::size_t i = 0; i < objectives.size(); ++i) {
    if (circuit != nullptr || objectives[i].additive()) {
      values.emplace_back(i, ObjectiveValue(objectives[i], circuit));
    }
  }
  circuit::OperationCosts costs;
  for_each_part(operations, [&](std::span<const Operation> part) {
    costs.gates += static_cast<std::uint64_t>(std::ranges::count_if(part, counts_as_gate));
    for (auto& [index, value] : values) value.append(part);
  });
  for (const auto& [index, value] : values) costs.value.units[index] = value.units();
  return costs;
}

}  // namespace

bool counts_as_t(const Operation& operation) {
  if (operation.kind != OperationKind::gate) return false;
  if (operation.gate == GateKind::t || operation.gate == GateKind::tdg) return true;
  return !std::all_of(operation.angles.begin(), operation.angles.end(),
                      is_multiple_of_quarter_turn);
}

GateCounts count_gates(const Circuit& circuit) {
  std::vector<Objective> objectives;
  std::vector<std::uint64_t GateCounts::*> counted;
  for (const CostName& cost : kCosts) {
    if (cost.count == nullptr) continue;
    objectives.emplace_back(cost.kind);
    counted.push_back(cost.count);
  }
  const std::vector<std::uint64_t> units = units_of(objectives, circuit);
  GateCounts counts;
  for (std::size_t i = 0; i < counted.size(); ++i) counts.*counted[i] = units[i];
  return counts;
}

std::uint64_t count_measurements(const Circuit& circuit) {
  return static_cast<std::uint64_t>(
      std::ranges::count(circuit.operations, OperationKind::measure, &Operation::kind));
}

std::span<const CostName> cost_names() { return kCosts; }

const CostName& cost_name(CostKind kind) { return kCosts.at(static_cast<std::size_t>(kind)); }

const CostName* find_cost(std::string_view name) {
  for (const CostName& cost : kCosts) {
    if (cost.name == name) return &cost;
  }
  return nullptr;
}

// --- one objective ---

const CostName* Objective::named() const {
  return weights_ == nullptr ? &cost_name(kind_) : nullptr;
}

std::string_view Objective::name() const {
  return weights_ == nullptr ? cost_name(kind_).name : std::string_view(weights_->name());
}

Combination Objective::combination() const {
  return weights_ == nullptr ? cost_name(kind_).combination : weights_->combination();
}

bool Objective::additive() const { return combination() == Combination::sum; }

bool Objective::depends_on_qubits() const {
  return weights_ != nullptr && weights_->depends_on_qubits();
}

bool Objective::covers(GateKind kind) const {
  return weights_ == nullptr || weights_->covers(kind);
}

bool Objective::covers(const Circuit& circuit) const {
  if (!circuit.declared_gates.empty()) return covers(with_expanded_calls(circuit));
  return weights_ == nullptr || std::all_of(circuit.operations.begin(), circuit.operations.end(),
                                            [&](const Operation& operation) {
                                              return !counts_as_gate(operation) ||
                                                     weights_->find(operation).has_value();
                                            });
}

std::uint64_t Objective::gate_units(const Operation& operation) const {
  if (weights_ == nullptr) return cost_name(kind_).counts(operation) ? 1 : 0;
  const bool is_gate = counts_as_gate(operation);
  if (!is_gate && additive()) return 0;
  const std::optional<std::uint64_t> units = weights_->find(operation);
  if (!units && !is_gate) return 0;
  if (!units) {
    throw UsageError("the cost '" + weights_->name() + "' has no weight for the gate " +
                     std::string(gate(operation.gate).name));
  }
  return *units;
}

std::uint64_t Objective::units_of(const Circuit& circuit) const {
  return quartz::units_of({this, 1}, circuit).front();
}

std::uint64_t Objective::units_per_one() const {
  return weights_ == nullptr ? 1 : weights_->units_per_one();
}

std::vector<std::uint64_t> units_of(std::span<const Objective> objectives, const Circuit& circuit) {
  if (!circuit.declared_gates.empty()) return units_of(objectives, with_expanded_calls(circuit));
  std::vector<ObjectiveValue> values;
  values.reserve(objectives.size());
  for (const Objective& objective : objectives) values.emplace_back(objective, &circuit);
  for_each_part(circuit.operations, [&](std::span<const Operation> part) {
    for (ObjectiveValue& value : values) value.append(part);
  });
  std::vector<std::uint64_t> units;
  for (const ObjectiveValue& value : values) units.push_back(value.units());
  return units;
}

// --- costs ---

Cost::Cost(std::vector<Objective> objectives) : objectives_(std::move(objectives)) {
  if (objectives_.empty() || objectives_.size() > kMaxObjectives) {
    throw UsageError("a cost has 1 to " + std::to_string(kMaxObjectives) + " objectives, found " +
                     std::to_string(objectives_.size()));
  }
  std::set<std::string_view> names;
  for (const Objective& objective : objectives_) {
    if (!names.insert(objective.name()).second) {
      throw UsageError("the cost '" + std::string(objective.name()) + "' is given twice");
    }
  }
}

std::string Cost::name() const {
  std::string name;
  for (const Objective& objective : objectives_) {
    if (!name.empty()) name += ',';
    name += objective.name();
  }
  return name;
}

bool Cost::additive() const {
  return std::all_of(objectives_.begin(), objectives_.end(),
                     [](const Objective& objective) { return objective.additive(); });
}

bool Cost::depends_on_qubits() const {
  return std::any_of(objectives_.begin(), objectives_.end(),
                     [](const Objective& objective) { return objective.depends_on_qubits(); });
}

CostValue Cost::gate_cost(const Operation& operation) const {
  CostValue value;
  for (std::size_t i = 0; i < objectives_.size(); ++i) {
    if (objectives_[i].additive()) value.units[i] = objectives_[i].gate_units(operation);
  }
  return value;
}

std::string Cost::describe(const CostValue& value) const {
  std::string text;
  for (std::size_t i = 0; i < objectives_.size(); ++i) {
    if (i > 0) text += ", ";
    text += objectives_[i].name();
    text += ' ';
    text += shortest_text(objectives_[i].value(value.units[i]));
  }
  return text;
}

std::vector<std::string> warnings_of_rounding(const Cost& cost) {
  std::vector<std::string> warnings;
  for (const Objective& objective : cost.objectives()) {
    if (objective.weights() == nullptr) continue;
    if (const auto rounding = objective.weights()->rounding()) {
      warnings.push_back("the weights '" + std::string(objective.name()) +
                         "': " + shortest_text(rounding->weight) + " counts as " +
                         shortest_text(rounding->counted) +
                         ", because another weight is so much greater");
    }
  }
  return warnings;
}

CostValue cost_of(const Circuit& circuit, const Cost& cost) {
  if (!circuit.declared_gates.empty()) return cost_of(with_expanded_calls(circuit), cost);
  return circuit::costs_of_operations(circuit, circuit.operations, cost).value;
}

circuit::OperationCosts circuit::costs_of_operations(const Circuit& circuit,
                                                     std::span<const Operation> operations,
                                                     const Cost& cost) {
  return costs_in_one_pass(cost.objectives(), &circuit, operations);
}

circuit::OperationCosts circuit::sums_of_operations(std::span<const Operation> operations,
                                                    const Cost& cost) {
  return costs_in_one_pass(cost.objectives(), nullptr, operations);
}

}  // namespace quartz
