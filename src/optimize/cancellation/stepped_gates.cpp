#include "optimize/cancellation/stepped_gates.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace quartz::optimizer {

OperatorRelation OperatorKey::relation_of(const OperatorKey& second) const {
  OperatorRelation relation;
  for (std::size_t i = 0; i < count; ++i) {
    relation.is_negative[origin[i]] = is_negative[i] != second.is_negative[i];
  }
  return relation;
}

OperatorValues values_of(const GateOperators& operators, std::span<const unsigned> wires,
                         const OperatorProbe& probe) {
  OperatorValues values{};
  for (std::size_t i = 0; i < operators.count; ++i) {
    const LocalPauli& local = operators.paulis[i];
    ProbedPauli pauli;
    for (std::size_t k = 0; k < wires.size(); ++k) {
      pauli.x |= std::uint64_t{local.x >> k & 1U} << wires[k];
      pauli.z |= std::uint64_t{local.z >> k & 1U} << wires[k];
    }
    values[i] = probe.value_of(pauli);
    const auto ys = static_cast<unsigned>(std::popcount(local.x & local.z));
    if ((local.phase + 4 - ys % 4) % 4 == 2) values[i] = field_difference(0, values[i]);
  }
  return values;
}

OperatorKey key_of(std::size_t count, const OperatorValues& values) {
  OperatorKey key;
  key.count = count;
  for (std::size_t i = 0; i < count; ++i) {
    const FieldWord negative = field_difference(0, values[i]);
    key.values[i] = std::min(values[i], negative);
    key.is_negative[i] = negative < values[i];
    key.origin[i] = static_cast<std::uint8_t>(i);
  }
  if (count == 2 && key.values[1] < key.values[0]) {
    std::swap(key.values[0], key.values[1]);
    std::swap(key.is_negative[0], key.is_negative[1]);
    std::swap(key.origin[0], key.origin[1]);
  }
  return key;
}

SteppedGates::SteppedGates(std::span<const Operation> gates, const GateSet& set)
    : gates_(gates), pairs_(set), ranges_(gates.size()), operator_counts_(gates.size()) {
  for (Place place = 0; place < gates.size(); ++place) {
    append_steps(place);
    for (const Qubit wire : gates[place].qubits) wires_ = std::max<std::size_t>(wires_, wire + 1);
  }
}

void SteppedGates::append_steps(Place place) {
  const std::span<const Operation> gates = gates_.at(place);
  const auto first = static_cast<std::uint32_t>(steps_.size());
  for (const Operation& gate : gates) circuit_steps_.append(gate, steps_);
  ranges_[place] = {first, static_cast<std::uint32_t>(steps_.size()) - first};
  operator_counts_[place] = 0;
  if (gates.size() != 1) return;
  const std::optional<GateOperators> operators = pairs_.operators_of(gates[0]);
  if (operators) operator_counts_[place] = static_cast<std::uint8_t>(operators->count);
}

bool SteppedGates::merge(Place first, Place second, const OperatorRelation& relation) {
  std::optional<circuit::PhasedGates> merged =
      pairs_.merged(gates_.at(first)[0], gates_.at(second)[0], relation);
  if (!merged) return false;
  phase_.add_phase(merged->phase);
  const std::array<ExchangedGates::Replacement, 2> replacements{
      ExchangedGates::Replacement{first, std::move(merged->gates)},
      ExchangedGates::Replacement{second, {}}};
  gates_.exchange(replacements);
  append_steps(first);
  append_steps(second);
  ++merges_;
  return true;
}

circuit::DerivedGates SteppedGates::finish() && {
  std::vector<Operation> gates = gates_.gates();
  return {std::move(gates), phase_, circuit::Derivation::by(std::move(gates_).finish_history())};
}

}  // namespace quartz::optimizer
