#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "circuit/derivation.hpp"
#include "classes/table/class_table.hpp"
#include "optimize/annealing/moves/move.hpp"
#include "optimize/cost/scalar_gate_cost.hpp"
#include "optimize/state/used_rules.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/circuit/operation.hpp"
#include "quartz/optimize/optimize.hpp"
#include "quartz/optimize/search_workers.hpp"

namespace quartz::optimizer {

struct LocalSearchLimits {
  /// The ticks are moves of annealing of each thread. With a budget in ticks the result depends
  /// only on the seed and the number of threads. The ticks are charged to the budget.
  Budget budget;
  unsigned threads = 1;
  /// Processes that search segments, too; null: none. The result does not depend on them, unless
  /// the time ends the search.
  SearchWorkers* workers = nullptr;
  std::uint64_t seed = 0;
  ScalarCost value;                       ///< to minimize, together with the cost of the table
  const CouplingMap* coupling = nullptr;  ///< pairs of qubits on which gates may act; null: any
  bool record_pairs = false;              ///< whether to fill LocalSearchResult::used_pairs
  bool record_history = false;            ///< whether to fill the history of the result
  /// Moves for each gate with which segments are annealed once their windows are optimal; 0: they
  /// are not.
  std::uint64_t moves_per_gate = 0;
  /// Called now and then with the gates so far, once they are better, from the calling thread.
  std::function<void(circuit::DerivedGates)> on_better = {};
  /// Called after each round with the number of moves so far, from the calling thread.
  std::function<void(std::uint64_t moves)> on_progress = {};
};

struct LocalSearchResult {
  /// The input equals e^{i phase} times the gates, of which the value is not above that of the
  /// input.
  circuit::DerivedGates gates;
  LocalOptimality optimality;
  AnnealingCounts counts;
  UsedPairs used_pairs;      ///< windows and replacements in letters of the table
  bool is_complete = false;  ///< whether no segment is left to be searched
};

/// Makes a list of gates locally optimal (Arora, Xu, Westrick, Wang, Sancheti, Acar: "Local
/// Optimization of Quantum Circuits", arXiv 2502.19526, and its parallel form POPQC, arXiv
/// 2506.13720): the list is cut into blocks, and two neighbouring ones are a segment, which is
/// searched by itself. In turn those that begin with an even and with an odd block are searched, so
/// that each cut is inside a segment of the next round. The segments of a round are searched in
/// parallel, and one is searched again only if a neighbour has changed it. The rounds end when no
/// segment improves. Other processes may search some of them (SegmentTeam).
///
/// First all windows of a segment are compared with the class table (WindowDescent). Then segments
/// are annealed, and windows compared again where that has found something.
[[nodiscard]] LocalSearchResult search_shifted_segments(const ClassTable& table,
                                                        std::span<const Operation> gates,
                                                        std::uint32_t wires,
                                                        const LocalSearchLimits& limits);

}  // namespace quartz::optimizer
