#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/gate_weights.hpp"

namespace quartz {

/// The figures every report gives of a circuit. Walls (measure, barrier, ...) count in none,
/// except that conditional gates count as gates.
struct GateCounts {
  std::uint64_t total = 0;
  std::uint64_t two_qubit = 0;  ///< gates on two or more qubits
  std::uint64_t t = 0;          ///< t, tdg, and every rotation by no multiple of pi/2
  /// Longest chain of gates over qubits and classical bits; barriers and measures order but add 0.
  std::uint64_t depth = 0;
};

[[nodiscard]] GateCounts count_gates(const Circuit& circuit);
/// Whether the gate counts towards GateCounts::t.
[[nodiscard]] bool counts_as_t(const Operation& operation);

/// The costs that are known by name.
enum class CostKind : std::uint8_t { total, two_qubit, t, depth };

struct CostName {
  CostKind kind;
  std::string_view name;  ///< as on the command line
  std::string_view description;
  std::uint64_t GateCounts::*count;  ///< the figure it is
  /// Whether a gate adds 1 to the figure; null where the figure is no sum over the gates.
  bool (*counts)(const Operation& gate);
};

/// THE list of named costs.
[[nodiscard]] std::span<const CostName> cost_names();
[[nodiscard]] const CostName& cost_name(CostKind kind);
/// Null for an unknown name.
[[nodiscard]] const CostName* find_cost(std::string_view name);

/// One figure to make small: a named cost, or a weighted sum of the gates. Its values are whole
/// numbers of units, so that they are exact.
class Objective {
 public:
  Objective(CostKind kind) : kind_(kind) {}
  Objective(GateWeights weights)
      : weights_(std::make_shared<const GateWeights>(std::move(weights))) {}

  [[nodiscard]] std::string_view name() const;
  /// Null where it is a weighted sum.
  [[nodiscard]] const CostName* named() const;
  /// Whether it is a sum over the gates (every one but depth is).
  [[nodiscard]] bool additive() const;
  /// Whether a gate may cost more on some qubits than on others.
  [[nodiscard]] bool depends_on_qubits() const;
  /// Whether the gate has a weight, on all operands.
  [[nodiscard]] bool covers(GateKind gate) const;
  /// Whether every gate of the circuit has a weight where it stands.
  [[nodiscard]] bool covers(const Circuit& circuit) const;

  /// What the gate adds, in units; its qubits are those of the whole circuit. Throws UsageError
  /// for a gate without a weight, and where the objective is not additive.
  [[nodiscard]] std::uint64_t gate_units(const Operation& gate) const;
  [[nodiscard]] double gate_weight(const Operation& gate) const { return value(gate_units(gate)); }
  /// Of the whole circuit, in units. Throws UsageError for a gate without a weight.
  [[nodiscard]] std::uint64_t units_of(const Circuit& circuit) const;
  /// How many units 1 is: 1 for every named cost.
  [[nodiscard]] std::uint64_t units_per_one() const;
  /// The number that so many units are.
  [[nodiscard]] double value(std::uint64_t units) const {
    return static_cast<double>(units) / static_cast<double>(units_per_one());
  }

 private:
  CostKind kind_{};
  std::shared_ptr<const GateWeights> weights_;  ///< null for a named cost
};

inline constexpr std::size_t kMostObjectives = 4;

/// What a circuit costs: the units of each objective, the one that counts most first, and zeros
/// after the last. Values of one cost compare lexicographically.
struct CostValue {
  std::array<std::uint64_t, kMostObjectives> units{};

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

/// What the optimizer makes small: objectives, of which each breaks the ties of those before it.
class Cost {
 public:
  Cost(CostKind kind) : Cost(std::vector<Objective>{kind}) {}
  /// Throws UsageError for no objective, more than kMostObjectives, and a name that is there twice.
  explicit Cost(std::vector<Objective> objectives);

  [[nodiscard]] std::span<const Objective> objectives() const { return objectives_; }
  /// The names of the objectives, with commas.
  [[nodiscard]] std::string name() const;
  /// Whether every objective is a sum over the gates.
  [[nodiscard]] bool additive() const;
  [[nodiscard]] bool depends_on_qubits() const;
  /// What one gate adds to the additive objectives, and 0 for the others; its qubits are those of
  /// the whole circuit. Throws UsageError for a gate without a weight.
  [[nodiscard]] CostValue gate_cost(const Operation& gate) const;
  /// "t 12, two-qubit 34".
  [[nodiscard]] std::string describe(const CostValue& value) const;

 private:
  std::vector<Objective> objectives_;
};

/// Throws UsageError for a gate without a weight.
[[nodiscard]] CostValue cost_of(const Circuit& circuit, const Cost& cost);

}  // namespace quartz
