#include "target/derivations/derivation.hpp"

#include <algorithm>
#include <deque>
#include <numeric>
#include <set>
#include <string>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/canonical.hpp"

namespace quartz::target {
namespace {

/// Limit for the gates reached from one gate. A gate reaches at most a few hundred others: angles
/// change by constants that repeat after a turn, and are halved only on the way to gates on fewer
/// qubits or in the last step.
constexpr std::size_t kMaxNodesPerGate = 10000;
/// Limit for the angles tried; a few turns bring an angle into its range.
constexpr std::size_t kMaxAngles = 1000;

std::vector<Qubit> operands_of(const Operation& operation) {
  return {operation.qubits.begin(), operation.qubits.end()};
}

/// Appends operations whose operands are indices into `operands`.
void append(std::vector<Operation>& to, const std::vector<Operation>& operations,
            const std::vector<Qubit>& operands) {
  for (const Operation& operation : operations) {
    to.push_back(operation);
    for (Qubit& qubit : to.back().qubits) qubit = operands[qubit];
  }
}

/// Returns d such that pi/d divides every constant angle that a derivation compares with; nullopt
/// if the set has choices that are not multiples of pi.
std::optional<std::int64_t> finest_constant(const GateSet& set) {
  std::int64_t denominator = 4;  // for the constants of the gate table
  constexpr std::int64_t kFineEnough = std::int64_t{1} << 20;
  for (const GateSetEntry& entry : set.entries) {
    for (const AngleList& choice : entry.angles) {
      for (const Angle& angle : choice) {
        if (!angle.is_pi_multiple() || angle.pi_part().denominator() > kFineEnough ||
            denominator > kFineEnough) {
          return std::nullopt;
        }
        denominator = std::lcm(denominator, angle.pi_part().denominator());
      }
    }
  }
  return denominator;
}

}  // namespace

Derivations::Derivations(const GateSet& set)
    : set_(&set), finest_constant_(finest_constant(set)), table_(set) {
  const auto has_ranges = [](const GateSetEntry& entry) { return !entry.ranges.empty(); };
  if (std::none_of(set.entries.begin(), set.entries.end(), has_ranges)) return;
  without_ranges_ = set;
  for (GateSetEntry& entry : without_ranges_.entries) entry.ranges.clear();
  free_ = std::make_unique<Derivations>(without_ranges_);
}

Derivations::Shape Derivations::shape_of(const Operation& operation) const {
  Shape shape{operation, {}};
  if (!finest_constant_.has_value()) return shape;
  for (Angle& angle : shape.operation.angles) {
    const bool is_common =
        angle.is_pi_multiple() && (angle.pi_part() * Rational(*finest_constant_)).is_integer();
    if (is_common) continue;
    const auto known = std::find_if(
        shape.angles.begin(), shape.angles.end(),
        [&](const auto& symbol_and_angle) { return symbol_and_angle.second == angle; });
    const std::string symbol =
        known != shape.angles.end() ? known->first : "angle" + std::to_string(shape.angles.size());
    shape.angles.emplace(symbol, angle);
    angle = Angle::symbol(symbol);
  }
  return shape;
}

Derivations::Index Derivations::node_of(ProductionTable::Index symbol) {
  if (symbol >= node_of_symbol_.size()) node_of_symbol_.resize(table_->size(), kNoNode);
  Index& node = node_of_symbol_[symbol];
  if (node == kNoNode) {
    node = nodes_.size();
    nodes_.push_back({symbol, {}, nullptr, 0, {}});
  }
  return node;
}

void Derivations::add_productions(Index index) {
  const std::vector<Production>& productions = table_->productions_of(nodes_[index].symbol);
  for (const Production& production : productions) {
    for (const ProductionTable::Step& step : production.steps) (void)node_of(step.symbol);
  }
  nodes_[index].productions = &productions;
}

std::optional<Derivations::Cost> Derivations::cost_of(const Production& production) const {
  Cost sum;
  for (const ProductionTable::Step& step : production.steps) {
    const std::optional<Cost>& cost = nodes_[node_of_symbol_[step.symbol]].cost;
    if (!cost.has_value()) return std::nullopt;
    sum.multi_qubit += cost->multi_qubit;
    sum.gates += cost->gates;
  }
  return sum;
}

void Derivations::solve(Index first) {
  for (Index index = first; index < nodes_.size(); ++index) {
    if (index - first >= kMaxNodesPerGate) {
      throw InputError("the translations of the gate set '" + set_->name +
                       "' produce an endless sequence of angles");
    }
    Node& node = nodes_[index];
    const ProductionTable::Entry& entry = table_->entry(node.symbol);
    if (entry.is_identity) {
      node.cost = Cost{};
    } else if (entry.in_set.has_value()) {
      node.cost = Cost{gate(entry.symbol.first).qubits >= 2 ? 1U : 0U, 1};
    } else {
      add_productions(index);
    }
  }
  // The best production of a node changes only for a strictly lower cost, so following best
  // productions never returns to the same node.
  for (bool changed = true; changed;) {
    changed = false;
    for (Index index = first; index < nodes_.size(); ++index) {
      Node& node = nodes_[index];
      if (node.productions == nullptr) continue;
      for (std::size_t i = 0; i < node.productions->size(); ++i) {
        const std::optional<Cost> cost = cost_of((*node.productions)[i]);
        if (!cost.has_value() || (node.cost.has_value() && *cost >= *node.cost)) continue;
        node.cost = cost;
        node.best = i;
        changed = true;
      }
    }
  }
}

const Decomposition& Derivations::expansion_of(Index index) {
  Node& node = nodes_[index];
  if (node.expansion.has_value()) return *node.expansion;
  Decomposition result;
  const ProductionTable::Entry& entry = table_->entry(node.symbol);
  if (entry.in_set.has_value() && !entry.is_identity) {
    result.operations.push_back(on_own_operands(gate(entry.symbol.first), entry.in_set->first));
    result.phase = entry.in_set->second;
  } else if (node.productions != nullptr) {
    const Production& production = (*node.productions)[node.best];
    result.phase = production.phase;
    for (const ProductionTable::Step& step : production.steps) {
      const Decomposition& part = expansion_of(node_of_symbol_[step.symbol]);
      result.phase.add_phase(part.phase);
      append(result.operations, part.operations, step.operands);
    }
  }
  node.expansion = std::move(result);
  return *node.expansion;
}

std::optional<Decomposition> Derivations::derive_shape(const Shape& shape) {
  const Index known = nodes_.size();
  const auto [symbol, phase] = table_->index_of(shape.operation);
  const Index index = node_of(symbol);
  solve(known);
  if (!nodes_[index].cost.has_value()) return std::nullopt;

  const Decomposition& general = expansion_of(index);
  Decomposition result;
  result.phase = general.phase;
  result.phase.add_phase(phase);
  append(result.operations, general.operations, operands_of(shape.operation));
  if (shape.angles.empty()) return result;

  result.phase = result.phase.substitute(shape.angles);
  for (Operation& operation : result.operations) {
    for (Angle& angle : operation.angles) {
      if (!angle.terms().empty()) angle = angle.substitute(shape.angles);
    }
  }
  // A decomposition that holds for all angles may contain a rotation by 0 for these angles.
  std::erase_if(result.operations, [&](const Operation& operation) {
    if (operation.angles.empty()) return false;
    Operation normalized = operation;
    const Angle turned = normalize_angles(normalized);
    if (!is_identity(normalized)) return false;
    result.phase.add_phase(turned);
    return true;
  });
  return result;
}

std::optional<Decomposition> Derivations::within_ranges(const Operation& operation) {
  struct Rewritten {
    Operation gate;  ///< the gate to bring into its range
    std::vector<Operation> before;
    std::vector<Operation> after;
    Angle phase;
  };
  std::set<AngleList> seen;
  std::deque<Rewritten> waiting{{operation, {}, {}, {}}};
  while (!waiting.empty()) {
    Rewritten next = std::move(waiting.front());
    waiting.pop_front();
    next.phase.add_phase(normalize_angles(next.gate));
    if (seen.size() >= kMaxAngles) return std::nullopt;
    if (!seen.insert(next.gate.angles).second) continue;
    const bool is_nothing = is_identity(next.gate);
    if (is_nothing || set_->contains(next.gate)) {
      Decomposition result{std::move(next.before), next.phase, {}};
      if (!is_nothing) result.operations.push_back(next.gate);
      result.operations.insert(result.operations.end(), next.after.begin(), next.after.end());
      return expressed(std::move(result), next.gate.gate);
    }
    for (const Decomposition* const each : table_->decompositions_of(next.gate.gate)) {
      const Decomposition& pattern = *each;
      if (!pattern.when.empty()) continue;
      const std::vector<Operation> steps = instantiate(pattern, next.gate).operations;
      const auto is_same = [&](const Operation& step) { return step.gate == next.gate.gate; };
      const auto same = std::find_if(steps.begin(), steps.end(), is_same);
      if (same == steps.end()) continue;
      Rewritten longer = next;
      longer.gate = *same;
      longer.phase.add_phase(instantiate(pattern, next.gate).phase);
      longer.before.insert(longer.before.end(), steps.begin(), same);
      longer.after.insert(longer.after.begin(), same + 1, steps.end());
      waiting.push_back(std::move(longer));
    }
  }
  return std::nullopt;
}

std::optional<Decomposition> Derivations::expressed(Decomposition steps, GateKind kept) {
  Decomposition result;
  result.phase = steps.phase;
  for (Operation& step : steps.operations) {
    if (step.gate == kept || set_->contains(step)) {
      result.operations.push_back(std::move(step));
      continue;
    }
    std::optional<Decomposition> part = derive(step);
    if (!part) return std::nullopt;
    result.phase.add_phase(part->phase);
    for (Operation& operation : part->operations) {
      result.operations.push_back(std::move(operation));
    }
  }
  return result;
}

std::optional<Decomposition> Derivations::derive_with_ranges(const Operation& operation) {
  const std::optional<Decomposition> free = free_->derive(operation);
  if (!free) return std::nullopt;
  Decomposition result;
  result.phase = free->phase;
  for (const Operation& step : free->operations) {
    std::optional<Decomposition> part = within_ranges(step);
    if (!part) return std::nullopt;
    result.phase.add_phase(part->phase);
    for (Operation& inside : part->operations) result.operations.push_back(std::move(inside));
  }
  return result;
}

std::optional<Decomposition> Derivations::derive(const Operation& operation) {
  if (free_ != nullptr) {
    if (auto result = derive_with_ranges(operation)) return result;
    // A symbol may be any angle, so other gates of the set are tried.
  }
  const Shape shape = shape_of(operation);
  std::optional<Decomposition> result = derive_shape(shape);
  if (result.has_value() || shape.angles.empty()) return result;
  // Uncommon angles may add up to common ones, as those of u3(0, pi/8, pi/8) add up to pi/4.
  return derive_shape({operation, {}});
}

}  // namespace quartz::target
