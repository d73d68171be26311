#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "quartz/circuit/gate.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::target {

/// The decompositions of gates with certain angles, for one gate set. Each of them is instantiated
/// once for all circuits that are translated, and depends on the set and the gate only.
class ProductionTable {
 public:
  using Index = std::size_t;
  /// A gate with normalized angles; its qubits do not matter.
  using Symbol = std::pair<GateKind, AngleList>;

  /// A gate of a production, on operands of the production's gate.
  struct Step {
    Index symbol = 0;
    std::vector<Qubit> operands;
  };
  /// The gate equals e^{i phase} times the steps.
  struct Production {
    std::vector<Step> steps;
    Angle phase;
  };
  struct Entry {
    Symbol symbol;
    bool is_identity = false;
    /// If the gate is in the set: the angles as the set writes them, and the phase of that change.
    std::optional<std::pair<AngleList, Angle>> in_set;
    /// Computed when they are first requested.
    std::optional<std::vector<Production>> productions;
  };

  explicit ProductionTable(const GateSet& set) : set_(set) {}

  [[nodiscard]] const GateSet& set() const { return set_; }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] const Entry& entry(Index index) const { return entries_[index]; }
  /// Returns the entry of a gate, added if it is new, and the phase from normalizing the gate's
  /// angles.
  std::pair<Index, Angle> index_of(const Operation& operation);
  /// Returns the productions of an entry: the decompositions of the set, then those of the gate
  /// table.
  const std::vector<Production>& productions_of(Index index);
  /// Returns the decompositions of the set, then those of the gate table.
  [[nodiscard]] std::vector<const Decomposition*> decompositions_of(GateKind kind) const;

 private:
  [[nodiscard]] bool all_in_set(const std::vector<Operation>& operations) const;

  GateSet set_;
  std::deque<Entry> entries_;  ///< a deque, so that references stay valid
  std::map<Symbol, Index> index_;
};

/// The table of a gate set for one user at a time, who finds in it what earlier users computed.
class BorrowedProductions {
 public:
  explicit BorrowedProductions(const GateSet& set);
  ~BorrowedProductions();
  BorrowedProductions(const BorrowedProductions&) = delete;
  BorrowedProductions& operator=(const BorrowedProductions&) = delete;

  ProductionTable& operator*() const { return *table_; }
  ProductionTable* operator->() const { return table_.get(); }

 private:
  std::unique_ptr<ProductionTable> table_;
};

}  // namespace quartz::target
