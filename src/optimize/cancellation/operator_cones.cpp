#include "optimize/cancellation/operator_cones.hpp"

#include <algorithm>
#include <array>

namespace quartz::optimizer {
namespace {

constexpr unsigned kNone = ~0U;
/// A cone ends after this many gates, or fewer in long lists, and after this many that it contains.
constexpr std::size_t kMostGatesAhead = 4000;
constexpr std::size_t kLeastGatesAhead = 400;
constexpr std::size_t kGatesAheadOfAll = 100'000'000;
constexpr std::size_t kMostGatesOfCone = 256;
/// Gates between two reads of the clock.
constexpr std::size_t kGatesBetweenClockReads = 16;

std::span<const Qubit> wires_of(const CircuitStep& step) {
  return std::span(step.wires).first(step.wire_count);
}

}  // namespace

OperatorCones::OperatorCones(SteppedGates& gates, std::uint64_t seed)
    : gates_(gates),
      random_(seed),
      phases_(random_()),
      other_phases_(random_()),
      most_ahead_(std::clamp(kGatesAheadOfAll / std::max<std::size_t>(gates.places(), 1),
                             kLeastGatesAhead, kMostGatesAhead)),
      wire_of_(gates.wires(), kNone),
      content_(gates.wires(), WireContent{0}) {}

template <typename Wires>
bool OperatorCones::has_wires(const Wires& wires) {
  probe_wires_.clear();
  for (const Qubit wire : wires) {
    if (wire_of_[wire] == kNone) return false;
    probe_wires_.push_back(wire_of_[wire]);
  }
  return true;
}

template <typename Wires>
bool OperatorCones::take_wires(const Wires& wires, unsigned most_wires, OperatorProbe& probe) {
  for (const Qubit wire : wires) {
    if (wire_of_[wire] != kNone) continue;
    if (probe.wires() == most_wires) return false;
    wire_of_[wire] = probe.wires();
    taken_.push_back(wire);
    probe.add_wire();
  }
  return has_wires(wires);
}

bool OperatorCones::move_through_step(const CircuitStep& step, unsigned most_wires,
                                      OperatorProbe& probe) {
  if (step.kind == CircuitStep::Kind::unknown || step.kind == CircuitStep::Kind::measured ||
      !take_wires(wires_of(step), most_wires, probe)) {
    return false;
  }
  std::array<WireContent, 3> contents{};
  for (std::size_t i = 0; i < step.wire_count; ++i) contents[i] = content_[step.wires[i]];
  move_through(step, contents);
  for (std::size_t i = 0; i < step.wire_count; ++i) content_[step.wires[i]] = contents[i];
  probe.apply(step, probe_wires_, step_phases_);
  work_ += 2 * probe.dimension();
  return true;
}

void OperatorCones::clear() {
  for (const Qubit wire : taken_) {
    wire_of_[wire] = kNone;
    content_[wire] = 0;
  }
  taken_.clear();
}

void OperatorCones::set_contents(const GateOperators& operators, const Operation& gate) {
  for (std::size_t i = 0; i < operators.count; ++i) {
    for (std::size_t k = 0; k < gate.qubits.size(); ++k) {
      WireContent& content = content_[gate.qubits[k]];
      if ((operators.paulis[i].x >> k & 1U) != 0) content |= kContentX;
      if ((operators.paulis[i].z >> k & 1U) != 0) content |= kContentZ;
    }
  }
}

std::optional<OperatorKey> OperatorCones::key_at(Place place, const OperatorProbe& probe) {
  const Operation& gate = gates_.gate_at(place);
  if (!has_wires(gate.qubits)) return std::nullopt;
  work_ += gates_.operator_count(place) * probe.dimension();
  return key_of(gates_.operator_count(place),
                values_of(*gate_operators(gate.gate), probe_wires_, probe));
}

OperatorCones::Move OperatorCones::move_through_gate(Place place, unsigned most_wires,
                                                     OperatorProbe& probe) {
  Move result = Move::commutes;
  for (const CircuitStep& step : gates_.steps_at(place)) {
    std::array<WireContent, 3> contents{};
    for (std::size_t i = 0; i < step.wire_count; ++i) contents[i] = content_[step.wires[i]];
    if (commutes(step, contents)) continue;
    if (!move_through_step(step, most_wires, probe)) return Move::impossible;
    result = Move::moved;
  }
  return result;
}

std::optional<OperatorCones::Partner> OperatorCones::partner_of(Place start, unsigned most_wires,
                                                                PhaseChoice& phases) {
  clear();
  OperatorProbe probe(random_());
  step_phases_ = phases.of(gates_.circuit_steps());
  const Operation& gate = gates_.gate_at(start);
  if (!take_wires(gate.qubits, most_wires, probe)) return std::nullopt;
  set_contents(*gate_operators(gate.gate), gate);
  const OperatorKey key = *key_at(start, probe);
  const auto end = static_cast<Place>(std::min(gates_.places(), start + most_ahead_));
  std::size_t in_cone = 0;
  for (Place place = start + 1; place < end && in_cone < kMostGatesOfCone; ++place) {
    if (gates_.operator_count(place) == key.count) {
      const std::optional<OperatorKey> other = key_at(place, probe);
      if (other && other->matches(key)) return Partner{place, key.relation_of(*other)};
    }
    const Move move = move_through_gate(place, most_wires, probe);
    if (move == Move::impossible) return std::nullopt;
    if (move == Move::moved) ++in_cone;
  }
  return std::nullopt;
}

void OperatorCones::merge_all(unsigned most_wires, std::uint64_t most_work, const Budget& budget) {
  for (Place place = 0; place < gates_.places(); ++place) {
    if (work_ > most_work || (place % kGatesBetweenClockReads == 0 && budget.spent())) return;
    // A rotation may have several partners.
    while (gates_.operator_count(place) != 0) {
      const std::optional<Partner> partner = partner_of(place, most_wires, phases_);
      if (!partner || partner_of(place, most_wires, other_phases_) != partner) break;
      if (!gates_.merge(place, partner->place, partner->relation)) break;
    }
  }
}

}  // namespace quartz::optimizer
