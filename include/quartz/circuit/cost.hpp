#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/gate_weights.hpp"

namespace quartz {

/// The figures that every report gives for a circuit. Optimization boundaries (measure, barrier,
/// ...) are not counted, except that conditional gates count as gates.
struct GateCounts {
  std::uint64_t total = 0;
  std::uint64_t two_qubit = 0;  ///< gates on two or more qubits
  std::uint64_t t = 0;          ///< t, tdg, and every rotation that is not by a multiple of pi/2
  /// Longest chain of gates over qubits and classical bits. Barriers and measurements order the
  /// gates but add 0.
  std::uint64_t depth = 0;
};

/// Counts the gates of a circuit, those of a declared gate at each of its calls.
[[nodiscard]] GateCounts count_gates(const Circuit& circuit);
/// Returns the number of measurements, wherever their outcomes go.
[[nodiscard]] std::uint64_t count_measurements(const Circuit& circuit);
/// Returns whether the gate counts towards GateCounts::t.
[[nodiscard]] bool counts_as_t(const Operation& operation);

/// The costs that have a name.
enum class CostKind : std::uint8_t { total, two_qubit, t, depth, two_qubit_depth, t_depth };

/// The number of costs that have a name.
inline constexpr std::size_t kNamedCosts = 6;

/// A named cost.
struct CostName {
  CostKind kind;
  std::string_view name;  ///< the name on the command line
  std::string_view description;
  /// The figure that this cost minimizes; null if reports give it only where it is minimized.
  std::uint64_t GateCounts::*count;
  /// Returns whether an operation has the weight 1; all others have the weight 0.
  bool (*counts)(const Operation& operation);
  Combination combination = Combination::sum;
};

/// The list of named costs.
[[nodiscard]] std::span<const CostName> cost_names();
/// Returns the row of the list for a cost.
[[nodiscard]] const CostName& cost_name(CostKind kind);
/// Returns null for an unknown name.
[[nodiscard]] const CostName* find_cost(std::string_view name);

/// One objective: a named cost, or weights of the gates, which are added up over the circuit or
/// along its critical path. Its values are whole numbers of units and therefore exact.
class Objective {
 public:
  /// Creates the objective of a named cost.
  Objective(CostKind kind) : kind_(kind) {}
  /// Creates an objective from weights.
  Objective(GateWeights weights)
      : weights_(std::make_shared<const GateWeights>(std::move(weights))) {}

  /// Returns the name of the cost or of the weights.
  [[nodiscard]] std::string_view name() const;
  /// Returns the named cost, or null for weights.
  [[nodiscard]] const CostName* named() const;
  /// Returns the weights, or null for a named cost.
  [[nodiscard]] const GateWeights* weights() const { return weights_.get(); }
  /// Returns how the weights of the operations make up the objective.
  [[nodiscard]] Combination combination() const;
  /// Returns whether the objective is a sum over the gates, and not a critical path such as depth.
  [[nodiscard]] bool additive() const;
  /// Returns whether a gate may cost more on some qubits than on others.
  [[nodiscard]] bool depends_on_qubits() const;
  /// Returns whether the gate has a weight on all operands.
  [[nodiscard]] bool covers(GateKind gate) const;
  /// Returns whether every gate of the circuit has a weight on its qubits.
  [[nodiscard]] bool covers(const Circuit& circuit) const;

  /// Returns the weight of the operation, in units: what it adds to the sum, or to the chains that
  /// it is part of. Its qubits are those of the whole circuit. Operations other than gates have the
  /// weight 0, except for measurements and resets on a critical path. Throws UsageError for a gate
  /// without a weight.
  [[nodiscard]] std::uint64_t gate_units(const Operation& operation) const;
  /// Returns gate_units as the number that is shown to users.
  [[nodiscard]] double gate_weight(const Operation& gate) const { return value(gate_units(gate)); }
  /// Returns the cost of the whole circuit, in units. Throws UsageError for a gate without a
  /// weight.
  [[nodiscard]] std::uint64_t units_of(const Circuit& circuit) const;
  /// Returns the number of units in 1: 1 for every named cost.
  [[nodiscard]] std::uint64_t units_per_one() const;
  /// Converts a number of units to the cost that is shown to users.
  [[nodiscard]] double value(std::uint64_t units) const {
    return static_cast<double>(units) / static_cast<double>(units_per_one());
  }

 private:
  CostKind kind_{};
  std::shared_ptr<const GateWeights> weights_;  ///< null for a named cost
};

/// Returns the values of objectives, in units, in one pass over a circuit. Throws as
/// Objective::units_of does.
[[nodiscard]] std::vector<std::uint64_t> units_of(std::span<const Objective> objectives,
                                                  const Circuit& circuit);

/// Greatest number of objectives in a cost.
inline constexpr std::size_t kMaxObjectives = 4;

/// The cost of a circuit: the units of each objective, most important first, with zeros after the
/// last. Values of the same cost compare lexicographically.
struct CostValue {
  std::array<std::uint64_t, kMaxObjectives> units{};

  friend auto operator<=>(const CostValue&, const CostValue&) = default;
  CostValue& operator+=(const CostValue& other) {
    for (std::size_t i = 0; i < units.size(); ++i) units[i] += other.units[i];
    return *this;
  }
  CostValue& operator-=(const CostValue& other) {
    for (std::size_t i = 0; i < units.size(); ++i) units[i] -= other.units[i];
    return *this;
  }
};

/// What the optimizer minimizes: a list of objectives, each of which breaks the ties of those
/// before it.
class Cost {
 public:
  Cost(CostKind kind) : Cost(std::vector<Objective>{kind}) {}
  /// Throws UsageError for an empty list, more than kMaxObjectives objectives, and a repeated
  /// name.
  explicit Cost(std::vector<Objective> objectives);

  [[nodiscard]] std::span<const Objective> objectives() const { return objectives_; }
  /// Returns the names of the objectives, separated by commas.
  [[nodiscard]] std::string name() const;
  /// Returns whether every objective is a sum over the gates.
  [[nodiscard]] bool additive() const;
  /// Returns whether a gate may cost more on some qubits than on others.
  [[nodiscard]] bool depends_on_qubits() const;
  /// Returns what one gate adds to the additive objectives, and 0 for the others; the gate's qubits
  /// are those of the whole circuit. Throws UsageError for a gate without a weight.
  [[nodiscard]] CostValue gate_cost(const Operation& gate) const;
  /// Returns a text such as "t 12, two-qubit 34".
  [[nodiscard]] std::string describe(const CostValue& value) const;

 private:
  std::vector<Objective> objectives_;
};

/// The numbers of operations of a circuit that need not be in the memory.
struct CircuitCounts {
  std::array<std::uint64_t, kNamedCosts> named{};  ///< the named costs, by CostKind
  CostValue cost;                                  ///< what is minimized
  std::map<GateKind, std::uint64_t> gates;         ///< the numbers of gates of each kind
  std::uint64_t operations = 0;                    ///< gates and all others
};

/// Returns a sentence for each of the weights that a table counts as others because some of its
/// weights are so much greater (GateWeights::rounding).
[[nodiscard]] std::vector<std::string> warnings_of_rounding(const Cost& cost);

/// Returns the cost of a circuit, with declared gates as the gates of their bodies. Throws
/// UsageError for a gate without a weight, and for a sum of weights of more than 64 bits.
[[nodiscard]] CostValue cost_of(const Circuit& circuit, const Cost& cost);

}  // namespace quartz
