#include "optimize/backtracking/backtracking.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/pace.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// Time between two reports of something better, unless they take long.
constexpr std::chrono::milliseconds kBetweenReports{400};

}  // namespace

std::size_t BacktrackingSearch::ResolvedKeyHash::operator()(const ResolvedKey& key) const noexcept {
  std::uint64_t hash = key.replacement;
  for (const rewrite::Label label : key.labels) {
    hash = (hash ^ label) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 32;
  }
  return static_cast<std::size_t>(hash);
}

BacktrackingSearch::BacktrackingSearch(const rewrite::RuleIndex& rules, const Cost& cost)
    : rules_(rules), costs_(cost, labels_), threshold_(cost), constants_(rules, labels_) {}

SearchCost BacktrackingSearch::cost_of(std::span<const rewrite::PackedGate> gates) {
  return {costs_.of(gates), gates.size()};
}

std::uint64_t BacktrackingSearch::unit_of_slack(std::span<const rewrite::PackedGate> gates) {
  if (costs_.cost().objectives()[0].named() != nullptr) return 1;
  std::uint64_t dearest = 0;
  for (const rewrite::PackedGate& gate : gates) dearest = std::max(dearest, costs_.weight(gate, 0));
  return dearest;
}

const BacktrackingSearch::Resolved* BacktrackingSearch::resolve(
    const rewrite::Replacement& replacement, const rewrite::Match& match) {
  ResolvedKey key{replacement.number, {}};
  const std::vector<rewrite::Pattern::Parameter>& parameters = match.pattern->parameters;
  for (std::size_t i = 0; i < replacement.parameters.size(); ++i) {
    const rewrite::Pattern::Parameter& parameter = parameters[replacement.parameters[i]];
    const std::int32_t position = match.gates[parameter.gate];
    key.labels[i] = linked_.gates()[static_cast<std::size_t>(position)].label;
  }
  auto found = resolved_.find(key);
  if (found == resolved_.end()) {
    // The entry is made when it is complete: an entry without gates would be a replacement by
    // nothing.
    std::optional<Resolved> complete;
    try {
      complete = resolved(replacement, match, key);
    } catch (const OverflowError&) {
      // The sum of some angles needs more than 64 bits; other replacements may not.
    }
    found = resolved_.emplace(key, std::move(complete)).first;
  }
  return found->second ? &*found->second : nullptr;
}

BacktrackingSearch::Resolved BacktrackingSearch::resolved(const rewrite::Replacement& replacement,
                                                          const rewrite::Match& match,
                                                          const ResolvedKey& key) {
  const std::vector<rewrite::Pattern::Parameter>& parameters = match.pattern->parameters;
  std::map<std::string, Angle> values;
  for (std::size_t i = 0; i < replacement.parameters.size(); ++i) {
    const rewrite::Pattern::Parameter& parameter = parameters[replacement.parameters[i]];
    values.emplace(parameter.name, labels_.entry(key.labels[i]).angles[parameter.angle]);
  }
  Resolved result;
  result.phase = labels_.intern_phase(replacement.phase.substitute(values));
  for (const rewrite::ReplacementGate& gate : replacement.gates) {
    AngleList angles;
    for (const Angle& angle : gate.angles) angles.push_back(angle.substitute(values));
    const rewrite::LabelTable::Interned interned = labels_.intern(gate.gate, std::move(angles));
    result.phase = labels_.add_phases(result.phase, interned.phase);
    if (interned.identity) continue;
    rewrite::PackedGate packed{interned.label, gate.wires, gate.size};
    if (!costs_.depends_on_qubits()) result.cost += costs_.of(packed);
    result.gates.push_back(packed);
  }
  return result;
}

