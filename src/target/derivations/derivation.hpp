#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "quartz/circuit/gate.hpp"
#include "quartz/target/gate_set.hpp"
#include "target/derivations/production_table.hpp"

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
  static constexpr Index kNoNode = static_cast<Index>(-1);

  struct Cost {
    std::size_t multi_qubit = 0;
    std::size_t gates = 0;
    friend auto operator<=>(const Cost&, const Cost&) = default;
  };
  using Production = ProductionTable::Production;
  struct Node {
    ProductionTable::Index symbol = 0;
    std::optional<Cost> cost;  ///< cost of the best derivation so far
    /// Null for the identity and for a gate of the set.
    const std::vector<Production>* productions = nullptr;
    std::size_t best = 0;  ///< index of a production, if there are any and cost is set
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
  /// Returns the node of a symbol of the table, added if it is new.
  Index node_of(ProductionTable::Index symbol);
  void add_productions(Index index);
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
  BorrowedProductions table_;
  std::vector<Node> nodes_;
  std::vector<Index> node_of_symbol_;
};

}  // namespace quartz::target
