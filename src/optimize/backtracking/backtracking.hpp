#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/budget.hpp"
#include "circuit/derivation.hpp"
#include "optimize/backtracking/circuit_queue.hpp"
#include "optimize/backtracking/cost_threshold.hpp"
#include "optimize/backtracking/hash_set.hpp"
#include "optimize/backtracking/step_log.hpp"
#include "optimize/cost/packed_costs.hpp"
#include "optimize/cost/search_cost.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/coupling.hpp"
#include "rewrite/linked_circuit.hpp"
#include "rewrite/packed_circuit.hpp"
#include "rewrite/rule_index.hpp"

namespace quartz::optimizer {

struct BacktrackingResult;

struct BacktrackingLimits {
  std::uint64_t pops = 1000;           ///< circuits taken from the queue
  std::size_t queue_bytes = 64 << 20;  ///< beyond this size the worst circuits are dropped
  /// Accepts circuits up to `slack` gates above the best in the first objective (measured in its
  /// most expensive gate for weighted sums), if that exceeds what gamma permits. With 0 this is the
  /// search of the paper; a positive slack lets the search cross hills.
  std::uint64_t slack = 0;
  /// The gates' qubits in the whole circuit, for costs that depend on them; empty: unchanged.
  std::span<const Qubit> qubits;
  /// Permits gates only on coupled pairs of `qubits`; null: on any.
  const CouplingMap* coupling = nullptr;
  bool record_uses = false;     ///< whether to fill BacktrackingResult::uses
  bool record_history = false;  ///< whether to fill BacktrackingResult::derivation
  /// Called now and then, once the search has found something better, with the result so far.
  std::function<void(BacktrackingResult)> on_better = {};
  std::uint64_t seed = 0;  ///< chooses among circuits of equal cost
  Budget budget;           ///< only its time limit; pops are the ticks of this search
};

/// One rewrite: the number of the replacement in the index, and what it saved.
struct RuleUse {
  std::uint32_t replacement = 0;
  std::int32_t gates_removed = 0;
  std::int64_t saved = 0;  ///< saved in the first objective, in units
};

struct BacktrackingResult {
  /// A circuit of the least cost: the one expanded last, or the first one found if none was. The
  /// next search can start from it, so that a sequence of searches passes through equal circuits.
  rewrite::PackedCircuit circuit;
  SearchCost cost;
  /// If requested: the rewrites from the input to `circuit`, in order.
  std::vector<RuleUse> uses;
  /// How `circuit` was derived from the input.
  circuit::Derivation derivation = circuit::Derivation::unrecorded();
  std::uint64_t popped = 0;
  bool exhausted = false;  ///< every circuit within the threshold was expanded
};

/// Cost-based backtracking search (Quartz, arXiv 2204.09033, algorithm 2) with a priority queue of
/// whole circuits. It repeatedly takes the cheapest circuit and applies every rule at every place;
/// new circuits that cost less than gamma = 1.0001 times the best (or the best plus a slack) enter
/// the queue.
///
/// Accepts circuits of up to kPackedQubits qubits. Keeps its tables between runs; each thread needs
/// its own object.
class BacktrackingSearch {
 public:
  BacktrackingSearch(const rewrite::RuleIndex& rules, const Cost& cost);

  [[nodiscard]] BacktrackingResult run(std::span<const Operation> gates,
                                       const BacktrackingLimits& limits);
  [[nodiscard]] const rewrite::LabelTable& labels() const { return labels_; }

 private:
  /// A replacement with its angles evaluated for one match.
  struct Resolved {
    std::vector<rewrite::PackedGate> gates;  ///< qubits are the pattern's wires
    rewrite::PhaseNumber phase = 0;
    CostValue cost;  ///< cost, if independent of the qubits
  };
  struct ResolvedKey {
    std::uint32_t replacement = 0;
    std::array<rewrite::Label, rewrite::kMaxRuleParameters> labels{};
    friend bool operator==(const ResolvedKey&, const ResolvedKey&) = default;
  };
  struct ResolvedKeyHash {
    std::size_t operator()(const ResolvedKey& key) const noexcept;
  };

