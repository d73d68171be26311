#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/budget.hpp"
#include "optimize/backtracking/circuit_queue.hpp"
#include "optimize/backtracking/cost_threshold.hpp"
#include "optimize/backtracking/hash_set.hpp"
#include "optimize/cost/packed_costs.hpp"
#include "optimize/cost/search_cost.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/coupling.hpp"
#include "rewrite/linked_circuit.hpp"
#include "rewrite/packed_circuit.hpp"
#include "rewrite/rule_index.hpp"

namespace quartz {

struct BacktrackingLimits {
  std::uint64_t pops = 1000;           ///< circuits taken from the queue
  std::size_t queue_bytes = 64 << 20;  ///< the worst circuits are dropped beyond this
  /// Circuits may cost so many gates more than the best in the first objective (of the dearest gate
  /// they have, where it is a weighted sum), where that is more than gamma allows: with 0 it is the
  /// paper's search; more crosses hills.
  std::uint64_t slack = 0;
  /// What the gates' qubits are in the whole circuit, for costs that depend on them; empty: the
  /// same.
  std::span<const Qubit> qubits;
  /// Between whose pairs of `qubits` gates may stand; null: anywhere.
  const CouplingMap* coupling = nullptr;
  bool record_uses = false;  ///< BacktrackingResult::uses is wanted
  std::uint64_t seed = 0;    ///< chooses among circuits of equal cost
  Budget budget;             ///< its time only; pops are the ticks of this search
};

/// One rewrite: by which replacement of the index, and what it took off.
struct RuleUse {
  std::uint32_t replacement = 0;
  std::int32_t gates_removed = 0;
  std::int64_t saved = 0;  ///< of the first objective, in units
};

struct BacktrackingResult {
  PackedCircuit best;
  SearchCost best_cost;
  /// Another circuit of the same cost, the one looked at last (or the best itself): where the next
  /// search may start, so that equal circuits are walked through.
  PackedCircuit alternative;
  /// If asked for: what leads from the circuit given to `alternative`, the first rewrite first.
  std::vector<RuleUse> uses;
  std::uint64_t popped = 0;
  std::uint64_t generated = 0;
  bool exhausted = false;  ///< every circuit within the threshold was looked at
};

/// Cost-based backtracking search (Quartz, arXiv 2204.09033, algorithm 2): a priority queue of
/// whole circuits; the cheapest is taken and every rule is applied everywhere; new circuits that
/// cost less than gamma = 1.0001 times the best (or the best plus a slack) go into the queue.
///
/// Circuits of up to kPackedQubits qubits. Keeps its tables between runs; one for each thread.
class BacktrackingSearch {
 public:
  BacktrackingSearch(const RuleIndex& rules, const Cost& cost);

  [[nodiscard]] BacktrackingResult run(std::span<const Operation> gates,
                                       const BacktrackingLimits& limits);
  [[nodiscard]] const LabelTable& labels() const { return labels_; }

 private:
  /// A replacement with its angles worked out for one match.
  struct Resolved {
    std::vector<PackedGate> gates;  ///< qubits are the pattern's wires
    PhaseNumber phase = 0;
    CostValue cost;  ///< where it does not depend on the qubits
  };
  struct ResolvedKey {
    std::uint32_t replacement = 0;
    std::array<Label, kMostRuleParameters> labels{};
    friend bool operator==(const ResolvedKey&, const ResolvedKey&) = default;
  };
  struct ResolvedKeyHash {
    std::size_t operator()(const ResolvedKey& key) const noexcept;
  };

  [[nodiscard]] SearchCost cost_of(std::span<const PackedGate> gates);
  /// What a slack of one gate is in units of the first objective.
  [[nodiscard]] std::uint64_t unit_of_slack(std::span<const PackedGate> gates);
  [[nodiscard]] const Resolved& resolve(const Replacement& replacement, const Match& match);

  /// How a circuit came about: from which one, and by which rewrite.
  struct Step {
    std::uint32_t from = 0;  ///< as FoundCircuit::step
    RuleUse use;
  };

  void expand(const FoundCircuit& found, const SearchCost& cost);
  void try_replacement(const FoundCircuit& found, const SearchCost& cost, const Match& match,
                       const Replacement& replacement, bool& placed, bool& convex);
  /// Whether replacement_ has gates between coupled qubits only.
  [[nodiscard]] bool is_coupled() const;
  /// Returns the cost after a rewrite of the circuit in linked_; objectives that are not additive
  /// remain as before. Calls put_in_place if the cost depends on the qubits.
  [[nodiscard]] SearchCost cost_after(const SearchCost& before, const Match& match,
                                      const Resolved& resolved);
  /// Returns the hash of the circuit in linked_ after the match is replaced by replacement_.
  [[nodiscard]] std::uint64_t hash_after(const Match& match) const;
  /// Returns the circuit in which the match with this placement is replaced by replacement_.
  [[nodiscard]] PackedCircuit rewritten(const PackedCircuit& circuit, std::size_t matched,
                                        PhaseNumber phase);
  /// Fills replacement_ with the resolved gates on the match's qubits.
  void put_in_place(const Resolved& resolved, const Match& match);
  /// The number for FoundCircuit::step.
  [[nodiscard]] std::uint32_t record(std::uint32_t from, std::uint32_t replacement,
                                     const SearchCost& before, const SearchCost& after);
  [[nodiscard]] std::vector<RuleUse> uses_up_to(std::uint32_t step) const;

  const RuleIndex& rules_;
  LabelTable labels_;
  PackedCosts costs_;
  CostThreshold threshold_;
  RuleIndex::Constants constants_;
  std::unordered_map<ResolvedKey, Resolved, ResolvedKeyHash> resolved_;

  // Of the run under way.
  BacktrackingLimits limits_;
  BacktrackingResult result_;
  CircuitQueue queue_;
  std::uint32_t step_to_alternative_ = 0;
  std::vector<Step> steps_;  ///< of all circuits that were pushed, if recorded
  HashSet seen_;
  LinkedCircuit linked_;
  Placement placement_;
  std::vector<PackedGate> replacement_;
};

}  // namespace quartz
