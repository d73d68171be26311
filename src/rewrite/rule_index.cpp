#include "rewrite/rule_index.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "quartz/circuit/canonical.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::rewrite {

/// The order in which matching finds the gates of a pattern.
struct RuleIndex::GrowthPlan {
  struct Found {
    std::size_t gate = 0;
    std::uint8_t wire = 0;  ///< the wire along which the gate is found ...
    bool forward = true;    ///< ... and the direction
  };
  std::vector<Found> order;
  std::map<Qubit, std::uint8_t> wires;  ///< numbered by first appearance
  std::map<Qubit, std::vector<std::size_t>> gates_on;
};

namespace {

using GrowthPlan = RuleIndex::GrowthPlan;

constexpr std::size_t kMaxPatternGates = 16;
constexpr std::size_t kMaxPatternQubits = 8;
/// Maximum number of operands of a gate in a packed circuit.
constexpr std::size_t kMaxOperands = 3;
/// Limit on the variants of one pattern, one for each order of the operands of its symmetric gates.
constexpr std::size_t kMaxVariants = 4096;

/// Returns the orders of a gate's operands that preserve its unitary, the given order first.
std::vector<Operation> operand_orders(const Operation& operation) {
  const std::vector<unsigned>& symmetry = gate(operation.gate).symmetry;
  std::vector<std::size_t> order(operation.qubits.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<Operation> orders;
  do {
    bool allowed = true;
    for (std::size_t i = 0; i < order.size(); ++i) {
      allowed = allowed && symmetry[order[i]] == symmetry[i];
    }
    if (!allowed) continue;
    orders.push_back(operation);
    for (std::size_t i = 0; i < order.size(); ++i) {
      orders.back().qubits[i] = operation.qubits[order[i]];
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return orders;
}

/// Returns the gates with the operands of symmetric gates permuted in all ways, or nothing if there
/// are too many.
std::vector<std::vector<Operation>> operand_orders(std::span<const Operation> gates) {
  std::vector<std::vector<Operation>> variants{{}};
  for (const Operation& operation : gates) {
    const std::vector<Operation> orders = operand_orders(operation);
    if (variants.size() * orders.size() > kMaxVariants) return {};
    std::vector<std::vector<Operation>> longer;
    for (const std::vector<Operation>& variant : variants) {
      for (const Operation& order : orders) {
        longer.push_back(variant);
        longer.back().push_back(order);
      }
    }
    variants = std::move(longer);
  }
  return variants;
}

std::optional<GrowthPlan> plan_growth(std::span<const Operation> gates) {
  GrowthPlan plan;
  for (std::size_t i = 0; i < gates.size(); ++i) {
    for (const Qubit qubit : gates[i].qubits) plan.gates_on[qubit].push_back(i);
  }
  std::vector<bool> found(gates.size(), false);
  const auto add = [&](GrowthPlan::Found step) {
    found[step.gate] = true;
    for (const Qubit qubit : gates[step.gate].qubits) {
      plan.wires.try_emplace(qubit, static_cast<std::uint8_t>(plan.wires.size()));
    }
    plan.order.push_back(step);
  };
  // Returns the neighbour of the gates found so far along one wire.
  const auto neighbour = [&](Qubit qubit, bool forward) -> std::optional<std::size_t> {
    const std::vector<std::size_t>& line = plan.gates_on[qubit];
    const auto is_found = [&](std::size_t g) { return static_cast<bool>(found[g]); };
    if (forward) {
      const auto last = std::find_if(line.rbegin(), line.rend(), is_found);
      if (last == line.rbegin()) return std::nullopt;
      return *(last - 1);
    }
    const auto first = std::find_if(line.begin(), line.end(), is_found);
    if (first == line.begin()) return std::nullopt;
    return *(first - 1);
  };
  add({0, 0, true});
  while (plan.order.size() < gates.size()) {
    std::optional<GrowthPlan::Found> best;
    for (const auto& [qubit, wire] : plan.wires) {
      for (const bool forward : {true, false}) {
        if (const auto next = neighbour(qubit, forward)) {
          // Ties go to the forward direction, then to the wire found first; any fixed choice would
          // do.
          const bool better = !best || (forward && !best->forward) ||
                              (forward == best->forward && wire < best->wire);
          if (better) best = GrowthPlan::Found{*next, wire, forward};
        }
      }
    }
    if (!best) return std::nullopt;  // not connected
    add(*best);
  }
  return plan;
}

/// Returns the name of the parameter if the angle is one parameter alone.
std::optional<std::string> bare_parameter(const Angle& angle) {
  if (angle.terms().size() != 1 || angle.is_constant()) return std::nullopt;
  if (angle != Angle::symbol(angle.terms()[0].symbol)) return std::nullopt;
  return angle.terms()[0].symbol;
}

/// Returns whether each gate has few operands and either distinct parameters alone or constants as
/// angles.
bool is_matchable(std::span<const Operation> gates) {
  if (gates.empty() || gates.size() > kMaxPatternGates) return false;
  std::vector<std::string> seen;
  for (const Operation& operation : gates) {
    if (operation.qubits.size() > kMaxOperands) return false;
    const bool constant = std::all_of(operation.angles.begin(), operation.angles.end(),
                                      [](const Angle& angle) { return angle.is_constant(); });
    if (constant) continue;
    for (const Angle& angle : operation.angles) {
      const auto name = bare_parameter(angle);
      if (!name || std::find(seen.begin(), seen.end(), *name) != seen.end()) return false;
      seen.push_back(*name);
    }
  }
  return true;
}

bool has_constant_angles(const Operation& operation) {
  return std::all_of(operation.angles.begin(), operation.angles.end(),
                     [](const Angle& angle) { return angle.is_constant(); });
}

Pattern make_pattern(std::span<const Operation> gates, const GrowthPlan& plan) {
  Pattern pattern;
  pattern.gate_count = static_cast<std::uint8_t>(gates.size());
  pattern.wire_count = static_cast<std::uint8_t>(plan.wires.size());
  std::vector<std::uint8_t> found_as(gates.size());
  for (std::size_t i = 0; i < plan.order.size(); ++i) {
    found_as[plan.order[i].gate] = static_cast<std::uint8_t>(i);
  }
  pattern.wires.resize(plan.wires.size());
  for (const auto& [qubit, wire] : plan.wires) {
    for (const std::size_t g : plan.gates_on.at(qubit)) pattern.wires[wire].push_back(found_as[g]);
  }
  for (std::size_t g = 0; g < gates.size(); ++g) {
    if (has_constant_angles(gates[g])) continue;
    for (std::size_t a = 0; a < gates[g].angles.size(); ++a) {
      pattern.parameters.push_back(
          {*bare_parameter(gates[g].angles[a]), found_as[g], static_cast<std::uint8_t>(a)});
    }
  }
  return pattern;
}

/// Returns nothing if the replacement needs wires or parameters that the pattern does not bind, or
/// too many parameters.
std::optional<Replacement> make_replacement(std::span<const Operation> gates, const Angle& phase,
                                            const Pattern& pattern, const GrowthPlan& plan) {
  Replacement replacement;
  replacement.phase = phase;
  std::vector<std::string> used = phase.symbols();
  for (const Operation& operation : gates) {
    if (operation.qubits.size() > kMaxOperands) return std::nullopt;
    ReplacementGate gate{operation.gate, operation.angles, {}, {}};
    gate.size = static_cast<std::uint8_t>(operation.qubits.size());
    for (std::size_t i = 0; i < operation.qubits.size(); ++i) {
      const auto wire = plan.wires.find(operation.qubits[i]);
      if (wire == plan.wires.end()) return std::nullopt;
      gate.wires[i] = wire->second;
    }
    for (const Angle& angle : operation.angles) {
      for (std::string& name : angle.symbols()) used.push_back(std::move(name));
    }
    replacement.gates.push_back(std::move(gate));
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  if (used.size() > kMaxRuleParameters) return std::nullopt;
  for (const std::string& name : used) {
    const auto parameter =
        std::find_if(pattern.parameters.begin(), pattern.parameters.end(),
                     [&](const Pattern::Parameter& p) { return p.name == name; });
    if (parameter == pattern.parameters.end()) return std::nullopt;
    replacement.parameters.push_back(
        static_cast<std::uint8_t>(parameter - pattern.parameters.begin()));
  }
  return replacement;
}

}  // namespace

RuleIndex::RuleIndex(const RuleSet& rules) {
  nodes_.emplace_back();
  for (std::size_t i = 0; i < rules.classes.size(); ++i) {
    add_class(rules.classes[i], static_cast<std::uint32_t>(i));
  }
}

void RuleIndex::add_class(const EquivalenceClass& equal, std::uint32_t number) {
  for (const ClassMember& left : equal.members) {
    if (!is_matchable(left.gates)) continue;
    // Constants are matched in canonical form: left = e^{i normalization} (matched gates).
    std::vector<Operation> gates = left.gates;
    Angle normalization;
    for (Operation& operation : gates) {
      if (has_constant_angles(operation)) normalization += normalize_angles(operation);
    }
    for (const std::vector<Operation>& variant : operand_orders(gates)) {
      const std::optional<GrowthPlan> plan = plan_growth(variant);
      if (!plan || plan->wires.size() > kMaxPatternQubits) continue;
      Pattern pattern = make_pattern(variant, *plan);
      for (const ClassMember& right : equal.members) {
        if (&right == &left) continue;
        // As left = e^{i (left.phase - right.phase)} right, the matched gates are e^{-i
        // normalization} left.
        const Angle phase = left.phase - right.phase - normalization;
        if (auto replacement = make_replacement(right.gates, phase, pattern, *plan)) {
          replacement->number = static_cast<std::uint32_t>(origins_.size());
          origins_.push_back({number, static_cast<std::uint32_t>(&left - equal.members.data()),
                              static_cast<std::uint32_t>(&right - equal.members.data())});
          pattern.replacements.push_back(std::move(*replacement));
        }
      }
      if (pattern.replacements.empty()) continue;
      nodes_[path_to(variant, *plan)].patterns.push_back(
          static_cast<std::uint32_t>(patterns_.size()));
      patterns_.push_back(std::move(pattern));
    }
  }
}

std::uint32_t RuleIndex::path_to(std::span<const Operation> gates, const GrowthPlan& plan) {
  std::uint32_t node = 0;
  for (std::size_t i = 0; i < plan.order.size(); ++i) {
    const GrowthPlan::Found& found = plan.order[i];
    const Child child = make_child(gates[found.gate], plan);
    std::vector<Child>* children = &nodes_[node].children;
    if (i > 0) {
      std::vector<Step>& steps = nodes_[node].steps;
      auto step = std::find_if(steps.begin(), steps.end(), [&](const Step& s) {
        return s.wire == found.wire && s.forward == found.forward;
      });
      if (step == steps.end()) step = steps.insert(steps.end(), {found.wire, found.forward, {}});
      children = &step->children;
    }
    const auto same = std::find_if(children->begin(), children->end(), [&](const Child& c) {
      return c.expected == child.expected && c.any_angles == child.any_angles &&
             c.size == child.size && c.wires == child.wires;
    });
    if (same != children->end()) {
      node = same->node;
      continue;
    }
    node = static_cast<std::uint32_t>(nodes_.size());
    children->push_back(child);
    children->back().node = node;
    nodes_.emplace_back();
  }
  return node;
}

RuleIndex::Child RuleIndex::make_child(const Operation& operation, const GrowthPlan& plan) {
  Child child;
  child.size = static_cast<std::uint8_t>(operation.qubits.size());
  child.any_angles = !has_constant_angles(operation);
  if (child.any_angles) {
    child.expected = static_cast<std::uint32_t>(operation.gate);
  } else {
    const std::pair<GateKind, AngleList> key{operation.gate, operation.angles};
    const auto known = std::find(constants_.begin(), constants_.end(), key);
    child.expected = static_cast<std::uint32_t>(known - constants_.begin());
    if (known == constants_.end()) constants_.push_back(key);
  }
  for (std::size_t j = 0; j < operation.qubits.size(); ++j) {
    child.wires[j] = plan.wires.at(operation.qubits[j]);
  }
  return child;
}

RuleIndex::Constants::Constants(const RuleIndex& index, LabelTable& labels) {
  for (std::size_t i = 0; i < index.constants_.size(); ++i) {
    const auto& [kind, angles] = index.constants_[i];
    const LabelTable::Interned interned = labels.intern(kind, angles);
    if (interned.identity) continue;  // such a gate never occurs in a packed circuit
    if (interned.label >= numbers_.size()) numbers_.resize(interned.label + 1, -1);
    numbers_[interned.label] = static_cast<std::int32_t>(i);
  }
}

bool place(const LinkedCircuit& circuit, const Match& match, Placement& placement) {
  const std::span<const std::int32_t> gates(match.gates.data(), match.pattern->gate_count);
  placement.before.clear();
  placement.after.clear();
  placement.first = *std::min_element(gates.begin(), gates.end());
  placement.last = *std::max_element(gates.begin(), gates.end());
  std::uint64_t window = 0;   // wires of matched gates so far
  std::uint64_t outside = 0;  // wires of other gates that depend on a matched one
  for (std::int32_t i = placement.first; i <= placement.last; ++i) {
    const std::uint64_t mask = qubit_mask(circuit.gates()[static_cast<std::size_t>(i)]);
    if (std::find(gates.begin(), gates.end(), i) != gates.end()) {
      if ((mask & outside) != 0) return false;
      window |= mask;
    } else if ((mask & (window | outside)) != 0) {
      outside |= mask;
      placement.after.push_back(i);
    } else {
      placement.before.push_back(i);
    }
  }
  return true;
}

}  // namespace quartz::rewrite
