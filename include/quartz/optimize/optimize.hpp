#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/classes/class_table.hpp"
#include "quartz/optimize/exactness.hpp"
#include "quartz/rules/rule_set.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz {

class SearchWorkers;

enum class StopReason {
  exhausted,  ///< nothing is left to try within the search's own limits
  converged,  ///< no better circuit was found in as much work as had found the best, and more
  time_limit,
  step_limit,
  memory_limit,  ///< there was no memory to go on
  interrupted,   ///< the stop token requested a stop
};
[[nodiscard]] std::string_view to_string(StopReason reason);

/// Data of a progress line.
struct OptimizeProgress {
  std::string_view pass;  ///< "simplify", "anneal", "backtrack", ...
  CostValue best_cost;
  std::uint64_t circuits_popped = 0;
  double seconds = 0;
};

/// The best circuit so far, while the search goes on.
struct BestSoFar {
  Circuit circuit;
  bool numeric = false;  ///< as OptimizeResult::numeric
  double seconds = 0;    ///< since the start of the search
};

/// A search by name.
struct SearchName {
  std::string_view name;  ///< as on the command line
  std::string_view description;
};

/// Returns the list of searches.
[[nodiscard]] std::span<const SearchName> search_names();
/// Throws UsageError, listing the known searches, unless `names` is the name of a search or several
/// comma-separated names.
void require_search(std::string_view names);

/// Where those parts of a search run that have code for a device.
enum class SearchBackend : std::uint8_t {
  automatic,  ///< on a device where there is one, unless the limit is a number of steps
  cpu,
  cuda,  ///< on a CUDA device; an error if there is none
};

struct OptimizeOptions {
  Cost cost = CostKind::total;
  /// Time limit. With 0, only those of the searches are run whose work the size of the circuit
  /// bounds (simplify, fold, blocks, controlled), however long that takes, and fold if there is
  /// none.
  double seconds = 10;
  /// Part of `seconds` spent before the call, for example in translating the circuit, or kept for
  /// what follows it.
  double seconds_spent = 0;
  unsigned threads = 0;  ///< 0: all cores
  std::uint64_t seed = 0;
  /// Name of a search, or several comma-separated names: these run one after the other, with equal
  /// parts of the time or the steps.
  std::string search = "auto";
  /// Whether the circuit is what an earlier call with these options found, and the search goes on:
  /// searches that do not apply to it (any more) are then left out, and are no error.
  bool continues = false;
  Exactness exactness = Exactness::keep;
  /// Bound on the operator norm of the difference between the result and the input, up to a global
  /// phase, in [0, 1]. With 0, they are equal up to rounding errors. Circuits with opaque
  /// operations are optimized as with 0.
  double epsilon = 0;
  /// Number of steps of the search, which replaces the time limit; 0: use the time limit. With
  /// steps, the result depends only on the options, the seed and the number of threads. A step is
  /// an annealing move on each thread; a circuit that backtracking takes from its queue counts as 8
  /// steps, and simplification as none.
  std::uint64_t steps = 0;
  /// Where flips of products run (`--search products`), and with `cuda`, in other searches than
  /// `auto`, also sweeps of annealing. A device that fails is left, and the search goes on without
  /// it.
  SearchBackend backend = SearchBackend::automatic;
  /// Other processes that take a part of the work of some searches (has_tasks_for_workers); null:
  /// none. With steps, the result does not depend on them.
  SearchWorkers* workers = nullptr;
  /// Pairs of qubits on which gates of the result may act; the input must respect them too.
  std::optional<CouplingMap> coupling = {};
  bool record_rules = false;  ///< whether to fill OptimizeResult::rules
  bool record_gains = false;  ///< whether to fill OptimizeResult::gains
  /// Memory limit for building a class table, in bytes; the depth of the table is reduced to fit.
  std::uint64_t table_memory = ClassTableOptions().memory;
  /// Looks for an existing class table, so that none must be built. The arguments are the gate set
  /// (the target or another set that is searched on the way) and the requested table. May return
  /// null, or another table of the gate set.
  std::function<std::shared_ptr<const ClassTable>(const GateSet&, const ClassTableOptions&)>
      find_class_table;
  /// Called after building a class table. The table may be shallower than requested if memory ran
  /// out.
  std::function<void(const GateSet&, const ClassTableOptions&, std::shared_ptr<const ClassTable>)>
      on_class_table;
  std::function<void(const OptimizeProgress&)> on_progress;  ///< called from one thread at a time
  /// Called with the best circuit so far within a second after it was found, from a thread of its
  /// own, while the search goes on; not for the result. If that circuit takes longer to copy or the
  /// call takes longer, the calls are less frequent. What it throws is thrown by optimize() at the
  /// end.
  std::function<void(const BestSoFar&)> on_better;
  std::stop_token stop;
};

