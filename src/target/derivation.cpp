#include "target/derivation.hpp"

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

/// Returns the phase if the normalized angles equal a choice of constants up to whole turns: the
/// gate equals e^{i phase} times the gate with the constants.
std::optional<Angle> phase_to_constants(const Operation& normalized, AngleList constants) {
  Operation other = on_own_operands(gate(normalized.gate), std::move(constants));
  const Angle phase = normalize_angles(other);
  if (other.angles != normalized.angles) return std::nullopt;
  return -phase;
}

/// Replaces the parameters in a pattern of Decomposition::when, where a parameter itself means any
/// angle, by the operation's angles.
AngleList filled_in(const AngleList& pattern, const Operation& operation) {
  const Gate& row = gate(operation.gate);
  const std::map<std::string, Angle> angles = angles_by_name(row, operation.angles);
  AngleList result;
  for (const Angle& angle : pattern) result.push_back(angle.substitute(angles));
  return result;
}

/// Returns whether the decomposition of a one-qubit gate contains a fraction of its parameter.
/// Applied repeatedly, it would never return to an earlier angle.
bool divides_angles(const Decomposition& pattern, const Gate& row) {
  if (row.qubits > 1) return false;
  for (const Operation& step : pattern.operations) {
    for (const Angle& angle : step.angles) {
      for (const Angle::Term& term : angle.terms()) {
        if (!term.coefficient.is_integer()) return true;
      }
    }
  }
  return false;
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

Derivations::Derivations(const GateSet& set) : set_(&set), finest_constant_(finest_constant(set)) {
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

std::pair<Derivations::Index, Angle> Derivations::node_of(const Operation& operation) {
  Operation normalized = on_own_operands(gate(operation.gate), operation.angles);
  const Angle phase = normalize_angles(normalized);
  Symbol symbol(normalized.gate, normalized.angles);
  const auto [place, added] = index_.emplace(symbol, nodes_.size());
  if (added) {
    Node node;
    node.symbol = std::move(symbol);
    const auto entry =
        std::find_if(set_->entries.begin(), set_->entries.end(),
                     [&](const GateSetEntry& e) { return e.gate == normalized.gate; });
    if (entry != set_->entries.end()) {
      if (entry->angles.empty() && set_->contains(normalized)) {
        node.in_set.emplace(normalized.angles, Angle());
      }
      for (const AngleList& choice : entry->angles) {
        const std::optional<Angle> difference = phase_to_constants(normalized, choice);
        if (difference.has_value()) node.in_set.emplace(choice, *difference);
      }
    }
    nodes_.push_back(std::move(node));
  }
  return {place->second, phase};
}

bool Derivations::all_in_set(const std::vector<Operation>& operations) const {
  return std::all_of(operations.begin(), operations.end(), [&](const Operation& operation) {
    Operation normalized = on_own_operands(gate(operation.gate), operation.angles);
    static_cast<void>(normalize_angles(normalized));
    return set_->contains(normalized) || is_identity(normalized);
  });
}

std::optional<Derivations::Cost> Derivations::cost_of(const Production& production) const {
  Cost sum;
  for (const Step& step : production.steps) {
    const std::optional<Cost>& cost = nodes_[step.node].cost;
    if (!cost.has_value()) return std::nullopt;
    sum.multi_qubit += cost->multi_qubit;
    sum.gates += cost->gates;
  }
  return sum;
}

std::vector<const Decomposition*> Derivations::decompositions_of(GateKind kind) const {
  std::vector<const Decomposition*> result;
  for (const Translation& translation : set_->translations) {
    if (translation.gate == kind) result.push_back(&translation.decomposition);
  }
  for (const Decomposition& decomposition : gate(kind).decompositions) {
    result.push_back(&decomposition);
  }
  return result;
}

void Derivations::add_productions(Index index) {
  // The operation is copied because adding nodes moves the existing ones.
  const Operation operation =
      on_own_operands(gate(nodes_[index].symbol.first), nodes_[index].symbol.second);
  std::vector<Production> productions;
  for (const Decomposition* const each : decompositions_of(operation.gate)) {
    const Decomposition& pattern = *each;
    Production production;
    Operation source = operation;
    if (!pattern.when.empty()) {
      source.angles = filled_in(pattern.when, operation);
      const std::optional<Angle> phase = phase_to_constants(operation, source.angles);
      if (!phase.has_value()) continue;
      production.phase = *phase;
    }
    const Decomposition steps = instantiate(pattern, source);
    if (divides_angles(pattern, gate(operation.gate)) && !all_in_set(steps.operations)) {
      continue;
    }
    production.phase.add_phase(steps.phase);
    for (const Operation& step : steps.operations) {
      const auto [node, phase] = node_of(step);
      production.steps.push_back({node, operands_of(step)});
      production.phase.add_phase(phase);
    }
    productions.push_back(std::move(production));
  }
  nodes_[index].productions = std::move(productions);
}

void Derivations::solve(Index first) {
  for (Index index = first; index < nodes_.size(); ++index) {
    if (index - first >= kMaxNodesPerGate) {
      throw InputError("the translations of the gate set '" + set_->name +
                       "' produce an endless sequence of angles");
    }
    Node& node = nodes_[index];
    if (is_identity(on_own_operands(gate(node.symbol.first), node.symbol.second))) {
      node.in_set.reset();
      node.productions.emplace_back();
      node.cost = Cost{};
    } else if (node.in_set.has_value()) {
      node.cost = Cost{gate(node.symbol.first).qubits >= 2 ? 1U : 0U, 1};
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
      for (std::size_t i = 0; i < node.productions.size(); ++i) {
        const std::optional<Cost> cost = cost_of(node.productions[i]);
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
  if (node.in_set.has_value()) {
    result.operations.push_back(on_own_operands(gate(node.symbol.first), node.in_set->first));
    result.phase = node.in_set->second;
  } else {
    const Production& production = node.productions[node.best];
    result.phase = production.phase;
    for (const Step& step : production.steps) {
      const Decomposition& part = expansion_of(step.node);
      result.phase.add_phase(part.phase);
      append(result.operations, part.operations, step.operands);
    }
  }
  node.expansion = std::move(result);
  return *node.expansion;
}

std::optional<Decomposition> Derivations::derive_shape(const Shape& shape) {
  const Index known = nodes_.size();
  const auto [index, phase] = node_of(shape.operation);
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
    for (const Decomposition* const each : decompositions_of(next.gate.gate)) {
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
