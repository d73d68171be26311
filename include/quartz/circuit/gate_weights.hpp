#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "quartz/circuit/operation.hpp"

namespace quartz {

/// How the weights of a circuit's operations make up its cost.
enum class Combination : std::uint8_t {
  sum,            ///< the weights of all gates are added
  critical_path,  ///< the weights along the heaviest chain of operations are added
};

/// The weight of one gate, measurement or reset.
struct GateWeight {
  GateKind gate{};
  /// The operands that the weight is for, in the gate's own order; interchangeable operands may be
  /// given in either order. Empty for all operands that no other weight of the gate names.
  std::vector<Qubit> qubits;
  double weight = 0;
  /// A gate, a measurement or a reset; `gate` is ignored unless it is a gate.
  OperationKind operation = OperationKind::gate;
};

/// Returns the operands in a canonical order among all orders that the gate's symmetry makes equal:
/// interchangeable operands ascend.
[[nodiscard]] std::vector<Qubit> sorted_operands(GateKind gate, std::span<const Qubit> qubits);

/// A weight for each gate, independent of its angles: the terms of a weighted sum, or the lengths
/// of the gates on a critical path, where measurements and resets may have weights, too.
///
/// Weights are stored as whole multiples of a unit that is a power of ten, so that a sum is exact
/// and independent of the order of its terms: a search that adds and subtracts weights always
/// arrives at the result of a recount, and moving gates around in a cycle never looks like a gain.
/// The unit is the largest one that represents all weights exactly, if the greatest weight is at
/// most 10^13 units then. Otherwise it is the tenth digit of the greatest weight, or one of the
/// next three if smaller weights would have less than four digits. A positive weight is at least
/// one unit.
class GateWeights {
 public:
  static constexpr double kGreatest = 1e9;  ///< greatest weight allowed

  /// `otherwise` is the weight of all gates that `weights` does not contain. Throws UsageError for
  /// a weight that is not a number from 0 to kGreatest, for wrong operands, for a weight that is
  /// given twice, and for the weight in a sum of what is not a gate.
  GateWeights(std::string name, const std::vector<GateWeight>& weights,
              std::optional<double> otherwise = std::nullopt,
              Combination combination = Combination::sum);

  /// Returns the name that identifies the weights in messages and reports.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Returns the weights as they were given to the constructor.
  [[nodiscard]] const std::vector<GateWeight>& weights() const { return weights_; }
  /// Returns the weight of all other gates as it was given to the constructor.
  [[nodiscard]] const std::optional<double>& otherwise() const { return weight_otherwise_; }
  /// Returns how the weights make up the cost of a circuit.
  [[nodiscard]] Combination combination() const { return combination_; }
  /// Returns whether some weight holds on certain operands only.
  [[nodiscard]] bool depends_on_qubits() const { return !on_qubits_.empty(); }
  /// Returns whether the gate has a weight on all operands.
  [[nodiscard]] bool covers(GateKind gate) const;
  /// Returns the weight in units, or nullopt if the operation has none.
  [[nodiscard]] std::optional<std::uint64_t> find(const Operation& operation) const;
  /// A weight as it is given, and as it is counted: as a multiple of the unit.
  struct Rounding {
    double weight = 0;
    double counted = 0;
  };
  /// Returns the smallest weight that is counted as one that differs from it by more than a
  /// hundredth, because another weight of the table is so much greater; nothing if there is none.
  [[nodiscard]] std::optional<Rounding> rounding() const;
  /// Returns the number of units in a weight of 1: a power of ten.
  [[nodiscard]] std::uint64_t units_per_one() const { return units_per_one_; }

 private:
  /// A gate, or the kind of another operation together with the first gate.
  using Weighted = std::pair<OperationKind, GateKind>;
  using Place = std::pair<Weighted, std::vector<Qubit>>;

  void add(const GateWeight& weight);
  void require_weighable(OperationKind operation) const;
  [[nodiscard]] std::uint64_t in_units(double weight) const;
  /// Returns the weight of a gate on all operands, without the default.
  [[nodiscard]] std::optional<std::uint64_t> own_weight(GateKind gate) const;

  std::string name_;
  std::vector<GateWeight> weights_;
  std::optional<double> weight_otherwise_;
  std::uint64_t units_per_one_ = 1;
  Combination combination_ = Combination::sum;
  /// Indexed by GateKind, up to the last gate that has a weight of its own.
  std::vector<std::optional<std::uint64_t>> by_gate_;
  std::map<OperationKind, std::uint64_t> by_kind_;  ///< for measurements and resets
  std::map<Place, std::uint64_t> on_qubits_;
  std::optional<std::uint64_t> otherwise_;
};

}  // namespace quartz
