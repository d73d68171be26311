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
#include "quartz/enumerate/class_table.hpp"
#include "quartz/gateset/gate_set.hpp"
#include "quartz/optimize/exactness.hpp"
#include "quartz/rules/rule_set.hpp"

namespace quartz {

enum class StopReason {
  exhausted,  ///< nothing left to try within the search's own limits
  converged,  ///< nothing better found in as much work as found the best, and more
  time_limit,
  step_limit,
  interrupted,  ///< the stop token
};
[[nodiscard]] std::string_view to_string(StopReason reason);

/// What a progress line shows.
struct OptimizeProgress {
  std::string_view phase;  ///< "simplify", "anneal", "search"
  CostValue best_cost;
  std::uint64_t circuits_popped = 0;
  double seconds = 0;
};

/// A way to look for equal circuits.
struct SearchName {
  std::string_view name;  ///< as on the command line
  std::string_view description;
};

/// THE list of searches.
[[nodiscard]] std::span<const SearchName> search_names();
/// Throws UsageError, listing the known searches, unless `names` is the name of a search or several
/// names with commas between them.
void require_search(std::string_view names);

struct OptimizeOptions {
  Cost cost = CostKind::total;
  /// With 0 the circuit is only simplified, however long that takes.
  double seconds = 10;
  /// What of these went by before, in translating the circuit, say.
  double seconds_spent = 0;
  unsigned threads = 0;  ///< 0: all cores
  std::uint64_t seed = 0;
  /// Name of a search, or several with commas between them: these run one after the other, with
  /// equal parts of the time or the steps.
  std::string search = "auto";
  Exactness exactness = Exactness::keep;
  /// Steps of the search in place of a time limit, which is ignored then; 0: none. The result then
  /// depends on the options, the seed and the number of threads only. A step is an annealing move on
  /// each thread; a circuit that backtracking takes from its queue counts as 8 steps, and
  /// simplification as none.
  std::uint64_t steps = 0;
  /// The result has gates between these pairs of qubits only; the circuit must, too.
  std::optional<CouplingMap> coupling = {};
  bool record_rules = false;     ///< OptimizeResult::rules is wanted
  bool record_gains = false;     ///< OptimizeResult::gains is wanted
  std::size_t alternatives = 0;  ///< the most that OptimizeResult::alternatives has
  /// Bytes that a class table may take while it is built; its depth gives way.
  std::uint64_t table_memory = ClassTableOptions().memory;
  /// Looks for a class table that is there already, so that none must be built; given what is
  /// wanted (of the target or of another gate set that is searched on the way), and free to return
  /// nothing, or another table of that gate set.
  std::function<std::shared_ptr<const ClassTable>(const GateSet&, const ClassTableOptions&)>
      find_class_table;
  /// Told of a class table that was wanted and then built; where memory is short it is less.
  std::function<void(const GateSet&, const ClassTableOptions&, std::shared_ptr<const ClassTable>)>
      on_class_table;
  std::function<void(const OptimizeProgress&)> on_progress;  ///< called from one thread at a time
  std::stop_token stop;
};

/// What one kind of pass did for the result.
struct OptimizePass {
  std::string_view name;  ///< as in OptimizeProgress::phase
  std::string_view description;
  std::uint64_t runs = 0;
  std::uint64_t runs_that_paid = 0;  ///< those that made the best circuit cheaper
  std::int64_t gates_removed = 0;    ///< from the best circuit; negative where it took more gates
  double seconds = 0;
};

/// The kinds of rewrites by which a search goes from circuit to circuit.
enum class RewriteKind : std::uint8_t {
  rule,       ///< of the rule set, in backtracking
  window,     ///< the others in annealing: a window replaced through the class table,
  region,     ///< a region of CNOTs and Z rotations written anew,
  rotations,  ///< and rotations that moved and met
};
[[nodiscard]] std::string_view to_string(RewriteKind kind);

/// left = e^{i phase} right; no gates where the kind has no two sides. Qubits are numbered from 0,
/// whatever they were in the circuit; the angles of a rule are its parameters, and p0 in a window
/// stands for any angle.
struct Rewrite {
  std::string_view pass;  ///< OptimizePass::name
  RewriteKind kind{};
  std::vector<Operation> left;
  std::vector<Operation> right;
  Angle phase;
};

/// What a rewrite did on the way to the result.
struct RewriteGain {
  Rewrite rewrite;
  /// In backtracking every use on the way; in annealing those that made a circuit better than all
  /// before it (what else the walk replaced by the million mostly undid itself).
  std::uint64_t uses = 0;
  /// In backtracking by the uses; in annealing from one best circuit to the next. They add up to
  /// what the passes took away before they simplified; negative where the cost fell with more
  /// gates.
  std::int64_t gates_removed = 0;
};

/// Another circuit that a search came by.
struct AlternativeCircuit {
  Circuit circuit;
  bool numeric = false;  ///< as OptimizeResult::numeric
};

struct OptimizeResult {
  Circuit circuit;
  StopReason stop_reason = StopReason::exhausted;
  std::uint64_t circuits_popped = 0;
  std::uint64_t annealing_moves = 0;
  /// Whether a rewrite in the result rests on floating-point numbers (two-qubit blocks with angles
  /// other than multiples of pi/4), each confirmed to 1e-12; otherwise all are exact.
  bool numeric = false;
  /// If asked for: every replacement that annealing made and had proved, on the way to the result
  /// or off it, as classes of two circuits on at most three qubits, each once up to relabelling.
  /// All in gates of the set: no other set is searched on the way then.
  /// Phase folding and the moving of rotations rest on no rules, backtracking on those given.
  std::vector<EquivalenceClass> rules;
  /// If asked for: the rewrites that led to the result, pass by pass; of each pass those first that
  /// saved most of what was to be made small (in another gate set: gates).
  std::vector<RewriteGain> gains;
  /// If asked for: circuits equal to the given one that annealing came by, of about the least cost,
  /// and as a rule different from each other and from the result. For who knows another cost that
  /// tells them apart.
  std::vector<AlternativeCircuit> alternatives;
  std::vector<OptimizePass> passes;  ///< those that ran, in the order of their first run
  double seconds = 0;
  unsigned threads = 0;                         ///< number that was used
  std::vector<ClassTableSummary> class_tables;  ///< that annealing used, of all gate sets
};

/// The circuit with every cx and ecr that stands against the direction of the map turned round,
/// between gates of the set on one qubit; their number on two stays.
[[nodiscard]] Circuit turned_round(const Circuit& circuit, const GateSet& set,
                                   const CouplingMap& map);

/// Phase folding and two-qubit blocks, then annealing over a class table, then backtracking over
/// the rules. The input must be in the gate set already (translate). The result is equal to it,
/// global phase included, and never costs more. Walls are kept, in order, and never crossed; gates
/// that follow one another under one condition are optimized as a circuit of their own. Throws
/// UsageError for a circuit outside the set and for a cost without a weight for one of its gates.
[[nodiscard]] OptimizeResult optimize(const Circuit& circuit, const GateSet& set,
                                      const RuleSet& rules, const OptimizeOptions& options);

}  // namespace quartz
