#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "quartz/circuit/cost.hpp"
#include "rewrite/packed_circuit.hpp"

namespace quartz::optimizer {

/// Costs of packed gates: computes the weight of each label once, or of each label with its
/// operands if a cost depends on qubits.
///
/// Not thread-safe: each search has its own object, beside its LabelTable.
class PackedCosts {
 public:
  PackedCosts(Cost cost, const rewrite::LabelTable& labels);

  [[nodiscard]] const Cost& cost() const { return cost_; }
  /// Returns whether a gate's cost depends on more than its label.
  [[nodiscard]] bool depends_on_qubits() const { return depends_on_qubits_; }

  /// Sets the numbers of the packed circuit's qubits in the whole circuit; empty: unchanged.
  void set_qubits(std::span<const Qubit> qubits);

  /// Returns the gate's contribution to the additive objectives; the others are 0. Valid until the
  /// next call.
  [[nodiscard]] const CostValue& of(const rewrite::PackedGate& gate) { return weights(gate).terms; }
  /// Returns the gate's weight in an objective, additive or not, in units.
  [[nodiscard]] std::uint64_t weight(const rewrite::PackedGate& gate, std::size_t objective) {
    const Weights& both = weights(gate);
    return both.terms.units[objective] + both.lengths.units[objective];
  }
  /// Returns the cost of a whole circuit.
  [[nodiscard]] CostValue of(std::span<const rewrite::PackedGate> gates);
  /// Fills in the objectives that are not sums over gates.
  void count_the_rest(std::span<const rewrite::PackedGate> gates, CostValue& value);

 private:
  struct Weights {
    CostValue terms;    ///< in the sums; 0 for the other objectives
    CostValue lengths;  ///< on the critical paths; 0 for the sums
  };

  [[nodiscard]] const Weights& weights(const rewrite::PackedGate& gate) {
    if (depends_on_qubits_) return on_qubits(gate);
    if (gate.label >= by_label_.size()) learn_labels(gate.label);
    return by_label_[gate.label];
  }
  [[nodiscard]] Weights weights_of(const Operation& operation) const;
  [[nodiscard]] const Weights& on_qubits(const rewrite::PackedGate& gate);
  [[nodiscard]] std::uint64_t critical_path(std::span<const rewrite::PackedGate> gates,
                                            std::size_t objective);
  void learn_labels(rewrite::Label last);

  Cost cost_;
  const rewrite::LabelTable& labels_;
  bool depends_on_qubits_;
  std::vector<std::size_t> paths_;  ///< the objectives that are not sums
  std::vector<Weights> by_label_;
  std::vector<Qubit> qubits_;
  std::unordered_map<std::uint64_t, Weights> on_qubits_;
};

}  // namespace quartz::optimizer