  [[nodiscard]] SearchCost cost_of(std::span<const rewrite::PackedGate> gates);
  /// Returns the cost of one gate of slack, in units of the first objective.
  [[nodiscard]] std::uint64_t unit_of_slack(std::span<const rewrite::PackedGate> gates);
  /// Returns null for a replacement whose angles or phase 64-bit fractions cannot express.
  [[nodiscard]] const Resolved* resolve(const rewrite::Replacement& replacement,
                                        const rewrite::Match& match);
  /// Does the same without looking it up. Throws OverflowError instead of returning null.
  [[nodiscard]] Resolved resolved(const rewrite::Replacement& replacement,
                                  const rewrite::Match& match, const ResolvedKey& key);

  /// Origin of a circuit: its predecessor and the rewrite.
  struct Step {
    std::uint32_t from = 0;  ///< as FoundCircuit::step
    RuleUse use;
  };

  /// Steps to all circuits that were pushed, as far as they are recorded.
  struct RecordedSteps {
    std::vector<Step> steps;
    StepLog log;                   ///< the same steps, if the history is recorded
    std::uint32_t to_circuit = 0;  ///< the step to BacktrackingResult::circuit
  };

  void expand(const FoundCircuit& found, const SearchCost& cost);
  /// Returns the result so far, with what was requested.
  [[nodiscard]] BacktrackingResult result_so_far(std::span<const Operation> gates);
  void try_replacement(const FoundCircuit& found, const SearchCost& cost,
                       const rewrite::Match& match, const rewrite::Replacement& replacement,
                       bool& placed, bool& convex);
  /// Returns whether all gates of replacement_ are on coupled qubits.
  [[nodiscard]] bool is_coupled() const;
  /// Returns the cost after a rewrite of the circuit in linked_; objectives that are not additive
  /// remain as before. Calls put_in_place if the cost depends on the qubits.
  [[nodiscard]] SearchCost cost_after(const SearchCost& before, const rewrite::Match& match,
                                      const Resolved& resolved);
  /// Returns the hash of the circuit in linked_ after the match is replaced by replacement_.
  [[nodiscard]] std::uint64_t hash_after(const rewrite::Match& match) const;
  /// Returns the circuit in which the match with this placement is replaced by replacement_. Throws
  /// OverflowError if its phase needs more than 64 bits.
  [[nodiscard]] rewrite::PackedCircuit rewritten(const rewrite::PackedCircuit& circuit,
                                                 std::size_t matched, rewrite::PhaseNumber phase);
  /// Fills replacement_ with the resolved gates on the match's qubits.
  void put_in_place(const Resolved& resolved, const rewrite::Match& match);
  /// Records a step and returns its number for FoundCircuit::step.
  [[nodiscard]] std::uint32_t record(std::uint32_t from, std::uint32_t replacement,
                                     const SearchCost& before, const SearchCost& after);
  [[nodiscard]] std::vector<RuleUse> uses_up_to(std::uint32_t step) const;
  /// Returns how packing the gates and the steps to `circuit` derived it.
  [[nodiscard]] circuit::Derivation derivation_of(std::span<const Operation> gates);

  const rewrite::RuleIndex& rules_;
  rewrite::LabelTable labels_;
  PackedCosts costs_;
  CostThreshold threshold_;
  rewrite::RuleIndex::Constants constants_;
  /// Nothing for replacements that cannot be expressed.
  std::unordered_map<ResolvedKey, std::optional<Resolved>, ResolvedKeyHash> resolved_;

  // State of the current run.
  BacktrackingLimits limits_;
  BacktrackingResult result_;
  CircuitQueue queue_;
  RecordedSteps recorded_;
  HashSet seen_;
  rewrite::LinkedCircuit linked_;
  rewrite::Placement placement_;
  std::vector<rewrite::PackedGate> replacement_;
};

}  // namespace quartz::optimizer