/// Contribution of one kind of pass to the result.
struct OptimizePass {
  std::string_view name;  ///< as in OptimizeProgress::phase
  std::string_view description;
  std::uint64_t runs = 0;
  std::uint64_t runs_that_paid = 0;  ///< runs that made the best circuit cheaper
  std::int64_t gates_removed = 0;    ///< from the best circuit; negative if it has more gates
  double seconds = 0;
  double processor_seconds = 0;  ///< what all threads of the process used meanwhile
};

/// Kinds of rewrites by which a search replaces circuits.
enum class RewriteKind : std::uint8_t {
  rule,       ///< a rule of the rule set, applied by backtracking
  window,     ///< a window replaced through the class table by annealing
  parity,     ///< a CNOT+Rz block replaced by annealing through its phase polynomial
  rotations,  ///< rotations moved and merged by annealing
  /// All replacements by annealing that did not lead to a new best circuit themselves.
  detours,
};
[[nodiscard]] std::string_view to_string(RewriteKind kind);

/// A rewrite: left = e^{i phase} right. Both sides are empty for kinds without two sides. Qubits
/// are numbered from 0, regardless of their numbers in the circuit; the angles of a rule are its
/// parameters, and p0 in a window denotes any angle.
struct Rewrite {
  std::string_view pass;  ///< OptimizePass::name
  RewriteKind kind{};
  std::vector<Operation> left;
  std::vector<Operation> right;
  Angle phase;
};

/// Contribution of a rewrite to the result.
struct RewriteGain {
  Rewrite rewrite;
  /// Number of uses: in backtracking, all uses on the way to the result; in annealing, only those
  /// that gave a new best circuit, because most of the millions of other replacements cancel one
  /// another. These are counted together (RewriteKind::detours).
  std::uint64_t uses = 0;
  /// Number of gates that these uses removed themselves; negative if they added gates. These
  /// numbers add up to the gates that the passes removed before they simplified.
  std::int64_t gates_removed = 0;
};

/// Numbers of products of three linear forms, such as Toffoli and CCZ gates have, in a circuit.
struct ProductCounts {
  std::size_t before = 0;  ///< those that were recognized
  std::size_t after = 0;   ///< the fewest of an equal circuit that a search found

  bool operator==(const ProductCounts&) const = default;
};

/// Fragments of a circuit that are repeated, and were optimized once for all copies.
struct RepetitionCounts {
  std::size_t fragments = 0;  ///< different ones
  std::size_t copies = 0;     ///< those of all fragments
  std::size_t gates = 0;      ///< those of all copies, before

  bool operator==(const RepetitionCounts&) const = default;
};

/// How much of a circuit is known to be locally optimal. Its list of gates was cut into blocks, and
/// two neighbouring blocks are a segment.
struct LocalOptimality {
  std::size_t gates = 0;  ///< those of the circuit
  /// Gates of which no segment has a window that costs more than the class table knows: a convex
  /// part of the segment, grown from any of its gates, on as many wires as the table has.
  std::size_t in_windows = 0;
  /// Those of which also no segment got cheaper when it was annealed.
  std::size_t in_segments = 0;
  std::size_t gates_of_segment = 0;  ///< average size of a segment
  std::uint64_t moves_per_gate = 0;  ///< moves of annealing; 0 if segments were not annealed

