#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quartz/circuit/gate.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::target {

/// Finds, for gates outside a gate set, the cheapest decomposition into the set's gates that
/// follows from the decompositions of the gate table: the fewest gates on two or more qubits, then
/// the fewest gates; among equals the table's order decides.
///
/// The table is a grammar: a gate with its angles is a symbol, each decomposition a production. The
/// cheapest derivation is the least fixed point of cost(gate) = min over productions of the sum of
/// the costs of their gates (Knuth's generalization of Dijkstra's algorithm solves the same
/// equations; the graphs here are so small that plain iteration suffices). Cycles such as h -> u2
/// -> h need no special treatment: the cost of a gate is finite only if a derivation ends.
class Derivations {
 public:
  explicit Derivations(const GateSet& set);
  Derivations(const Derivations&) = delete;
  Derivations& operator=(const Derivations&) = delete;

  /// Returns the gate in gates of the set, with its exact phase, or nullopt if the table has no
  /// decomposition. The operation may have a condition, which is ignored.
  [[nodiscard]] std::optional<Decomposition> derive(const Operation& operation);

 private:
  using Index = std::size_t;
  /// A gate with normalized angles; its qubits do not matter.
  using Symbol = std::pair<GateKind, AngleList>;

  struct Cost {
    std::size_t multi_qubit = 0;
    std::size_t gates = 0;
    friend auto operator<=>(const Cost&, const Cost&) = default;
  };
  /// A gate of a production, on operands of the production's gate.
  struct Step {
    Index node = 0;
    std::vector<Qubit> operands;
  };
  /// The gate equals e^{i phase} times the steps.
  struct Production {
    std::vector<Step> steps;
    Angle phase;
  };
  struct Node {
    Symbol symbol;
    std::optional<Cost> cost;  ///< cost of the best derivation so far
    /// If the gate is in the set: the angles as the set writes them, and the phase of that change.
    std::optional<std::pair<AngleList, Angle>> in_set;
    std::vector<Production> productions;
    std::size_t best = 0;  ///< index of a production, if in_set is empty and cost is set
    std::optional<Decomposition> expansion;  ///< computed when it is first requested
  };

  /// A gate with symbols in place of uncommon angles, so that one derivation serves all gates of
  /// the same kind that have any uncommon angles.
  struct Shape {
    Operation operation;
    std::map<std::string, Angle> angles;  ///< the angles that the symbols replace
  };

  [[nodiscard]] Shape shape_of(const Operation& operation) const;
  [[nodiscard]] std::optional<Decomposition> derive_shape(const Shape& shape);
  /// Returns the node of a gate, added if it is new, and the phase from normalizing the gate's
  /// angles.
  std::pair<Index, Angle> node_of(const Operation& operation);
  void add_productions(Index index);
  /// Returns the decompositions of the set, then those of the gate table.
  [[nodiscard]] std::vector<const Decomposition*> decompositions_of(GateKind kind) const;
  [[nodiscard]] bool all_in_set(const std::vector<Operation>& operations) const;
  /// Adds everything that can be reached from the nodes from `first` on, then computes the costs.
  void solve(Index first);
  [[nodiscard]] std::optional<Cost> cost_of(const Production& production) const;
  /// Returns the gates of the set that a solved node becomes, on operands 0, 1, ...
  const Decomposition& expansion_of(Index index);

  /// Derives the gate as if the gates with ranges took any angle, then brings each gate into its
  /// ranges.
  [[nodiscard]] std::optional<Decomposition> derive_with_ranges(const Operation& operation);
  /// Brings a gate of the set into its ranges, by those decompositions of its kind that contain a
  /// gate of the same kind with other angles.
  [[nodiscard]] std::optional<Decomposition> within_ranges(const Operation& operation);
  /// Replaces the steps of kinds other than `kept` by gates of the set.
  [[nodiscard]] std::optional<Decomposition> expressed(Decomposition steps, GateKind kept);

  const GateSet* set_;
  GateSet without_ranges_;
  std::unique_ptr<Derivations> free_;  ///< for without_ranges_; null if the set has no ranges
  std::optional<std::int64_t> finest_constant_;
  std::vector<Node> nodes_;
  std::map<Symbol, Index> index_;
};

}  // namespace quartz::target
