#include "optimize/backtracking/backtracking.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "quartz/errors.hpp"

namespace quartz {
namespace {

/// The paper's gamma is 1 + 1 / kThresholdDivisor: a circuit is kept while it costs less than gamma
/// times the best.
constexpr std::uint64_t kThresholdDivisor = 10000;
/// If the first objective is not the number of gates, circuits with this many more gates pass.
constexpr std::uint64_t kExtraGates = 2;

bool is_named(const Objective& objective, CostKind kind) {
  return objective.named() != nullptr && objective.named()->kind == kind;
}

}  // namespace

// --- the set of hashes of circuits seen: open addressing, 0 means empty ---

bool BacktrackingSearch::HashSet::contains(std::uint64_t hash) const {
  hash |= hash == 0 ? 1 : 0;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    if (slots_[i] == 0) return false;
    if (slots_[i] == hash) return true;
  }
}

bool BacktrackingSearch::HashSet::insert(std::uint64_t hash) {
  hash |= hash == 0 ? 1 : 0;
  if (2 * (used_ + 1) > slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    if (slots_[i] == hash) return false;
    if (slots_[i] == 0) {
      slots_[i] = hash;
      ++used_;
      return true;
    }
  }
}

void BacktrackingSearch::HashSet::grow() {
  std::vector<std::uint64_t> old(slots_.size() * 2, 0);
  old.swap(slots_);
  used_ = 0;
  for (const std::uint64_t hash : old) {
    if (hash != 0) insert(hash);
  }
}

void BacktrackingSearch::HashSet::clear() {
  if (used_ == 0) return;
  if (slots_.size() > 4096) slots_.assign(1024, 0);
  std::fill(slots_.begin(), slots_.end(), 0);
  used_ = 0;
}

// --- the search ---

std::size_t BacktrackingSearch::ResolvedKeyHash::operator()(const ResolvedKey& key) const noexcept {
  std::uint64_t hash = key.replacement;
  for (const Label label : key.labels) {
    hash = (hash ^ label) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 32;
  }
  return static_cast<std::size_t>(hash);
}

BacktrackingSearch::BacktrackingSearch(const RuleIndex& rules, const Cost& cost)
    : rules_(rules),
      costs_(cost, labels_),
      additive_(cost.additive()),
      first_additive_(cost.objectives()[0].additive()),
      first_is_total_(is_named(cost.objectives()[0], CostKind::total)),
      constants_(rules, labels_) {}

SearchCost BacktrackingSearch::cost_of(std::span<const PackedGate> gates) {
  return {costs_.of(gates), gates.size()};
}

std::uint64_t BacktrackingSearch::unit_of_slack(std::span<const PackedGate> gates) {
  if (costs_.cost().objectives()[0].named() != nullptr) return 1;
  std::uint64_t dearest = 0;
  for (const PackedGate& gate : gates) dearest = std::max(dearest, costs_.of(gate).units[0]);
  return dearest;
}

bool BacktrackingSearch::first_objective_within_threshold(const SearchCost& cost) const {
  const std::uint64_t best = result_.best_cost.objectives.units[0];
  return cost.objectives.units[0] <= best + std::max(best / kThresholdDivisor, slack_units_);
}

bool BacktrackingSearch::within_threshold(const SearchCost& cost) const {
  if (!first_objective_within_threshold(cost)) return false;
  return first_is_total_ || cost.objectives < result_.best_cost.objectives ||
         cost.total <= result_.best_cost.total + kExtraGates;
}

bool BacktrackingSearch::may_stay_within_threshold(const SearchCost& cost) const {
  if (additive_) return within_threshold(cost);
  if (first_additive_ && !first_objective_within_threshold(cost)) return false;
  return cost.total <= result_.best_cost.total + 2 * kExtraGates;
}

const BacktrackingSearch::Resolved& BacktrackingSearch::resolve(const Replacement& replacement,
                                                                const Match& match) {
  ResolvedKey key{replacement.number, {}};
  const std::vector<Pattern::Parameter>& parameters = match.pattern->parameters;
  for (std::size_t i = 0; i < replacement.parameters.size(); ++i) {
    const Pattern::Parameter& parameter = parameters[replacement.parameters[i]];
    const std::int32_t position = match.gates[parameter.gate];
    key.labels[i] = linked_.gates()[static_cast<std::size_t>(position)].label;
  }
  const auto [found, added] = resolved_.try_emplace(key);
  Resolved& resolved = found->second;
  if (!added) return resolved;
  std::map<std::string, Angle> values;
  for (std::size_t i = 0; i < replacement.parameters.size(); ++i) {
    const Pattern::Parameter& parameter = parameters[replacement.parameters[i]];
    values.emplace(parameter.name, labels_.entry(key.labels[i]).angles[parameter.angle]);
  }
  resolved.phase = labels_.intern_phase(replacement.phase.substitute(values));
  for (const ReplacementGate& gate : replacement.gates) {
    std::vector<Angle> angles;
    for (const Angle& angle : gate.angles) angles.push_back(angle.substitute(values));
    const LabelTable::Interned interned = labels_.intern(gate.gate, std::move(angles));
    resolved.phase = labels_.add_phases(resolved.phase, interned.phase);
    if (interned.identity) continue;
    PackedGate packed{interned.label, gate.wires, gate.size};
    if (!costs_.depends_on_qubits()) resolved.cost += costs_.of(packed);
    resolved.gates.push_back(packed);
  }
  return resolved;
}

