#include "optimize/cancellation/whole_space.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <map>
#include <utility>

namespace quartz::optimizer {
namespace {

/// The two vectors take 8 MiB for this many wires.
constexpr unsigned kMostWires = 20;
constexpr unsigned kNotListed = ~0U;
/// Number of random choices of the bits of constant wires, and the number of such wires from which
/// on they take much less time than the whole space.
constexpr std::size_t kSamples = 16;
constexpr unsigned kLeastConstantWires = 6;

/// Each pair of a pass is compared with all others.
constexpr std::size_t kMostPairsOfPass = 2000;

using Kind = CircuitStep::Kind;

/// Returns whether a step is diagonal on one of its wires.
bool is_diagonal_on(const CircuitStep& step, std::size_t wire) {
  switch (step.kind) {
    case Kind::phase:
    case Kind::controlled_z:
    case Kind::measured:
      return true;
    case Kind::controlled_not:
      return wire == 0;
    case Kind::toffoli:
      return wire < 2;
    default:
      return false;
  }
}

bool is_bit_set(std::uint64_t bits, unsigned place) { return (bits >> place & 1U) != 0; }

}  // namespace

WholeSpace::WholeSpace(SteppedGates& gates, std::uint64_t seed)
    : gates_(gates),
      random_(seed),
      phases_(random_()),
      other_phases_(random_()),
      wire_of_(gates.wires(), kNotListed) {
  std::vector<Qubit> used;
  std::vector<bool> changes(gates.wires());
  for (Place place = 0; place < gates.places(); ++place) {
    for (const CircuitStep& step : gates.steps_at(place)) {
      has_unknown_steps_ =
          has_unknown_steps_ || step.kind == Kind::unknown || step.kind == Kind::measured;
      for (std::size_t i = 0; i < step.wire_count; ++i) {
        used.push_back(step.wires.at(i));
        if (!is_diagonal_on(step, i)) changes[step.wires.at(i)] = true;
      }
    }
  }
  for (const bool is_constant : {false, true}) {
    for (const Qubit wire : used) {
      if (changes[wire] != is_constant && wire_of_[wire] == kNotListed) wire_of_[wire] = wires_++;
    }
    if (!is_constant) changing_wires_ = wires_;
  }
}

bool WholeSpace::is_possible() const { return !has_unknown_steps_ && wires_ <= kMostWires; }

bool WholeSpace::has_constant_wires() const {
  return wires_ - changing_wires_ >= kLeastConstantWires;
}

double WholeSpace::work_on(unsigned wires, bool has_operators) const {
  std::size_t vectors = 0;
  for (Place place = 0; place < gates_.places(); ++place) {
    vectors += 2 * gates_.steps_at(place).size();
    if (has_operators) vectors += gates_.operator_count(place);
  }
  return static_cast<double>(vectors) * static_cast<double>(std::size_t{1} << wires);
}

double WholeSpace::work_of_first_pass() const {
  return has_constant_wires() ? kSamples * work_on(changing_wires_, true) : work_on(wires_, true);
}

double WholeSpace::work_of_all() const { return work_of_first_pass() + 2 * work_on(wires_, false); }

void WholeSpace::apply_with_bits(const CircuitStep& step, std::uint64_t bits,
                                 std::span<const FieldWord> phases, OperatorProbe& probe) {
  std::uint64_t others = 0;  // wires that are not constant, without the target of a flip
  bool is_odd = false;       // parity of the constant wires
  bool is_all = true;        // whether all constant wires are 1
  const bool has_target = step.kind == Kind::controlled_not || step.kind == Kind::toffoli;
  const std::size_t count = step.wire_count - (has_target ? 1U : 0U);
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned wire = wire_of_[step.wires.at(i)];
    if (wire < changing_wires_) {
      others |= std::uint64_t{1} << wire;
      continue;
    }
    is_odd = is_odd != is_bit_set(bits, wire);
    is_all = is_all && is_bit_set(bits, wire);
  }
  if (has_target) {
    if (is_all) probe.apply_flip(others, wire_of_[step.wires.at(count)]);
  } else if (step.kind == Kind::phase) {
    const FieldWord phase = phases[step.phase];
    if (others != 0) probe.apply_phase(others, is_odd ? field_inverse(phase) : phase);
  } else if (step.kind == Kind::controlled_z) {
    if (!is_all || others == 0) return;
    const auto target = static_cast<unsigned>(std::countr_zero(others));
    probe.apply_hadamard(target);
    probe.apply_flip(others & (others - 1), target);
    probe.apply_hadamard(target);
  } else {
    const std::array<unsigned, 2> wires{wire_of_[step.wires[0]], wire_of_[step.wires[1]]};
    probe.apply(step, std::span(wires).first(count), phases);
  }
}

void WholeSpace::add_values_at(Place place, const std::uint64_t* bits, const OperatorProbe& probe,
                               OperatorValues& sums) {
  const Operation& gate = gates_.gate_at(place);
  GateOperators operators = *gate_operators(gate.gate);
  operands_.clear();
  for (const Qubit qubit : gate.qubits) operands_.push_back(wire_of_[qubit]);
  for (std::size_t i = 0; bits != nullptr && i < operators.count; ++i) {
    LocalPauli& pauli = operators.paulis[i];
    for (unsigned k = 0; k < operands_.size(); ++k) {
      // A Z on a constant wire is a sign.
      if (operands_[k] < changing_wires_ || (pauli.z >> k & 1U) == 0) continue;
      pauli.z &= ~(1U << k);
      if (is_bit_set(*bits, operands_[k])) pauli.phase += 2;
    }
  }
  const OperatorValues values = values_of(operators, operands_, probe);
  for (std::size_t i = 0; i < operators.count; ++i) sums[i] = field_sum(sums[i], values[i]);
}

