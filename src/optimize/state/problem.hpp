#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "base/budget.hpp"
#include "flips/backend/flip_walks.hpp"
#include "optimize/state/class_tables.hpp"
#include "optimize/state/segments.hpp"
#include "parity_chains/backend/parity_walks.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/optimize/exactness.hpp"
#include "quartz/optimize/search_workers.hpp"
#include "quartz/rules/rule_set.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

class ChainDevices;
struct SearchCost;
struct Version;

/// What a search records in its result besides the best circuit.
struct RecordedParts {
  bool rules = false;            ///< OptimizeResult::rules is wanted
  bool gains = false;            ///< OptimizeResult::gains is wanted
  std::size_t alternatives = 0;  ///< the largest number of alternative circuits to keep
  bool history = false;          ///< OptimizeResult::history is wanted
};

/// Which rewrites may be computed in floating-point arithmetic, and how exact they have to be.
struct Accuracy {
  Exactness exactness = Exactness::keep;
  double epsilon = 0;  ///< OptimizeOptions::epsilon
};

/// What is found out about a circuit with effort. It is found for one cost, and kept for others.
struct CircuitFindings {
  /// What Pauli networks cost, where the simplified gates cost 1, once it is known.
  std::optional<double> ratio_of_networks;
  /// Index of the reach of the best networks (layer_rewriting/network_synthesis.hpp).
  std::size_t best_reach = 0;
};

/// Input of a search. All references outlive it.
struct Problem {
  const Circuit& circuit;  ///< in gates of the set, on coupled qubits
  const GateSet& set;
  const RuleSet& rules;
  Cost cost;
  const CouplingMap* coupling = nullptr;  ///< null: gates may act on any qubits
  Accuracy accuracy = {};
  unsigned threads = 1;
  std::uint64_t seed = 0;
  /// The budget of the whole search; each search gets a share of it.
  Budget budget = {};
  /// Amount of the budget at the start, which decides how deep a class table to build.
  Budget::Amount amount = {};
  RecordedParts record = {};
  /// Whether the runs of gates on one qubit of the circuit have been merged.
  bool has_merged_runs = false;
  std::uint64_t table_memory = 0;  ///< memory for building a class table, in bytes
  ClassTables& tables;
  /// Number of wires of its segments. Kept, because it takes a pass over all operations.
  std::uint32_t wires = segment_wires(circuit);
  /// Shared by copies for other costs.
  std::shared_ptr<CircuitFindings> findings = std::make_shared<CircuitFindings>();
  const flips::FlipBackend* device = nullptr;  ///< for large walks of flips; null: the host
  /// For walks through large tables of parities; null: the host.
  const parity_chains::ParityBackend* parity_device = nullptr;
  ChainDevices* chain_devices = nullptr;  ///< for sweeps of annealing; null: the host
  SearchWorkers* workers = nullptr;       ///< other processes; null: none
  /// Returns whether annealing should stay with the circuits of one thread until those of another
  /// one are clearly better. A certificate that has no time to replay the histories of all threads
  /// needs that. Called by several threads; empty if it is never wanted.
  std::function<bool()> follows_one_thread = {};
  /// Called with the name of the pass that made progress, from one thread at a time.
  std::function<void(std::string_view pass)> on_progress = {};
  /// Called with versions that may be the best so far, and with their costs, also from several
  /// threads at once. If it is empty, searches need not form such versions before they end.
  std::function<void(const Version& version, const SearchCost& cost)> on_version = {};
};

}  // namespace quartz::optimizer
