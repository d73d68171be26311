#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "circuit/derivation.hpp"
#include "optimize/cancellation/circuit_steps.hpp"
#include "optimize/cancellation/gate_pairs.hpp"
#include "optimize/cancellation/operator_probe.hpp"
#include "optimize/windows/exchanged_gates.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// The numbers of a gate's operators in a probe, up to their signs and their order.
struct OperatorKey {
  std::size_t count = 0;
  std::array<FieldWord, 2> values{};     ///< ascending; of a number and its negative the lower one
  std::array<bool, 2> is_negative{};     ///< for each value, whether it is that of the negative
  std::array<std::uint8_t, 2> origin{};  ///< for each value, the index of the operator

  /// Returns whether the operators are equal up to signs and their order.
  [[nodiscard]] bool matches(const OperatorKey& other) const {
    return count == other.count && values == other.values;
  }
  /// Returns the relation of a gate that matches to the gate of this key.
  [[nodiscard]] OperatorRelation relation_of(const OperatorKey& second) const;
};

/// A list of gates with their steps, in which pairs of gates far apart are merged.
class SteppedGates {
 public:
  using Place = ExchangedGates::Place;

  SteppedGates(std::span<const Operation> gates, const GateSet& set);

  [[nodiscard]] std::size_t places() const { return gates_.places(); }
  /// Returns the wires of the gates, which have the numbers below this one.
  [[nodiscard]] std::size_t wires() const { return wires_; }
  [[nodiscard]] std::span<const CircuitStep> steps_at(Place place) const {
    const auto [first, count] = ranges_[place];
    return std::span(steps_).subspan(first, count);
  }
  /// Returns the number of operators of the gate at a place; 0 if it cannot be part of a pair.
  [[nodiscard]] std::size_t operator_count(Place place) const { return operator_counts_[place]; }
  /// Returns a gate that may be part of a pair. The reference is valid until gates are merged.
  [[nodiscard]] const Operation& gate_at(Place place) const { return gates_.at(place)[0]; }
  [[nodiscard]] const CircuitSteps& circuit_steps() const { return circuit_steps_; }

  /// Merges two gates, of which the operators are related. Returns whether that left fewer gates.
  bool merge(Place first, Place second, const OperatorRelation& relation);

  [[nodiscard]] std::size_t merges() const { return merges_; }
  /// Returns the gates with their history. The object must not be used afterwards.
  [[nodiscard]] circuit::DerivedGates finish() &&;

 private:
  /// Appends the steps of what is at a place, and counts its operators.
  void append_steps(Place place);

  ExchangedGates gates_;
  GatePairs pairs_;
  CircuitSteps circuit_steps_;
  std::vector<CircuitStep> steps_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      ranges_;                                 ///< the first step of each place, and their number
  std::vector<std::uint8_t> operator_counts_;  ///< for each place what operator_count returns
  std::size_t wires_ = 0;
  std::size_t merges_ = 0;
  Angle phase_;
};

/// The numbers of a gate's operators in a probe.
using OperatorValues = std::array<FieldWord, 2>;

/// Returns the numbers of operators of which the operands are these wires of a probe.
[[nodiscard]] OperatorValues values_of(const GateOperators& operators,
                                       std::span<const unsigned> wires, const OperatorProbe& probe);
/// Returns the key of this number of operators.
[[nodiscard]] OperatorKey key_of(std::size_t count, const OperatorValues& values);

}  // namespace quartz::optimizer
