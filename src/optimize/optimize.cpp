#include "quartz/optimize/optimize.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "optimize/annealing_search.hpp"
#include "optimize/backtracking.hpp"
#include "optimize/blocks.hpp"
#include "optimize/direction.hpp"
#include "optimize/gains.hpp"
#include "optimize/gate_values.hpp"
#include "optimize/intermediate_set.hpp"
#include "optimize/numeric_angle.hpp"
#include "optimize/qubit_groups.hpp"
#include "optimize/regions.hpp"
#include "optimize/simplification.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/errors.hpp"
#include "quartz/gateset/cost_file.hpp"
#include "quartz/rules/rule_set.hpp"
#include "rewrite/rule_index.hpp"
#include "rewrite/wire_lists.hpp"

namespace quartz {
namespace {

using Clock = std::chrono::steady_clock;

/// Regions are of this many gates, one of the two sizes chosen in each round.
constexpr std::size_t kSmallRegion = 24;
constexpr std::size_t kLargeRegion = 48;
/// Circuits taken from a region's queue in one round.
constexpr std::uint64_t kPopsOfRegion = 400;
/// A circuit up to this size is searched whole, and to the end; then again with more slack, up to
/// the largest.
constexpr std::size_t kWholeCircuit = 60;
constexpr std::uint64_t kLargestSlack = 4;
/// The slacks that regions of a larger circuit are searched with, chosen at random.
constexpr std::array<std::uint64_t, 4> kRegionSlacks{0, 0, 1, 2};
/// How deep a class table a search builds where none is there already: as deep as so many classes
/// go. Two threads find some 1.6 million a second. A level deeper leads further, with 1% fewer
/// gates, but takes 8 times as long: in the gate set nam 0.3 s, 4 s and 24 s for costs 5, 6 and 7.
constexpr double kClassesASecond = 1.2e6;
constexpr double kLeastClasses = 1e5;
constexpr double kMostClasses = 1e8;
/// What a move of the annealing takes, about.
constexpr double kSecondsAMove = 1e-6;
constexpr unsigned kDeepestTable = 12;
/// Of the time, where backtracking gets the rest.
constexpr double kAnnealingShare = 0.9;
/// Of the annealing's time, what is spent in the intermediate gate set where that is the way to go.
constexpr double kIntermediateShare = 0.5;
/// That goes in rounds of about so many moves a gate of the target's, more where there would be too
/// many rounds, each from the best so far: the blocks on two qubits of a target with rzz(theta) or
/// iswap are not what the walk there sees. Of 500 to 16,000 moves a gate, rounds of 1,000 to 4,000
/// lead equally far, and rounds of more less.
constexpr double kMovesOfRound = 2000;
constexpr double kMostRounds = 32;
/// Where it may be: for the circuit as it is, for the intermediate set, and for what comes from
/// there. The better one of the two has the rest.
constexpr double kDirectTrialShare = 0.15;
constexpr double kIntermediateTrialShare = 0.15;
constexpr double kReturnedTrialShare = 0.1;
/// Circuits that are equally good there end with more or fewer gates in a set whose gates on two
/// qubits it does not count: so many of those that the annealing comes by, fewer where they have
/// many gates, are translated back and simplified, in this share of its time.
constexpr std::size_t kMostAlternatives = 256;
constexpr std::size_t kGatesOfAlternatives = 200'000;
constexpr double kAlternativesShare = 0.2;
/// With less time than that nothing is: the least class table of the set takes 0.3 s to build.
constexpr double kTimeForIntermediate = 1;
/// Likewise where the set itself has no class table, and only backtracking is left.
constexpr double kTimeForOnlyIntermediate = 0.1;
/// A search in the intermediate set is given at least this many seconds: with 0 it would simplify
/// without a limit.
constexpr double kLeastSeconds = 1e-6;
/// Copying a circuit of millions of gates takes a noticeable part of the time, so work on the whole
/// circuit is estimated in copies. After the deadline the search needs about kCopiesToEnd of them
/// to return its result. The deadline is moved forward where they take longer than the time limit
/// may be exceeded by: this share of it, and these seconds.
constexpr double kCopiesToEnd = 4;
constexpr double kExcessShare = 0.1;
constexpr double kExcessSeconds = 0.3;
/// Estimates for steps that are skipped where too little time is left for them: resynthesis of all
/// two-qubit blocks, a round of backtracking, annealing (a fixed part, and a part for each thread),
/// and annealing in the intermediate set.
constexpr double kCopiesOfBlocks = 6;
constexpr double kCopiesOfRound = 12;
constexpr double kCopiesOfAnnealing = 8;
constexpr double kCopiesOfThread = 8;
constexpr double kCopiesOfIntermediate = 60;
constexpr std::uint32_t kMostWires = std::numeric_limits<Wire>::max();
/// After this many moves a gate with nothing better the automatic search leaves it at what it has.
constexpr std::uint64_t kPatienceAGate = 200'000;

/// Of the table that is built in a search with so much time, or by steps.
std::uint64_t most_classes(const OptimizeOptions& options) {
  const double seconds =
      options.steps == 0 ? options.seconds : kSecondsAMove * static_cast<double>(options.steps);
  return static_cast<std::uint64_t>(
      std::clamp(kClassesASecond * seconds, kLeastClasses, kMostClasses));
}

/// What progress lines and reports call a pass.
struct PassKind {
  std::string_view name;
  std::string_view description;
};
constexpr PassKind kSimplify{"simplify", "rotations folded, two-qubit blocks resynthesized"};
constexpr PassKind kIntermediate{"anneal elsewhere",
                                 "annealed in {h, x, rz, cx}, and translated back"};
constexpr PassKind kAnneal{"anneal", "windows replaced through the class table"};
constexpr PassKind kSearch{"search", "backtracking over the rules"};

/// The blocks in the form that annealing takes. Annealing numbers qubits with 16 bits, so the
/// blocks of a circuit on more than kMostWires qubits are cut into groups of qubits.
class AnnealedParts {
 public:
  AnnealedParts(std::span<const Block> blocks, std::uint32_t qubits)
      : is_cut_(qubits > kMostWires), qubits_(is_cut_ ? kMostWires : qubits) {
    for (const Block& block : blocks) {
      if (!is_cut_) {
        circuits_.emplace_back(block.gates);
        continue;
      }
      groups_.push_back(split_by_qubits(block.gates, kMostWires));
      for (const QubitGroup& group : groups_.back()) circuits_.emplace_back(group.gates);
    }
  }