  bool operator==(const LocalOptimality&) const = default;
};

/// What sweeps of annealing on a device have done.
struct DeviceAnnealing {
  std::uint64_t devices = 0;    ///< the largest number of devices that worked together
  std::uint64_t chains = 0;     ///< the largest number of chains at a time, on all devices
  std::uint64_t sweeps = 0;     ///< by all chains at once
  std::uint64_t moves = 0;      ///< windows examined by all chains
  std::uint64_t confirmed = 0;  ///< parts of the circuit that the host has proved and replaced
  std::uint64_t refuted = 0;    ///< those that the host did not find again; none is expected

  bool operator==(const DeviceAnnealing&) const = default;
};

/// Adds what a later search has done on a device.
void add_to(std::optional<DeviceAnnealing>& total, const std::optional<DeviceAnnealing>& next);

struct OptimizeResult {
  Circuit circuit;
  StopReason stop_reason = StopReason::exhausted;
  std::uint64_t circuits_popped = 0;
  std::uint64_t annealing_moves = 0;  ///< windows examined by annealing on the host
  /// Nothing if no device was used.
  std::optional<DeviceAnnealing> device_annealing = {};
  /// The products of the circuit, if a search looked for fewer of them. The result may come from
  /// another circuit than the one with the fewest.
  std::optional<ProductCounts> products = {};
  /// The fragments of the circuit, if a search has looked for cheaper ones. The result may come
  /// from a circuit in which other searches changed them again.
  std::optional<RepetitionCounts> repetitions = {};
  /// Local optimality of the circuit that the last search of segments has left, if there was one.
  /// The result may come from a circuit in which other searches changed gates again.
  std::optional<LocalOptimality> local_optimality = {};
  /// Whether a rewrite in the result relies on floating-point numbers (two-qubit blocks with angles
  /// other than multiples of pi/4), each confirmed to 1e-12; otherwise all are exact.
  bool numeric = false;
  /// If requested: every replacement that annealing made and proved, whether or not it led to the
  /// result, as classes of two circuits on at most three qubits, each once up to relabelling. All
  /// are in gates of the set, because no other set is searched in this case. Phase folding and
  /// moves of rotations use no rules; backtracking uses the given ones.
  std::vector<EquivalenceClass> rules;
  /// If requested: the rewrites that led to the result, by pass; within each pass, those that saved
  /// the most come first (saved cost; in another gate set, gates).
  std::vector<RewriteGain> gains;
  std::vector<OptimizePass> passes;  ///< the passes that ran, in the order of their first run
  double seconds = 0;
  unsigned threads = 0;                         ///< number that was used
  std::vector<ClassTableSummary> class_tables;  ///< that annealing used, of all gate sets
};

/// Returns the circuit with every gate of the set on two qubits that points against the direction
/// of the map reversed: on exchanged qubits, with gates of the set on one qubit around it if the
/// gate is not symmetric. Gates for which no such rewrite is known stay. The number of two-qubit
/// gates stays the same.
[[nodiscard]] Circuit fix_gate_directions(const Circuit& circuit, const GateSet& set,
                                          const CouplingMap& map);

/// Optimizes a circuit by the searches named in the options. The input must already be in the gate
/// set (translate). The result is equal to it, including the global phase, and never costs more.
/// Optimization boundaries are kept, in their order. Gates do not cross them on their qubits,
/// except that diagonal gates cross measurements; gates on other qubits are rewritten across them,
/// unless the cost depends on a longest chain. Consecutive gates under one condition are optimized
/// as a separate circuit. Throws UsageError for a circuit outside the set, for a cost without a
/// weight for one of its gates, and for a search that does not apply to the circuit, the gate set
/// or the options, with the reason.
[[nodiscard]] OptimizeResult optimize(const Circuit& circuit, const GateSet& set,
                                      const RuleSet& rules, const OptimizeOptions& options);

}  // namespace quartz
