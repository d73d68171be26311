#include "optimize/cost/packed_costs.hpp"

#include <algorithm>
#include <array>

#include "quartz/circuit/gate.hpp"

namespace quartz::optimizer {
namespace {

Operation operation_of(const rewrite::LabelTable::Entry& entry) {
  Operation operation;
  operation.gate = entry.gate;
  operation.angles = entry.angles;
  return operation;
}

}  // namespace

PackedCosts::PackedCosts(Cost cost, const rewrite::LabelTable& labels)
    : cost_(std::move(cost)), labels_(labels), depends_on_qubits_(cost_.depends_on_qubits()) {
  for (std::size_t i = 0; i < cost_.objectives().size(); ++i) {
    if (!cost_.objectives()[i].additive()) paths_.push_back(i);
  }
}

void PackedCosts::set_qubits(std::span<const Qubit> qubits) {
  qubits_.assign(qubits.begin(), qubits.end());
  on_qubits_.clear();
}

CostValue PackedCosts::of(std::span<const rewrite::PackedGate> gates) {
  CostValue sum;
  for (const rewrite::PackedGate& gate : gates) sum += of(gate);
  count_the_rest(gates, sum);
  return sum;
}

void PackedCosts::count_the_rest(std::span<const rewrite::PackedGate> gates, CostValue& value) {
  for (const std::size_t i : paths_) value.units[i] = critical_path(gates, i);
}

std::uint64_t PackedCosts::critical_path(std::span<const rewrite::PackedGate> gates,
                                         std::size_t objective) {
  std::array<std::uint64_t, rewrite::kPackedQubits> level{};
  std::uint64_t longest = 0;
  for (const rewrite::PackedGate& gate : gates) {
    std::uint64_t end = 0;
    for (std::uint8_t i = 0; i < gate.size; ++i) end = std::max(end, level[gate.qubits[i]]);
    end += weights(gate).lengths.units[objective];
    for (std::uint8_t i = 0; i < gate.size; ++i) level[gate.qubits[i]] = end;
    longest = std::max(longest, end);
  }
  return longest;
}

PackedCosts::Weights PackedCosts::weights_of(const Operation& operation) const {
  Weights weights{cost_.gate_cost(operation), {}};
  for (const std::size_t i : paths_) {
    weights.lengths.units[i] = cost_.objectives()[i].gate_units(operation);
  }
  return weights;
}

const PackedCosts::Weights& PackedCosts::on_qubits(const rewrite::PackedGate& gate) {
  std::uint64_t key = gate.label;
  for (const std::uint8_t qubit : gate.qubits) key = (key << 8) | qubit;
  const auto [found, added] = on_qubits_.try_emplace(key);
  if (added) {
    Operation operation = operation_of(labels_.entry(gate.label));
    for (std::uint8_t i = 0; i < gate.size; ++i) {
      const std::uint8_t local = gate.qubits[i];
      operation.qubits.push_back(qubits_.empty() ? local : qubits_[local]);
    }
    found->second = weights_of(operation);
  }
  return found->second;
}

void PackedCosts::learn_labels(rewrite::Label last) {
  while (by_label_.size() <= last) {
    Operation operation =
        operation_of(labels_.entry(static_cast<rewrite::Label>(by_label_.size())));
    for (Qubit i = 0; i < gate(operation.gate).qubits; ++i) operation.qubits.push_back(i);
    by_label_.push_back(weights_of(operation));
  }
}

}  // namespace quartz::optimizer
