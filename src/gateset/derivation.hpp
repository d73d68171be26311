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
#include "quartz/gateset/gate_set.hpp"

namespace quartz {

/// Finds, for gates outside a gate set, the cheapest way to write them in its gates that follows
/// from the decompositions of the gate table: fewest gates on two or more qubits, then fewest
/// gates; among equals the table's order decides.
///
/// The table is a grammar: a gate with its angles is a symbol, each decomposition a production. The
/// cheapest derivation is the least fixed point of cost(gate) = min over productions of the sum of
/// the costs of their gates (Knuth's generalisation of Dijkstra's algorithm solves the same
/// equations; the graphs here are so small that plain iteration does). Cycles, as h -> u2 -> h,
/// take care of themselves: a gate's cost is finite only where a derivation ends.
class Derivations {
 public:
  explicit Derivations(const GateSet& set);
  Derivations(const Derivations&) = delete;
  Derivations& operator=(const Derivations&) = delete;

  /// The gate in gates of the set, with its exact phase, or nothing if the table has no way. The
  /// operation may carry a condition, which is not looked at.
  [[nodiscard]] std::optional<Decomposition> derive(const Operation& operation);

 private:
  using Index = std::size_t;
  /// A gate with angles, which are normalised; qubits do not matter.
  using Symbol = std::pair<GateKind, std::vector<Angle>>;

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
    std::optional<Cost> cost;  ///< of the best derivation so far
    /// Where the gate is one of the set: the angles as the set writes them, and the phase for it.
    std::optional<std::pair<std::vector<Angle>, Angle>> in_set;
    std::vector<Production> productions;
    std::size_t best = 0;  ///< index of a production, where in_set is empty and cost is set
    std::optional<Decomposition> expansion;  ///< once it has been asked for
  };

  /// A gate with symbols in place of uncommon angles, so that one derivation serves all gates of a
  /// kind that have any.
  struct Shape {
    Operation operation;
    std::map<std::string, Angle> angles;  ///< what the symbols stand for
  };

  [[nodiscard]] Shape shape_of(const Operation& operation) const;
  [[nodiscard]] std::optional<Decomposition> derive_shape(const Shape& shape);
  /// The node of a gate, added if it is new; the phase is what normalising its angles takes.
  std::pair<Index, Angle> node_of(const Operation& operation);
  void add_productions(Index index);
  /// Those of the set, then those of the gate table.
  [[nodiscard]] std::vector<const Decomposition*> decompositions_of(GateKind kind) const;
  [[nodiscard]] bool all_in_set(const std::vector<Operation>& operations) const;
  /// Adds all that can be reached from the nodes from `first` on, then finds their costs.
  void solve(Index first);
  [[nodiscard]] std::optional<Cost> cost_of(const Production& production) const;
  /// The gates of the set that a solved node becomes, on operands 0, 1, ...
  const Decomposition& expansion_of(Index index);

  /// As if the gates with ranges took any angle, then each brought into its ranges.
  [[nodiscard]] std::optional<Decomposition> derive_with_ranges(const Operation& operation);
  /// A gate of the set that may be outside of its ranges, by those decompositions of its kind that
  /// have a gate of the kind with other angles.
  [[nodiscard]] std::optional<Decomposition> within_ranges(const Operation& operation);
  /// With gates of the set in place of the steps of other kinds.
  [[nodiscard]] std::optional<Decomposition> expressed(Decomposition steps, GateKind kept);

  const GateSet* set_;
  GateSet without_ranges_;
  std::unique_ptr<Derivations> free_;  ///< of that set; null where the set itself has none
  std::optional<std::int64_t> finest_constant_;
  std::vector<Node> nodes_;
  std::map<Symbol, Index> index_;
};

}  // namespace quartz