BacktrackingResult BacktrackingSearch::run(std::span<const Operation> gates,
                                           const BacktrackingLimits& limits) {
  limits_ = limits;
  queue_.start(limits.queue_bytes, limits.seed);
  seen_.clear();
  recorded_.steps.clear();
  recorded_.log.clear();
  result_ = {};
  result_.circuit = rewrite::pack(gates, labels_);
  costs_.set_qubits(limits.qubits);
  threshold_.set_slack(limits.slack * unit_of_slack(result_.circuit.gates));
  result_.cost = cost_of(result_.circuit.gates);
  linked_.assign(result_.circuit.gates, labels_);
  seen_.insert(linked_.hash());
  queue_.push({result_.circuit, 0}, result_.cost);
  recorded_.to_circuit = 0;
  Pace pace(kBetweenReports);
  SearchCost reported = result_.cost;
  while (!queue_.empty() && result_.popped < limits.pops) {
    if (limits.budget.stop.stop_requested()) break;
    if (result_.popped % 64 == 63) {
      if (limits.budget.is_over()) break;
      if (limits.on_better && result_.cost < reported && pace.is_due()) {
        reported = result_.cost;
        pace.run([&] { limits.on_better(result_so_far(gates)); });
      }
    }
    SearchCost cost;
    FoundCircuit found = queue_.pop(cost);
    // The threshold may have fallen since this circuit was pushed.
    if (!threshold_.allows(cost, result_.cost)) continue;
    ++result_.popped;
    expand(found, cost);
    if (cost == result_.cost) {
      result_.circuit = std::move(found.circuit);
      recorded_.to_circuit = found.step;
    }
  }
  result_.exhausted = queue_.empty() && !queue_.dropped();
  return result_so_far(gates);
}

BacktrackingResult BacktrackingSearch::result_so_far(std::span<const Operation> gates) {
  BacktrackingResult result = result_;
  if (limits_.record_uses) result.uses = uses_up_to(recorded_.to_circuit);
  if (limits_.record_history) result.derivation = derivation_of(gates);
  return result;
}

void BacktrackingSearch::expand(const FoundCircuit& found, const SearchCost& cost) {
  linked_.assign(found.circuit.gates, labels_);
  for (std::size_t anchor = 0; anchor < linked_.size(); ++anchor) {
    rules_.for_each_match(linked_, labels_, constants_, anchor, [&](const rewrite::Match& match) {
      bool placed = false;
      bool convex = true;
      for (const rewrite::Replacement& replacement : match.pattern->replacements) {
        if (!convex) break;
        try_replacement(found, cost, match, replacement, placed, convex);
      }
    });
  }
}

void BacktrackingSearch::try_replacement(const FoundCircuit& found, const SearchCost& cost,
                                         const rewrite::Match& match,
                                         const rewrite::Replacement& replacement, bool& placed,
                                         bool& convex) {
  const Resolved* const resolved = resolve(replacement, match);
  if (resolved == nullptr) return;
  SearchCost after = cost_after(cost, match, *resolved);
  if (!threshold_.may_allow(after, result_.cost)) return;
  if (!costs_.depends_on_qubits()) put_in_place(*resolved, match);
  if (!is_coupled()) return;
  const std::uint64_t hash = hash_after(match);
  if (seen_.contains(hash)) return;
  if (!placed) {
    placed = true;
    convex = rewrite::place(linked_, match, placement_);
    if (!convex) return;
  }
  seen_.insert(hash);
  rewrite::PackedCircuit child;
  try {
    child = rewritten(found.circuit, match.pattern->gate_count, resolved->phase);
  } catch (const OverflowError&) {
    return;
  }
  if (!threshold_.additive()) {
    costs_.count_the_rest(child.gates, after.objectives);
    if (!threshold_.allows(after, result_.cost)) return;
  }
  std::uint32_t step = 0;
  if (limits_.record_history) recorded_.log.append(found.step, placement_, replacement_);
  if (limits_.record_uses || limits_.record_history)
    step = record(found.step, replacement.number, cost, after);
  if (after < result_.cost) {
    result_.circuit = child;
    result_.cost = after;
    recorded_.to_circuit = step;
  }
  queue_.push({std::move(child), step}, after);
}

SearchCost BacktrackingSearch::cost_after(const SearchCost& before, const rewrite::Match& match,
                                          const Resolved& resolved) {
  const std::span<const std::int32_t> matched(match.gates.data(), match.pattern->gate_count);
  SearchCost after = before;
  after.total += resolved.gates.size();
  after.total -= matched.size();
  if (costs_.depends_on_qubits()) {
    put_in_place(resolved, match);
    for (const rewrite::PackedGate& gate : replacement_) after.objectives += costs_.of(gate);
  } else {
    after.objectives += resolved.cost;
  }
  for (const std::int32_t position : matched) {
    after.objectives -= costs_.of(linked_.gates()[static_cast<std::size_t>(position)]);
  }
  return after;
}