  [[nodiscard]] std::span<const std::span<const Operation>> circuits() const { return circuits_; }
  [[nodiscard]] std::uint32_t qubits() const { return qubits_; }

  /// Joins the circuits of all parts into one circuit for each block.
  [[nodiscard]] std::vector<PhasedGates> joined(std::vector<PhasedGates> parts) const {
    if (!is_cut_) return parts;
    std::vector<PhasedGates> blocks;
    auto part = parts.begin();
    for (const std::vector<QubitGroup>& groups : groups_) {
      PhasedGates& block = blocks.emplace_back();
      for (const QubitGroup& group : groups) {
        block.phase.add_phase(part->phase);
        append_group(group, std::move(part++->gates), block.gates);
      }
    }
    return blocks;
  }

 private:
  bool is_cut_;
  std::uint32_t qubits_;
  std::vector<std::vector<QubitGroup>> groups_;  ///< of each block
  std::vector<std::span<const Operation>> circuits_;
};

/// The search of one circuit: its blocks, the threads' searches, and the best so far.
class Optimization {
 public:
  Optimization(const Circuit& circuit, const GateSet& set, const RuleSet& rules,
               const OptimizeOptions& options, Clock::time_point start)
      : circuit_(circuit),
        set_(set),
        rule_set_(rules),
        rules_(rules),
        options_(options),
        start_(start),
        deadline_(start_ + duration_of(std::min(options.seconds, 1e9) - options.seconds_spent)),
        random_(options.seed),
        simplification_(circuit, set, options.cost, options.exactness) {
    if (options.coupling && options.coupling->directed()) {
      directions_.emplace(set, *options.coupling);
    }
    unsigned threads = options.threads;
    if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
    for (unsigned i = 0; i < threads; ++i) {
      searches_.push_back(std::make_unique<BacktrackingSearch>(rules_, options.cost));
    }
  }

  [[nodiscard]] OptimizeResult run();

 private:
  /// The circuit as it is rewritten; kept whole where a rewrite may have to be undone.
  struct State {
    std::vector<Block> blocks;
    Angle phase;           ///< what the rewrites add to the global phase
    bool numeric = false;  ///< whether the blocks rest on floating-point numbers
    Gains gains;           ///< of what led here, if asked for
  };

  /// One region on its way through a round.
  struct Task {
    std::size_t block = 0;
    Region region;
    std::uint64_t pops = 0;
    std::uint64_t slack = 0;
    std::vector<Operation> result;
    Angle phase;
    std::vector<RuleUse> uses;
    std::uint64_t popped = 0;
    bool whole_block = false;
    bool exhausted = false;
    bool better = false;
  };

  [[nodiscard]] static Clock::duration duration_of(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }
  /// Splits the circuit into blocks, measures how long a copy of it takes, and moves the deadline
  /// forward accordingly.
  void split_circuit();
  void simplify_all(bool with_blocks = true);
  /// What a run of the annealing may take: a time or, where that is not 0, moves of each thread.
  struct AnnealingBudget {
    double seconds = 0;
    std::uint64_t steps = 0;