BacktrackingResult BacktrackingSearch::run(std::span<const Operation> gates,
                                           const BacktrackingLimits& limits) {
  limits_ = limits;
  random_.seed(limits.seed);
  queue_.clear();
  queue_bytes_ = 0;
  dropped_ = false;
  seen_.clear();
  steps_.clear();
  result_ = {};
  result_.best = pack(gates, labels_);
  costs_.set_qubits(limits.qubits);
  slack_units_ = limits.slack * unit_of_slack(result_.best.gates);
  result_.best_cost = cost_of(result_.best.gates);
  result_.alternative = result_.best;
  linked_.assign(result_.best.gates, labels_);
  seen_.insert(linked_.hash());
  push({result_.best, 0}, result_.best_cost);
  step_to_alternative_ = 0;
  while (!queue_.empty() && result_.popped < limits.pops) {
    if (limits.budget.stop.stop_requested()) break;
    if (result_.popped % 64 == 63 && limits.budget.is_over()) break;
    SearchCost cost;
    Found found = pop(cost);
    // The threshold may have fallen since this circuit was pushed.
    if (!within_threshold(cost)) continue;
    ++result_.popped;
    expand(found, cost);
    if (cost == result_.best_cost) {
      result_.alternative = std::move(found.circuit);
      step_to_alternative_ = found.step;
    }
  }
  if (limits.record_uses) result_.uses = uses_up_to(step_to_alternative_);
  result_.exhausted = queue_.empty() && !dropped_;
  return std::move(result_);
}

void BacktrackingSearch::expand(const Found& found, const SearchCost& cost) {
  linked_.assign(found.circuit.gates, labels_);
  for (std::size_t anchor = 0; anchor < linked_.size(); ++anchor) {
    rules_.for_each_match(linked_, labels_, constants_, anchor, [&](const Match& match) {
      bool placed = false;
      bool convex = true;
      for (const Replacement& replacement : match.pattern->replacements) {
        if (!convex) break;
        try_replacement(found, cost, match, replacement, placed, convex);
      }
    });
  }
}

void BacktrackingSearch::try_replacement(const Found& found, const SearchCost& cost,
                                         const Match& match, const Replacement& replacement,
                                         bool& placed, bool& convex) {
  const PackedCircuit& circuit = found.circuit;
  const std::span<const std::int32_t> matched(match.gates.data(), match.pattern->gate_count);
  const Resolved& resolved = resolve(replacement, match);
  SearchCost after = cost;
  after.total += resolved.gates.size();
  after.total -= matched.size();
  if (costs_.depends_on_qubits()) {
    put_in_place(resolved, match);
    for (const PackedGate& gate : replacement_) after.objectives += costs_.of(gate);
  } else {
    after.objectives += resolved.cost;
  }
  for (const std::int32_t position : matched) {
    after.objectives -= costs_.of(circuit.gates[static_cast<std::size_t>(position)]);
  }
  if (!may_stay_within_threshold(after)) return;
  if (!costs_.depends_on_qubits()) put_in_place(resolved, match);
  if (!is_coupled()) return;
  std::array<LinkedCircuit::WireChange, 8> changes;
  for (std::uint8_t wire = 0; wire < match.pattern->wire_count; ++wire) {
    const std::vector<std::uint8_t>& on_wire = match.pattern->wires[wire];
    changes[wire] = {match.qubits[wire], match.gates[on_wire.front()], match.gates[on_wire.back()]};
  }
  ++result_.generated;
  const std::uint64_t hash = linked_.hash_after(std::span(changes).first(match.pattern->wire_count),
                                                replacement_, labels_);
  if (seen_.contains(hash)) return;
  if (!placed) {
    placed = true;
    convex = place(linked_, match, placement_);
    if (!convex) return;
  }
  seen_.insert(hash);
  PackedCircuit child;
  child.phase = labels_.add_phases(circuit.phase, resolved.phase);
  child.gates.reserve(circuit.gates.size() + replacement_.size() - matched.size());
  const auto copy = [&](std::int32_t position) {
    child.gates.push_back(circuit.gates[static_cast<std::size_t>(position)]);
  };
  child.gates.assign(circuit.gates.begin(), circuit.gates.begin() + placement_.first);
  for (const std::int32_t position : placement_.before) copy(position);
  child.gates.insert(child.gates.end(), replacement_.begin(), replacement_.end());
  for (const std::int32_t position : placement_.after) copy(position);
  child.gates.insert(child.gates.end(), circuit.gates.begin() + placement_.last + 1,
                     circuit.gates.end());
  if (!additive_) {
    costs_.count_the_rest(child.gates, after.objectives);
    if (!within_threshold(after)) return;
  }
  std::uint32_t step = 0;
  if (limits_.record_uses) step = record(found.step, replacement.number, cost, after);
  if (after < result_.best_cost) {
    result_.best = child;
    result_.best_cost = after;
    result_.alternative = child;
    step_to_alternative_ = step;
  }
  push({std::move(child), step}, after);
}