void WholeSpace::apply(const CircuitStep& step, const std::uint64_t* bits,
                       std::span<const FieldWord> phases, OperatorProbe& probe) {
  if (bits != nullptr) return apply_with_bits(step, *bits, phases, probe);
  operands_.clear();
  for (std::size_t i = 0; i < step.wire_count; ++i) {
    operands_.push_back(wire_of_[step.wires.at(i)]);
  }
  probe.apply(step, operands_, phases);
}

bool WholeSpace::add_values(std::span<const Place> places, PhaseChoice& choice,
                            const std::uint64_t* bits, std::vector<OperatorValues>& values,
                            const Budget& budget) {
  const std::span<const FieldWord> phases = choice.of(gates_.circuit_steps());
  OperatorProbe probe(random_());
  while (probe.wires() < (bits == nullptr ? wires_ : changing_wires_)) probe.add_wire();
  std::size_t next = 0;
  for (Place place = places.front(); place <= places.back(); ++place) {
    if (budget.spent()) return false;
    if (place == places[next]) add_values_at(place, bits, probe, values[next++]);
    for (const CircuitStep& step : gates_.steps_at(place)) apply(step, bits, phases, probe);
  }
  return true;
}

std::vector<WholeSpace::PlacedKey> WholeSpace::keys_at(std::span<const Place> places,
                                                       PhaseChoice& phases, bool is_sampled,
                                                       const Budget& budget) {
  if (places.empty()) return {};
  std::vector<OperatorValues> values(places.size());
  for (std::size_t sample = 0; sample < (is_sampled ? kSamples : 1); ++sample) {
    const std::uint64_t bits = random_();
    if (!add_values(places, phases, is_sampled ? &bits : nullptr, values, budget)) return {};
  }
  std::vector<PlacedKey> keys;
  for (std::size_t i = 0; i < places.size(); ++i) {
    keys.push_back({places[i], key_of(gates_.operator_count(places[i]), values[i])});
  }
  return keys;
}

std::vector<WholeSpace::Place> WholeSpace::repeated(std::span<const PlacedKey> keys) {
  std::map<std::pair<std::size_t, OperatorValues>, std::vector<Place>> places;
  for (const PlacedKey& each : keys) {
    places[{each.key.count, each.key.values}].push_back(each.place);
  }
  std::vector<Place> result;
  for (const auto& [key, of_key] : places) {
    if (of_key.size() > 1) result.insert(result.end(), of_key.begin(), of_key.end());
  }
  std::ranges::sort(result);
  return result;
}

std::vector<WholeSpace::Pair> WholeSpace::pairs_of(std::span<const PlacedKey> keys) {
  std::vector<Pair> pairs;
  std::map<std::pair<std::size_t, OperatorValues>, const PlacedKey*> open;
  for (const PlacedKey& each : keys) {
    const auto [found, is_new] = open.try_emplace({each.key.count, each.key.values}, &each);
    if (is_new) continue;
    const PlacedKey& first = *found->second;
    pairs.push_back({first.place, each.place, first.key.relation_of(each.key)});
    open.erase(found);
  }
  return pairs;
}

std::vector<WholeSpace::Pair> WholeSpace::nested(std::vector<Pair> pairs) {
  std::ranges::sort(
      pairs, {}, [](const Pair& pair) { return std::pair(pair.second - pair.first, pair.first); });
  std::vector<Pair> result;
  for (const Pair& pair : pairs) {
    if (result.size() == kMostPairsOfPass) break;
    const bool crosses = std::ranges::any_of(result, [&](const Pair& other) {
      const bool has_first = pair.first < other.first && other.first < pair.second;
      const bool has_second = pair.first < other.second && other.second < pair.second;
      return has_first != has_second;
    });
    if (!crosses) result.push_back(pair);
  }
  return result;
}

std::vector<WholeSpace::Pair> WholeSpace::find_pairs(const Budget& budget) {
  std::vector<Place> places;
  for (Place place = 0; place < gates_.places(); ++place) {
    if (gates_.operator_count(place) != 0) places.push_back(place);
  }
  if (has_constant_wires()) places = repeated(keys_at(places, phases_, true, budget));
  const std::vector<PlacedKey> keys = keys_at(places, phases_, false, budget);
  const std::vector<Pair> again = pairs_of(keys_at(repeated(keys), other_phases_, false, budget));
  std::vector<Pair> pairs = pairs_of(keys);
  std::erase_if(pairs,
                [&](const Pair& pair) { return std::ranges::find(again, pair) == again.end(); });
  return pairs;
}

bool WholeSpace::merge_pairs(const Budget& budget) {
  bool has_merged = false;
  for (const Pair& pair : nested(find_pairs(budget))) {
    has_merged = gates_.merge(pair.first, pair.second, pair.relation) || has_merged;
  }
  return has_merged;
}

}  // namespace quartz::optimizer