    [[nodiscard]] AnnealingBudget share(double part) const {
      const auto some = static_cast<std::uint64_t>(part * static_cast<double>(steps));
      return {part * seconds, steps == 0 ? 0 : std::max<std::uint64_t>(some, 1)};
    }
  };
  /// Of all annealing that there is time for now.
  [[nodiscard]] AnnealingBudget annealing_budget() const;
  /// Finds or builds table_, if it is not there; false where that was stopped.
  [[nodiscard]] bool require_table();
  /// Whether it came to its end before its time; likewise the next.
  bool anneal_all(const AnnealingBudget& budget);
  [[nodiscard]] bool anneal_and_simplify();
  /// Whether so much time is given, and all rewrites need not be in the set.
  [[nodiscard]] bool may_leave_set(double least_seconds) const;
  /// Goes on with the best of what comes from there, whatever it costs; alternatives take part of
  /// the budget. False where nothing comes.
  bool anneal_in_intermediate_set(const AnnealingBudget& budget, bool with_alternatives);
  /// Of a search in the intermediate set; they refer to this one.
  [[nodiscard]] OptimizeOptions options_there(const AnnealingBudget& budget,
                                              bool with_alternatives);
  /// Likewise, in rounds, of which those count that lead to a better circuit than the best.
  void gain_from_intermediate_set(const AnnealingBudget& budget);
  /// Goes on with a circuit that comes from there, simplified. False where that cannot be.
  bool go_on_with(Circuit circuit, bool numeric);
  /// With others that equal them.
  static void replace_blocks(State& state, std::vector<PhasedGates> circuits);
  /// What the annealing of the blocks as they are now came by: each a circuit for every block.
  void add_alternatives(std::vector<std::vector<PhasedGates>> alternatives);
  void choose_start();
  StopReason backtrack();
  StopReason search();
  /// Throws InternalError if the best circuit leaves the gate set or the coupling map.
  void check_better() const;
  [[nodiscard]] bool anneals() const;
  [[nodiscard]] bool is_directed() const { return directions_.has_value(); }
  /// Some gates cannot be turned round.
  [[nodiscard]] bool keeps_directions(const Circuit& circuit) const {
    return !is_directed() || !uncoupled_gate(circuit, *options_.coupling);
  }
  /// Of what knows nothing of directions.
  void turn_round(Block& block);
  [[nodiscard]] const CouplingMap* coupling() const {
    return options_.coupling ? &*options_.coupling : nullptr;
  }
  /// Whether all angles are multiples of pi/4.
  [[nodiscard]] bool is_exact() const;
  [[nodiscard]] std::shared_ptr<const ClassTable> class_table(
      const GateSet& set, const ClassTableOptions& wanted) const;
  /// Searches a region of every block's every gate once. False when nothing is left to find.
  bool search_round(std::uint64_t round);
  [[nodiscard]] std::vector<Task> make_tasks(std::uint64_t round);
  void work_off(std::vector<Task>& tasks, std::uint64_t round);
  void finish(Task& task, BacktrackingResult result, const LabelTable& labels);
  /// A rewrite of the block's gates came with this phase, which under a condition cannot be
  /// observed.
  void add_phase(const Block& block, const Angle& phase) { add_phase(now_, block, phase); }
  static void add_phase(State& state, const Block& block, const Angle& phase) {
    if (block.condition == nullptr) state.phase.add_phase(phase);
  }
  void add_gains(const Task& task);
  void add_gains(const AnnealingResult& result);
  /// Of the search in the intermediate set.
  void add_gains(std::vector<RewriteGain> gains);
  /// Runs one pass and enters it into the reports.
  void run_pass(const PassKind& kind, const std::function<void()>& pass);
  void keep_best();
  [[nodiscard]] const Circuit& best() const { return better_ ? *better_ : circuit_; }
  void report(std::string_view phase);
  /// Whether the search ends after a number of steps, whatever the time.
  [[nodiscard]] bool goes_by_steps() const {
    return options_.steps != 0 && options_.search == SearchKind::annealing;
  }
  [[nodiscard]] bool out_of_time() const { return !goes_by_steps() && Clock::now() >= deadline_; }
  [[nodiscard]] bool interrupted() const { return out_of_time() || options_.stop.stop_requested(); }
  /// Whether enough time is left for work that takes as long as `copies` copies of the circuit.
  /// Records in cut_short_ if not.
  [[nodiscard]] bool has_time_for(double copies) {
    if (goes_by_steps()) return true;
    const std::chrono::duration<double> left = deadline_ - Clock::now();
    const bool has_time = left.count() > copies * copy_seconds_;
    cut_short_ = cut_short_ || !has_time;
    return has_time;
  }
  /// Returns the cost of the current blocks.
  [[nodiscard]] SearchCost cost_now() const;
  [[nodiscard]] SearchCost cost_of(const Circuit& circuit) const;
  [[nodiscard]] Circuit joined() const { return joined(now_); }
  [[nodiscard]] Circuit joined(const State& state) const;
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

