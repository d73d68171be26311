#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "quartz/circuit/cost.hpp"
#include "rewrite/packed_circuit.hpp"

namespace quartz {

/// What packed gates cost: the weight of each label is worked out once. Where a cost depends on
/// qubits, that of each label on its operands.
///
/// Not shared between threads: each search has its own, beside its LabelTable.
class PackedCosts {
 public:
  PackedCosts(Cost cost, const LabelTable& labels);

  [[nodiscard]] const Cost& cost() const { return cost_; }
  /// Whether a gate's cost is more than a matter of its label.
  [[nodiscard]] bool depends_on_qubits() const { return depends_on_qubits_; }

  /// What the qubits of the packed circuit are in the whole one; empty: the same.
  void set_qubits(std::span<const Qubit> qubits);

  /// What the gate adds to the additive objectives; 0 for the others. Valid until the next call.
  [[nodiscard]] const CostValue& of(const PackedGate& gate) {
    if (depends_on_qubits_) return on_qubits(gate);
    if (gate.label >= by_label_.size()) learn_labels(gate.label);
    return by_label_[gate.label];
  }
  /// The cost of a whole circuit.
  [[nodiscard]] CostValue of(std::span<const PackedGate> gates);
  /// Fills in the objectives that are no sums over gates.
  void count_the_rest(std::span<const PackedGate> gates, CostValue& value) const;

 private:
  [[nodiscard]] const CostValue& on_qubits(const PackedGate& gate);
  void learn_labels(Label last);

  Cost cost_;
  const LabelTable& labels_;
  bool depends_on_qubits_;
  std::vector<std::size_t> depths_;  ///< the objectives that are no sums
  std::vector<CostValue> by_label_;
  std::vector<Qubit> qubits_;
  std::unordered_map<std::uint64_t, CostValue> on_qubits_;
};

}  // namespace quartz