std::uint32_t BacktrackingSearch::record(std::uint32_t from, std::uint32_t replacement,
                                         const SearchCost& before, const SearchCost& after) {
  ensure(steps_.size() < std::numeric_limits<std::uint32_t>::max(), "a search has fewer steps");
  steps_.push_back({from,
                    {replacement,
                     static_cast<std::int32_t>(static_cast<std::int64_t>(before.total) -
                                               static_cast<std::int64_t>(after.total)),
                     static_cast<std::int64_t>(before.objectives.units[0]) -
                         static_cast<std::int64_t>(after.objectives.units[0])}});
  return static_cast<std::uint32_t>(steps_.size());
}

std::vector<RuleUse> BacktrackingSearch::uses_up_to(std::uint32_t step) const {
  std::vector<RuleUse> uses;
  for (; step != 0; step = steps_[step - 1].from) uses.push_back(steps_[step - 1].use);
  std::reverse(uses.begin(), uses.end());
  return uses;
}

bool BacktrackingSearch::is_coupled() const {
  if (limits_.coupling == nullptr) return true;
  const auto in_circuit = [&](Qubit qubit) {
    return limits_.qubits.empty() ? qubit : limits_.qubits[qubit];
  };
  for (const PackedGate& gate : replacement_) {
    if (limits_.coupling->directed() && has_direction(labels_.entry(gate.label).gate) &&
        !limits_.coupling->allows(in_circuit(gate.qubits[0]), in_circuit(gate.qubits[1]))) {
      return false;
    }
    for (std::uint8_t i = 0; i < gate.size; ++i) {
      for (std::uint8_t j = 0; j < i; ++j) {
        if (!limits_.coupling->contains(in_circuit(gate.qubits[i]), in_circuit(gate.qubits[j]))) {
          return false;
        }
      }
    }
  }
  return true;
}

void BacktrackingSearch::put_in_place(const Resolved& resolved, const Match& match) {
  replacement_ = resolved.gates;
  for (PackedGate& gate : replacement_) {
    for (std::uint8_t i = 0; i < gate.size; ++i) gate.qubits[i] = match.qubits[gate.qubits[i]];
  }
}

void BacktrackingSearch::push(Found found, const SearchCost& cost) {
  const auto bytes_of = [](const Found& each) {
    return sizeof(PackedCircuit) + each.circuit.gates.size() * sizeof(PackedGate);
  };
  queue_bytes_ += bytes_of(found);
  queue_[cost].push_back(std::move(found));
  while (queue_bytes_ > limits_.queue_bytes) {
    auto worst = std::prev(queue_.end());
    queue_bytes_ -= bytes_of(worst->second.back());
    std::swap(worst->second.back(), worst->second[random_() % worst->second.size()]);
    worst->second.pop_back();
    if (worst->second.empty()) queue_.erase(worst);
    dropped_ = true;
  }
}

BacktrackingSearch::Found BacktrackingSearch::pop(SearchCost& cost) {
  const auto cheapest = queue_.begin();
  cost = cheapest->first;
  std::vector<Found>& equals = cheapest->second;
  std::swap(equals.back(), equals[random_() % equals.size()]);
  Found found = std::move(equals.back());
  equals.pop_back();
  if (equals.empty()) queue_.erase(cheapest);
  queue_bytes_ -= sizeof(PackedCircuit) + found.circuit.gates.size() * sizeof(PackedGate);
  return found;
}

}  // namespace quartz