  const Circuit& circuit_;
  const GateSet& set_;
  const RuleSet& rule_set_;
  const RuleIndex rules_;
  const OptimizeOptions& options_;
  const Clock::time_point start_;
  /// Of the whole, or of the search that is under way.
  Clock::time_point deadline_;
  double copy_seconds_ = 0;  ///< measured time of one copy of the circuit
  bool cut_short_ = false;   ///< whether some step was skipped for lack of time
  std::mt19937_64 random_;
  std::optional<Directions> directions_;  ///< of the map, if it has any
  std::vector<std::unique_ptr<BacktrackingSearch>> searches_;
  Simplification simplification_;
  State now_;
  std::optional<Circuit> better_;  ///< than the input
  bool best_is_numeric_ = false;
  Rewrites rewrites_;
  Gains best_gains_;
  SearchCost best_cost_;
  std::atomic<std::uint64_t> popped_ = 0;
  std::uint64_t annealing_moves_ = 0;
  std::shared_ptr<const ClassTable> table_;  ///< of the annealing
  /// Of that in the intermediate set: without symbolic letters, and with them.
  std::array<std::shared_ptr<const ClassTable>, 2> intermediate_tables_;
  std::vector<UsedPair> used_pairs_;
  std::vector<AlternativeCircuit> alternatives_;
  std::vector<OptimizePass> passes_;
  std::uint64_t slack_ = 0;  ///< of blocks that are searched whole
};

void Optimization::run_pass(const PassKind& kind, const std::function<void()>& pass) {
  const SearchCost before = best_cost_;
  const double start = seconds();
  pass();
  auto entry = std::find_if(passes_.begin(), passes_.end(),
                            [&](const OptimizePass& each) { return each.name == kind.name; });
  if (entry == passes_.end()) {
    entry = passes_.insert(entry, OptimizePass{kind.name, kind.description});
  }
  ++entry->runs;
  entry->seconds += seconds() - start;
  entry->gates_removed +=
      static_cast<std::int64_t>(before.total) - static_cast<std::int64_t>(best_cost_.total);
  if (best_cost_ < before) ++entry->runs_that_paid;
  report(kind.name);
}

SearchCost Optimization::cost_of(const Circuit& circuit) const {
  return {quartz::cost_of(circuit, options_.cost), count_gates(circuit).total};
}

SearchCost Optimization::cost_now() const {
  if (!options_.cost.additive()) return cost_of(joined());
  SearchCost cost;
  const auto add = [&](const Operation& operation) {
    cost.objectives += options_.cost.gate_cost(operation);
    if (operation.kind == OperationKind::gate) ++cost.total;
  };
  for (const Block& block : now_.blocks) {
    for (const Operation& gate : block.gates) add(gate);
    if (block.wall) add(*block.wall);
  }
  return cost;
}

Circuit Optimization::joined(const State& state) const {
  Circuit circuit = without_operations(circuit_);
  circuit.operations = join_blocks(state.blocks);
  circuit.global_phase.add_phase(state.phase);
  circuit.global_phase = circuit.global_phase.reduced_symmetric(2);
  return circuit;
}

void Optimization::keep_best() {
  const SearchCost cost = cost_now();
  if (cost < best_cost_) {
    better_ = joined();
    best_cost_ = cost;
    best_is_numeric_ = now_.numeric;
    best_gains_ = now_.gains;
  }
}

void Optimization::report(std::string_view phase) {
  if (!options_.on_progress) return;
  options_.on_progress({phase, best_cost_.objectives, popped_, seconds()});
}

void Optimization::turn_round(Block& block) {
  PhasedGates turned = directions_->turned_round(block.gates);
  add_phase(block, turned.phase);
  block.gates = std::move(turned.gates);
}

void Optimization::simplify_all(bool with_blocks) {
  const bool only_simplifies = options_.seconds == 0 && options_.steps == 0;
  const auto ends = [&] {
    return only_simplifies ? options_.stop.stop_requested() : interrupted();
  };
  if (ends()) return keep_best();
  const auto ends_soon = [&] { return ends() || !has_time_for(kCopiesOfBlocks); };
  // Where costs do not add up over blocks, or gates are turned round, it may get worse: then it is
  // undone.
  const bool adds_up = options_.cost.additive() && !is_directed();
  State before = adds_up ? State() : now_;
  const SearchCost cost_before = adds_up ? SearchCost() : cost_of(joined());
  for (Block& block : now_.blocks) {
    if (block.gates.empty()) continue;
    if (ends()) break;
    SimplifiedGates simplified = with_blocks && !interrupted()
                                     ? simplification_.run(block.gates, ends_soon)
                                     : simplification_.fold(block.gates, ends);
    add_phase(block, simplified.phase);
    block.gates = std::move(simplified.gates);
    now_.numeric = now_.numeric || simplified.numeric;
    if (is_directed()) turn_round(block);
  }
  const auto is_worse = [&] {
    const Circuit circuit = joined();
    return cost_of(circuit) > cost_before || !keeps_directions(circuit);
  };
  if (!adds_up && is_worse()) {
    now_ = std::move(before);
    if (with_blocks && is_directed()) return simplify_all(false);
  }
  keep_best();
}

bool Optimization::anneals() const {
  if (options_.search == SearchKind::annealing) return true;
  return options_.search == SearchKind::automatic && options_.cost.additive();
}

bool Optimization::is_exact() const {
  return std::all_of(now_.blocks.begin(), now_.blocks.end(), [](const Block& block) {
    return std::all_of(block.gates.begin(), block.gates.end(), [](const Operation& gate) {
      return std::all_of(gate.angles.begin(), gate.angles.end(), is_eighth_turns);
    });
  });
}

std::shared_ptr<const ClassTable> Optimization::class_table(const GateSet& set,
                                                            const ClassTableOptions& wanted) const {
  if (options_.find_class_table) {
    if (std::shared_ptr<const ClassTable> found = options_.find_class_table(set, wanted)) {
      return found;
    }
  }
  std::shared_ptr<const ClassTable> built = build_class_table(set, wanted);
  if (options_.on_class_table) options_.on_class_table(set, wanted, built);
  return built;
}

Optimization::AnnealingBudget Optimization::annealing_budget() const {
  const std::chrono::duration<double> left = deadline_ - Clock::now();
  const double share = options_.search == SearchKind::automatic ? kAnnealingShare : 1;
  return {share * std::max(left.count(), 0.0), options_.steps};
}

bool Optimization::require_table() {
  if (table_) return true;
  ClassTableOptions table_options;
  table_options.memory = options_.table_memory;
  table_options.symbolic = !is_exact();
  table_options.cost = kDeepestTable;
  table_options.classes = most_classes(options_);
  table_options.threads = options_.threads;
  table_options.stop = options_.stop;
  if (options_.steps == 0) {
    table_options.deadline = Clock::now() + (deadline_ - Clock::now()) / 2;
  }
  try {
    table_ = class_table(set_, table_options);
  } catch (const Error&) {
    if (options_.stop.stop_requested()) return false;
    throw;
  }
  return true;
}

/// Where the values that the chains go by are not all of the cost, and it got worse, nothing
/// changes.
bool Optimization::anneal_all(const AnnealingBudget& budget) {
  std::size_t gates = 0;
  for (const Block& block : now_.blocks) gates += block.gates.size();
  if (gates == 0) return false;
  // Groups number their qubits from 0, which a coupling map does not follow: such circuits are only
  // searched by backtracking.
  if (circuit_.qubit_count() > kMostWires && options_.coupling) return false;
  const auto threads = static_cast<double>(searches_.size());
  if (budget.steps == 0 && !has_time_for(kCopiesOfAnnealing + threads * kCopiesOfThread)) {
    return false;
  }
  const Clock::time_point start = Clock::now();
  if (!require_table()) return false;
  const std::uint64_t moves_before = annealing_moves_;
  AnnealingLimits limits;
  limits.steps = budget.steps;
  // The table may have taken some of the time.
  limits.deadline = std::min(deadline_ - duration_of(kCopiesOfAnnealing * copy_seconds_),
                             start + duration_of(budget.seconds));
  // A small circuit is done long before a long time limit.
  if (options_.search == SearchKind::automatic && limits.steps == 0) {
    limits.patience = kPatienceAGate * gates;
  }
  limits.stop = options_.stop;
  limits.value = gate_values(options_.cost, set_, gates);
  limits.threads = static_cast<unsigned>(searches_.size());
  limits.seed = options_.seed ^ moves_before;
  limits.record_pairs = options_.record_rules;
  limits.alternatives = options_.alternatives;
  limits.coupling = coupling();
  limits.on_progress = [&](std::uint64_t moves, std::uint64_t) {
    annealing_moves_ = moves_before + moves;
    report(kAnneal.name);
  };
  const AnnealedParts parts(now_.blocks, circuit_.qubit_count());
  AnnealingResult result = anneal(*table_, parts.circuits(), parts.qubits(), limits);
  result.circuits = parts.joined(std::move(result.circuits));
  for (std::vector<PhasedGates>& circuits : result.alternatives) {
    circuits = parts.joined(std::move(circuits));
  }
  annealing_moves_ = moves_before + result.counts.moves;
  used_pairs_.insert(used_pairs_.end(), result.used_pairs.begin(), result.used_pairs.end());
  add_alternatives(std::move(result.alternatives));
  const SearchCost cost_before = cost_now();
  Angle phase_before = now_.phase;
  Gains gains_before = now_.gains;
  std::vector<std::vector<Operation>> gates_before;
  for (Block& block : now_.blocks) gates_before.push_back(std::move(block.gates));
  replace_blocks(now_, std::move(result.circuits));
  if (options_.record_gains) add_gains(result);
  if (cost_now() > cost_before) {
    for (std::size_t i = 0; i < now_.blocks.size(); ++i) {
      now_.blocks[i].gates = std::move(gates_before[i]);
    }
    now_.phase = std::move(phase_before);
    now_.gains = std::move(gains_before);
  }
  keep_best();
  return result.converged;
}

void Optimization::replace_blocks(State& state, std::vector<PhasedGates> circuits) {
  for (std::size_t i = 0; i < state.blocks.size(); ++i) {
    add_phase(state, state.blocks[i], circuits[i].phase);
    state.blocks[i].gates = std::move(circuits[i].gates);
  }
}

void Optimization::add_alternatives(std::vector<std::vector<PhasedGates>> alternatives) {
  for (std::vector<PhasedGates>& circuits : alternatives) {
    State state = now_;
    replace_blocks(state, std::move(circuits));
    alternatives_.push_back({joined(state), state.numeric});
  }
}

std::vector<Optimization::Task> Optimization::make_tasks(std::uint64_t round) {
  std::vector<Task> tasks;
  const std::size_t size = random_() % 2 == 0 ? kLargeRegion : kSmallRegion;
  for (std::size_t i = 0; i < now_.blocks.size(); ++i) {
    const std::vector<Operation>& gates = now_.blocks[i].gates;
    if (gates.empty()) continue;
    // A small circuit is searched in parts as well: a walk through equal circuits goes further.
    const bool whole = gates.size() <= kWholeCircuit && round % 2 == 0;
    std::vector<Region> regions =
        split_into_regions(gates, circuit_.qubit_count(), whole ? gates.size() : size, random_,
                           [&] { return interrupted(); });
    if (regions.empty()) return {};
    for (Region& region : regions) {
      Task task;
      task.block = i;
      task.whole_block = whole && regions.size() == 1;
      // A circuit searched whole gets longer each round, until the search comes to its end.
      task.pops =
          task.whole_block ? kPopsOfRegion << std::min<std::uint64_t>(round, 20) : kPopsOfRegion;
      task.slack = task.whole_block ? slack_ : kRegionSlacks[random_() % kRegionSlacks.size()];
      task.region = std::move(region);
      tasks.push_back(std::move(task));
    }
  }
  return tasks;
}

void Optimization::finish(Task& task, BacktrackingResult result, const LabelTable& labels) {
  task.popped = result.popped;
  task.exhausted = result.exhausted;
  task.better = result.best_cost.total < task.region.gates.size();
  const PackedCircuit& chosen = result.alternative;
  task.result = unpack(chosen.gates, labels);
  task.phase = labels.phase(chosen.phase);
  task.uses = std::move(result.uses);
}

void Optimization::add_gains(const Task& task) {
  for (const RuleUse& use : task.uses) {
    const RuleIndex::Origin& origin = rules_.origin(use.replacement);
    const std::vector<ClassMember>& members = rule_set_.classes[origin.equivalence_class].members;
    const ClassMember& left = members[origin.left];
    const ClassMember& right = members[origin.right];
    Angle phase = (left.phase - right.phase).reduced_symmetric(2);
    const std::size_t number = rewrites_.number_of(
        {kSearch.name, RewriteKind::rule, left.gates, right.gates, std::move(phase)});
    now_.gains.add(number, {1, use.gates_removed, use.saved});
  }
}

void Optimization::add_gains(const AnnealingResult& result) {
  std::vector<UsedPair> pairs;
  for (const auto& [rewrite, gain] : result.gains) pairs.push_back(rewrite.second);
  std::vector<Replaced> replaced = replaced_circuits(table_->alphabet().letters, pairs);
  auto circuits = replaced.begin();
  for (const auto& [rewrite, gain] : result.gains) {
    Replaced& each = *circuits++;
    const std::size_t number =
        rewrites_.number_of({kAnneal.name, rewrite.first, std::move(each.window),
                             std::move(each.replacement), std::move(each.phase)});
    now_.gains.add(number, gain);
  }
}

void Optimization::add_gains(std::vector<RewriteGain> gains) {
  for (RewriteGain& each : gains) {
    each.rewrite.pass = kIntermediate.name;
    now_.gains.add(rewrites_.number_of(std::move(each.rewrite)),
                   {each.uses, each.gates_removed, each.gates_removed});
  }
}

void Optimization::work_off(std::vector<Task>& tasks, std::uint64_t round) {
  std::atomic<std::size_t> next{0};
  const auto work = [&](std::size_t thread) {
    BacktrackingSearch& search = *searches_[thread];
    for (std::size_t i = next++; i < tasks.size(); i = next++) {
      Task& task = tasks[i];
      task.result = task.region.gates;
      if (!task.region.searchable || out_of_time() || options_.stop.stop_requested()) continue;
      BacktrackingLimits limits;
      limits.pops = task.pops;
      limits.queue_bytes = std::size_t{task.whole_block ? 512U : 32U} << 20;
      limits.slack = task.slack;
      limits.qubits = task.region.qubits;
      limits.coupling = coupling();
      limits.record_uses = options_.record_gains;
      limits.seed = options_.seed ^ (round * 0x9e3779b97f4a7c15ULL + i);
      limits.deadline = deadline_;
      limits.stop = options_.stop;
      try {
        finish(task, search.run(task.region.gates, limits), search.labels());
      } catch (const OverflowError&) {
        // Angles whose exact sums do not fit: the region stays as it is.
      }
      popped_ += task.popped;
      if (thread == 0) report(kSearch.name);
    }
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < std::min(searches_.size(), tasks.size()); ++i) {
    threads.emplace_back(work, i);
  }
  work(0);
}

bool Optimization::search_round(std::uint64_t round) {
  std::vector<Task> tasks = make_tasks(round);
  if (tasks.empty()) return false;
  work_off(tasks, round);
  bool more = false;
  // Where costs do not add up over regions, a round may make it worse: then it is undone.
  const bool adds_up = options_.cost.additive();
  State before = adds_up ? State() : now_;
  for (Block& block : now_.blocks) block.gates.clear();
  for (Task& task : tasks) {
    append_region(task.region, task.result, now_.blocks[task.block].gates);
    add_phase(now_.blocks[task.block], task.phase);
    add_gains(task);
    more = more || task.better || !task.whole_block || !task.exhausted;
  }
  if (!adds_up && cost_of(joined()) > best_cost_) now_ = std::move(before);
  keep_best();
  return more;
}

bool Optimization::anneal_in_intermediate_set(const AnnealingBudget& budget,
                                              bool with_alternatives) {
  const double end = seconds() + budget.seconds;
  std::optional<OptimizeResult> result =
      optimize_in_intermediate_set(best(), set_, options_there(budget, with_alternatives));
  if (!result) return false;
  annealing_moves_ += result->annealing_moves;
  const bool was_numeric = best_is_numeric_;
  now_.gains = best_gains_;
  add_gains(std::move(result->gains));
  std::optional<State> least;
  SearchCost least_cost;
  const auto consider = [&](Circuit circuit, bool numeric) {
    if (!go_on_with(std::move(circuit), was_numeric || numeric)) return;
    const SearchCost cost = cost_of(joined());
    if (least && !(cost < least_cost)) return;
    least = now_;
    least_cost = cost;
  };
  consider(std::move(result->circuit), result->numeric);
  for (AlternativeCircuit& each : result->alternatives) {
    if (options_.stop.stop_requested() || (budget.steps == 0 && seconds() >= end)) break;
    consider(std::move(each.circuit), each.numeric);
  }
  if (least) now_ = *std::move(least);
  return least.has_value();
}

OptimizeOptions Optimization::options_there(const AnnealingBudget& budget, bool with_alternatives) {
  OptimizeOptions there = options_;
  there.seconds = std::max(budget.seconds, kLeastSeconds);
  there.seconds_spent = 0;
  there.steps = budget.steps;
  there.seed = options_.seed ^ annealing_moves_;
  there.find_class_table = [&](const GateSet& set, const ClassTableOptions& wanted) {
    std::shared_ptr<const ClassTable>& table = intermediate_tables_[wanted.symbolic ? 1 : 0];
    if (!table) table = class_table(set, wanted);
    return table;
  };
  there.alternatives = 0;
  if (with_alternatives) {
    there.seconds *= 1 - kAlternativesShare;
    there.alternatives = std::clamp<std::size_t>(
        kGatesOfAlternatives / (1 + best().operations.size()), 1, kMostAlternatives);
  }
  there.on_progress = [&](const OptimizeProgress& progress) {
    // The cost there is another, in other gates.
    report(progress.phase);
  };
  if (is_directed()) there.coupling = there.coupling->without_direction();
  return there;
}

bool Optimization::go_on_with(Circuit circuit, bool numeric) {
  if (is_directed()) circuit = directions_->turned_round(circuit);
  if (!keeps_directions(circuit)) return false;
  now_.blocks = split_at_walls(circuit.operations, circuit_.qubit_count());
  now_.phase = circuit.global_phase;
  now_.phase.add_phase(-circuit_.global_phase);
  now_.numeric = numeric;
  simplify_all();
  return true;
}

void Optimization::gain_from_intermediate_set(const AnnealingBudget& budget) {
  const double end = seconds() + budget.seconds;
  const double gates = static_cast<double>(best_cost_.total) + 1;
  const double moves =
      budget.steps == 0 ? budget.seconds / kSecondsAMove : static_cast<double>(budget.steps);
  const double rounds = std::clamp(std::round(moves / (kMovesOfRound * gates)), 1.0, kMostRounds);
  for (double left = rounds; left >= 1; --left) {
    if (out_of_time() || options_.stop.stop_requested()) return;
    AnnealingBudget round = budget.share(1 / rounds);
    round.seconds = (end - seconds()) / left;
    run_pass(kIntermediate, [&] {
      State before = now_;
      const SearchCost best_before = best_cost_;
      (void)anneal_in_intermediate_set(round, true);
      if (!(best_cost_ < best_before)) now_ = std::move(before);
    });
  }
}

/// Two ways to begin: from the circuit as it is, and from what annealing in the intermediate set
/// makes of it. Each is annealed in the set for a while, and the better one stays.
void Optimization::choose_start() {
  const AnnealingBudget budget = annealing_budget();
  State start = now_;
  bool is_there = false;
  run_pass(kIntermediate, [&] {
    is_there = anneal_in_intermediate_set(budget.share(kIntermediateTrialShare), false);
  });
  if (!is_there) return;
  const auto try_out = [&](double share) {
    run_pass(kAnneal, [&] { anneal_all(budget.share(share)); });
    run_pass(kSimplify, [&] { simplify_all(); });
    return cost_of(joined());
  };
  const SearchCost returned_cost = try_out(kReturnedTrialShare);
  State returned = std::exchange(now_, std::move(start));
  if (returned_cost < try_out(kDirectTrialShare)) now_ = std::move(returned);
}

bool Optimization::may_leave_set(double least_seconds) const {
  return !options_.record_rules && (options_.steps != 0 || options_.seconds >= least_seconds);
}

bool Optimization::anneal_and_simplify() {
  bool converged = false;
  try {
    double share = 1;
    const bool any_gates = best_cost_.total != 0;
    if (any_gates && may_leave_set(kTimeForIntermediate) &&
        (options_.steps != 0 || has_time_for(kCopiesOfIntermediate)) && require_table()) {
      switch (intermediate_set_use(set_, options_.cost)) {
        case IntermediateSetUse::none:
          break;
        case IntermediateSetUse::gains:
          gain_from_intermediate_set(annealing_budget().share(kIntermediateShare));
          share = 1 - kIntermediateShare;
          break;
        case IntermediateSetUse::may_gain:
          choose_start();
          share = 1 - kDirectTrialShare - kIntermediateTrialShare - kReturnedTrialShare;
          break;
      }
    }
    // What time is left is the rest already, unlike the moves.
    AnnealingBudget budget = annealing_budget();
    budget.steps = budget.share(share).steps;
    run_pass(kAnneal, [&] { converged = anneal_all(budget); });
  } catch (const UsageError&) {
    // A gate set with too many letters for a table, or a circuit with too many angles.
    if (options_.search == SearchKind::annealing) throw;
    if (may_leave_set(kTimeForOnlyIntermediate) &&
        (options_.steps != 0 || has_time_for(kCopiesOfIntermediate)))
      gain_from_intermediate_set(annealing_budget());
  }
  run_pass(kSimplify, [&] { simplify_all(); });
  return converged;
}

StopReason Optimization::backtrack() {
  slack_ = 0;
  for (std::uint64_t round = 0;; ++round) {
    if (options_.stop.stop_requested()) return StopReason::interrupted;
    if (out_of_time() || !has_time_for(kCopiesOfRound)) return StopReason::time_limit;
    const SearchCost before = best_cost_;
    bool more = false;
    run_pass(kSearch, [&] { more = search_round(round); });
    if (best_cost_ < before) run_pass(kSimplify, [&] { simplify_all(); });
    if (best_cost_ < before) slack_ = 0;
    if (!more && best_cost_ == before && ++slack_ > kLargestSlack) return StopReason::exhausted;
  }
}

StopReason Optimization::search() {
  if (!anneals()) return backtrack();
  const Clock::time_point deadline = deadline_;
  for (;;) {
    const Clock::time_point start = Clock::now();
    const bool converged = anneal_and_simplify();
    if (options_.stop.stop_requested()) return StopReason::interrupted;
    if (options_.search == SearchKind::annealing) {
      return out_of_time() || cut_short_ ? StopReason::time_limit : StopReason::exhausted;
    }
    if (!converged) return backtrack();
    // The time may be long: backtracking gets its share of what annealing took.
    const std::chrono::duration<double> spent = Clock::now() - start;
    const auto share = std::chrono::duration_cast<Clock::duration>(
        spent * ((1 - kAnnealingShare) / kAnnealingShare));
    const SearchCost before = best_cost_;
    deadline_ = std::min(deadline, Clock::now() + share);
    const StopReason reason = backtrack();
    const bool by_share = reason == StopReason::time_limit && deadline_ < deadline;
    deadline_ = deadline;
    if (!by_share) return reason;
    if (best_cost_ == before) return StopReason::converged;
  }
}

void Optimization::split_circuit() {
  const double before = seconds();
  now_.blocks = split_at_walls(circuit_.operations, circuit_.qubit_count());
  copy_seconds_ = seconds() - before;
  const double excess = kExcessShare * options_.seconds + kExcessSeconds;
  deadline_ -= duration_of(std::max(0.0, kCopiesToEnd * copy_seconds_ - excess));
}

void Optimization::check_better() const {
  for (const Operation& operation : better_->operations) {
    ensure(operation.kind != OperationKind::gate || set_.contains(operation),
           "a rewritten circuit is in the gate set");
  }
  ensure(!options_.coupling || !uncoupled_gate(*better_, *options_.coupling),
         "a rewritten circuit couples what it may");
}

OptimizeResult Optimization::run() {
  split_circuit();
  best_cost_ = cost_now();
  // The annealing finds more where exact blocks are left to it.
  const bool with_blocks = !anneals() || !is_exact() || options_.exactness == Exactness::numeric;
  run_pass(kSimplify, [&] { simplify_all(with_blocks); });
  OptimizeResult result;
  result.stop_reason = search();
  if (better_) check_better();
  if (better_) {
    result.circuit = *std::move(better_);
  } else {
    result.circuit = circuit_;
  }
  result.circuits_popped = popped_;
  result.annealing_moves = annealing_moves_;
  result.numeric = best_is_numeric_;
  if (table_) result.rules = used_rules(table_->alphabet().letters, used_pairs_);
  result.gains = best_gains_.in_order(rewrites_, passes_);
  result.alternatives = std::move(alternatives_);
  result.passes = std::move(passes_);
  result.seconds = seconds();
  return result;
}

constexpr std::array kSearches = {
    SearchName{SearchKind::automatic, "auto",
               "annealing where there is a table, then backtracking"},
    SearchName{SearchKind::annealing, "anneal", "windows replaced through a class table"},
    SearchName{SearchKind::backtracking, "backtrack", "whole circuits in a queue, and the rules"},
};

}  // namespace

std::span<const SearchName> search_names() { return kSearches; }

SearchKind find_search(std::string_view name) {
  std::string known;
  for (const SearchName& search : kSearches) {
    if (search.name == name) return search.kind;
    known += (known.empty() ? "" : ", ") + std::string(search.name);
  }
  throw UsageError("unknown search '" + std::string(name) + "'; known searches: " + known);
}

std::string_view to_string(RewriteKind kind) {
  switch (kind) {
    case RewriteKind::rule:
      return "rule";
    case RewriteKind::window:
      return "window";
    case RewriteKind::region:
      return "region";
    case RewriteKind::rotations:
      return "rotations";
  }
  throw InternalError("a kind of rewrite without a name");
}

std::string_view to_string(StopReason reason) {
  switch (reason) {
    case StopReason::exhausted:
      return "exhausted";
    case StopReason::converged:
      return "converged";
    case StopReason::time_limit:
      return "time limit";
    case StopReason::interrupted:
      return "interrupted";
  }
  throw InternalError("a stop reason without a name");
}

OptimizeResult optimize(const Circuit& circuit, const GateSet& set, const RuleSet& rules,
                        const OptimizeOptions& options) {
  const Clock::time_point start = Clock::now();
  for (const Operation& operation : circuit.operations) {
    if (operation.kind != OperationKind::gate || set.contains(operation)) continue;
    throw UsageError("the circuit is not in the gate set '" + set.name + "': translate it first");
  }
  for (const Objective& objective : options.cost.objectives()) {
    if (const std::optional<GateKind> missing = gate_without_weight(objective, set)) {
      throw UsageError("the cost '" + std::string(objective.name()) + "' has no weight for " +
                       std::string(gate(*missing).name) + " of the gate set '" + set.name + "'");
    }
  }
  if (options.coupling) {
    if (const auto gate = uncoupled_gate(circuit, *options.coupling)) {
      throw UsageError("the circuit has a gate between qubits " + std::to_string(gate->first) +
                       " and " + std::to_string(gate->second) + ", which are not coupled" +
                       (options.coupling->directed() ? " this way round" : ""));
    }
  }
  return Optimization(circuit, set, rules, options, start).run();
}

}  // namespace quartz
