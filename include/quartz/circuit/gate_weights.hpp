#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "quartz/circuit/operation.hpp"

namespace quartz {

/// What one gate costs.
struct GateWeight {
  GateKind gate{};
  /// Empty: on all operands that no other weight of the gate names. Otherwise on these alone, in
  /// the gate's own order; operands that may trade places are the same in either order.
  std::vector<Qubit> qubits;
  double weight = 0;
};

/// The operands in one order for all orders that are the same by the gate's symmetry: those that
/// may trade places ascend.
[[nodiscard]] std::vector<Qubit> sorted_operands(GateKind gate, std::span<const Qubit> qubits);

/// A weight for each gate, whatever its angles: what a weighted sum of gates adds up.
///
/// Kept as whole multiples of a unit that is a power of ten, so that a sum is exact and the same in
/// whatever order it is formed: a search that adds and takes away always arrives at what a recount
/// gives, and a gate that only goes round in circles never looks like a gain. The unit is the
/// largest that holds all weights exactly, or ten digits of the greatest weight where that would
/// take more; a positive weight is one unit at least.
class GateWeights {
 public:
  static constexpr double kGreatest = 1e9;  ///< the greatest weight allowed

  /// `otherwise` is the weight of the gates that have none. Throws UsageError for a weight that is
  /// no number from 0 to kGreatest, wrong operands, and a weight that is given twice.
  GateWeights(std::string name, const std::vector<GateWeight>& weights,
              std::optional<double> otherwise = std::nullopt);

  [[nodiscard]] const std::string& name() const { return name_; }
  /// Whether some weight holds on certain operands only.
  [[nodiscard]] bool depends_on_qubits() const { return !on_qubits_.empty(); }
  /// Whether the gate has a weight on all operands.
  [[nodiscard]] bool covers(GateKind gate) const;
  /// The weight in units; nothing where the gate has none.
  [[nodiscard]] std::optional<std::uint64_t> find(const Operation& operation) const;
  /// How many units a weight of 1 is: a power of ten.
  [[nodiscard]] std::uint64_t units_per_one() const { return units_per_one_; }

 private:
  using Place = std::pair<GateKind, std::vector<Qubit>>;

  void add(const GateWeight& weight);
  [[nodiscard]] std::uint64_t in_units(double weight) const;

  std::string name_;
  std::uint64_t units_per_one_ = 1;
  std::vector<std::optional<std::uint64_t>> by_gate_;  ///< indexed by GateKind
  std::map<Place, std::uint64_t> on_qubits_;
  std::optional<std::uint64_t> otherwise_;
};

}  // namespace quartz