std::uint64_t BacktrackingSearch::hash_after(const rewrite::Match& match) const {
  std::array<rewrite::LinkedCircuit::WireChange, 8> changes;
  for (std::uint8_t wire = 0; wire < match.pattern->wire_count; ++wire) {
    const std::vector<std::uint8_t>& on_wire = match.pattern->wires[wire];
    changes[wire] = {match.qubits[wire], match.gates[on_wire.front()], match.gates[on_wire.back()]};
  }
  return linked_.hash_after(std::span(changes).first(match.pattern->wire_count), replacement_,
                            labels_);
}

rewrite::PackedCircuit BacktrackingSearch::rewritten(const rewrite::PackedCircuit& circuit,
                                                     std::size_t matched,
                                                     rewrite::PhaseNumber phase) {
  rewrite::PackedCircuit child;
  child.phase = labels_.add_phases(circuit.phase, phase);
  child.gates.reserve(circuit.gates.size() + replacement_.size() - matched);
  const auto copy = [&](std::int32_t position) {
    child.gates.push_back(circuit.gates[static_cast<std::size_t>(position)]);
  };
  child.gates.assign(circuit.gates.begin(), circuit.gates.begin() + placement_.first);
  for (const std::int32_t position : placement_.before) copy(position);
  child.gates.insert(child.gates.end(), replacement_.begin(), replacement_.end());
  for (const std::int32_t position : placement_.after) copy(position);
  child.gates.insert(child.gates.end(), circuit.gates.begin() + placement_.last + 1,
                     circuit.gates.end());
  return child;
}

std::uint32_t BacktrackingSearch::record(std::uint32_t from, std::uint32_t replacement,
                                         const SearchCost& before, const SearchCost& after) {
  ensure(recorded_.steps.size() < std::numeric_limits<std::uint32_t>::max(),
         "a search has fewer steps");
  recorded_.steps.push_back({from,
                             {replacement,
                              static_cast<std::int32_t>(static_cast<std::int64_t>(before.total) -
                                                        static_cast<std::int64_t>(after.total)),
                              static_cast<std::int64_t>(before.objectives.units[0]) -
                                  static_cast<std::int64_t>(after.objectives.units[0])}});
  return static_cast<std::uint32_t>(recorded_.steps.size());
}

std::vector<RuleUse> BacktrackingSearch::uses_up_to(std::uint32_t step) const {
  std::vector<RuleUse> uses;
  for (; step != 0; step = recorded_.steps[step - 1].from)
    uses.push_back(recorded_.steps[step - 1].use);
  std::reverse(uses.begin(), uses.end());
  return uses;
}

circuit::Derivation BacktrackingSearch::derivation_of(std::span<const Operation> gates) {
  circuit::GateByGateHistory packed(gates.size());
  std::size_t size = 0;
  for (const Operation& gate : gates) {
    const rewrite::LabelTable::Interned interned = labels_.intern(gate.gate, gate.angles);
    if (interned.identity) {
      packed.replace({});
      continue;
    }
    ++size;
    const Operation written = labels_.operation(interned.label, gate.qubits);
    written == gate ? packed.keep() : packed.replace({&written, 1});
  }
  return circuit::Derivation::by(std::move(packed).finish())
      .then(circuit::Derivation::by(recorded_.log.history_of(recorded_.to_circuit, size, labels_)));
}

bool BacktrackingSearch::is_coupled() const {
  if (limits_.coupling == nullptr) return true;
  const auto in_circuit = [&](Qubit qubit) {
    return limits_.qubits.empty() ? qubit : limits_.qubits[qubit];
  };
  for (const rewrite::PackedGate& gate : replacement_) {
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

void BacktrackingSearch::put_in_place(const Resolved& resolved, const rewrite::Match& match) {
  replacement_ = resolved.gates;
  for (rewrite::PackedGate& gate : replacement_) {
    for (std::uint8_t i = 0; i < gate.size; ++i) gate.qubits[i] = match.qubits[gate.qubits[i]];
  }
}

}  // namespace quartz::optimizer
