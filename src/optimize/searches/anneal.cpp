#include "optimize/searches/anneal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "classes/table/class_table.hpp"
#include "optimize/cost/scalar_gate_cost.hpp"
#include "optimize/search/search_list.hpp"
#include "optimize/searches/intermediate_set.hpp"
#include "optimize/searches/simplify.hpp"
#include "optimize/state/qubit_groups.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"
#include "rewrite/wire_lists.hpp"

namespace quartz::optimizer {
namespace {

/// A search builds a class table as deep as this rate permits. Two threads find about 1.6 million
/// classes per second. One more level leaves 1% fewer gates but takes 8 times as long.
constexpr double kClassesPerSecond = 1.2e6;
constexpr double kMinClasses = 1e5;
constexpr double kMaxClasses = 1e8;
/// The same for circuits of many gates, for each of which there is little time: a deeper table
/// takes more memory than the circuit, and permits fewer moves per second.
constexpr std::size_t kManyGates = 500'000;
constexpr double kMaxClassesForManyGates = 1e7;
constexpr unsigned kMaxTableCost = 12;

/// Fraction of the budget given to annealing in the intermediate gate set if that is known to help.
constexpr double kIntermediateShare = 0.5;
/// Fractions of the budget for trials if the intermediate gate set may or may not help: annealing
/// of the circuit itself, annealing in the intermediate set, and annealing of the translated-back
/// result. The better of the two candidates gets the remaining budget.
constexpr double kDirectTrialShare = 0.15;
constexpr double kIntermediateTrialShare = 0.15;
constexpr double kReturnedTrialShare = 0.1;
/// Minimum time limit, in seconds, for annealing in the intermediate set, whose smallest class
/// table takes 0.3 s to build. It is clearly below 1 s, of which preparations take a part.
constexpr double kTimeForIntermediate = 0.8;

/// Estimated time for a step, in copies of the circuit: annealing (a fixed part, and a part for
/// each thread), the simplification after it, and annealing in the intermediate set.
constexpr double kCopiesOfAnnealing = 8;
constexpr double kCopiesOfThread = 8;
constexpr double kCopiesOfSimplification = 24;
constexpr double kCopiesOfIntermediate = 60;

/// Annealing ends as converged after this many moves per gate without a better circuit.
constexpr std::uint64_t kPatiencePerGate = 200'000;

constexpr std::uint32_t kMaxWires = std::numeric_limits<rewrite::Wire>::max();

/// The segments as separate circuits for annealing. Annealing numbers qubits with 16 bits, so the
/// segments of a circuit on more than kMaxWires qubits are divided into groups of qubits.
class AnnealedParts {
 public:
  explicit AnnealedParts(const SearchState& state)
      : is_divided_(state.wires() > kMaxWires), qubits_(is_divided_ ? kMaxWires : state.wires()) {
    for (std::size_t i = 0; i < state.segment_count(); ++i) {
      const std::span<const Operation> gates = state.segment(i).gates;
      if (!is_divided_) {
        circuits_.emplace_back(gates);
        continue;
      }
      groups_.push_back(split_by_qubits(gates, kMaxWires));
      for (const QubitGroup& group : groups_.back()) circuits_.emplace_back(group.gates);
    }
  }

  [[nodiscard]] std::span<const std::span<const Operation>> circuits() const { return circuits_; }
  [[nodiscard]] std::uint32_t qubits() const { return qubits_; }

  /// Joins the circuits of all parts into one circuit for each segment.
  [[nodiscard]] std::vector<circuit::DerivedGates> joined(
      std::vector<circuit::DerivedGates> parts) const {
    if (!is_divided_) return parts;
    std::vector<circuit::DerivedGates> segments;
    auto part = parts.begin();
    for (const std::vector<QubitGroup>& groups : groups_) {
      std::vector<Operation> gates;
      Angle phase;
      circuit::DerivedParts derived;
      for (const QubitGroup& group : groups) {
        derived.add(group.places, group.qubits, part->derivation);
        phase.add_phase(part->phase);
        append_group(group, std::move(part++->gates), gates);
      }
      segments.push_back({std::move(gates), phase, std::move(derived).finish()});
    }
    return segments;
  }

 private:
  bool is_divided_;
  std::uint32_t qubits_;
  std::vector<std::vector<QubitGroup>> groups_;  ///< the groups of each segment
  std::vector<std::span<const Operation>> circuits_;
};

ClassTableOptions table_options(const SearchState& state, const Budget& budget) {
  const Problem& problem = state.problem();
  const Budget::Amount& amount = problem.amount;
  const double seconds =
      budget.counts_ticks() ? kSecondsOfMove * static_cast<double>(amount.ticks) : amount.seconds;
  ClassTableOptions options;
  options.memory = problem.table_memory;
  // Without symbolic letters, windows cannot contain gates with other angles.
  options.symbolic = true;
  options.symbolic =
      !state.has_only_eighth_turns() && classes::fits_class_table(problem.set, options);
  options.cost = kMaxTableCost;
  const bool has_many_gates = state.gate_count() >= kManyGates;
  options.classes = static_cast<std::uint64_t>(
      std::clamp(kClassesPerSecond * seconds, kMinClasses,
                 has_many_gates ? kMaxClassesForManyGates : kMaxClasses));
  if (has_many_gates) {
    options.cached_classes = static_cast<std::uint64_t>(kMaxClassesForManyGates);
  }
  options.threads = problem.threads;
  options.stop = budget.stop;
  if (problem.budget.has_deadline()) options.deadline = problem.budget.share(0.5).deadline;
  return options;
}

void replace_segments(SearchState& state, std::vector<circuit::DerivedGates> segments) {
  for (std::size_t i = 0; i < segments.size(); ++i) state.replace(i, std::move(segments[i]));
}

/// Passes the version with these segments to Problem::on_version.
void offer_version(const SearchState& state, std::vector<circuit::DerivedGates> segments) {
  Version version = state.now();
  for (std::size_t i = 0; i < segments.size(); ++i) {
    state.replace_in(version, i, std::move(segments[i]));
  }
  state.problem().on_version(version, state.cost_of(version));
}

void add_alternatives(SearchState& state, const AnnealedParts& parts,
                      std::vector<std::vector<circuit::DerivedGates>> alternatives) {
  const Version before = state.now();
  for (std::vector<circuit::DerivedGates>& circuits : alternatives) {
    replace_segments(state, parts.joined(std::move(circuits)));
    state.add_alternative(state.now());
    state.go_to(before);
  }
}

void add_gains(SearchState& state, const AnnealingResult& result) {
  std::vector<UsedPair> pairs;
  for (const auto& [rewrite, gain] : result.gains) pairs.push_back(rewrite.second);
  std::vector<Replaced> replaced =
      replaced_circuits(state.figures.table->alphabet().letters, pairs);
  auto circuits = replaced.begin();
  for (const auto& [rewrite, gain] : result.gains) {
    Replaced& each = *circuits++;
    state.add_gain({kAnnealPass.name, rewrite.first, std::move(each.window),
                    std::move(each.replacement), std::move(each.phase)},
                   gain);
  }
}

/// Chooses one of the schedules according to the use of the intermediate gate set.
class AnnealingSchedule : public Search {
 public:
  AnnealingSchedule(AnnealingEnd end, const SearchPointer& simplify) {
    const auto anneal = std::make_shared<Anneal>(end);
    const auto pass = std::make_shared<Pass>(kAnnealPass, anneal);
    const auto simplify_pass = std::make_shared<Pass>(kSimplifyPass, simplify);
    // In the trials, the translated-back result is annealed before it is compared.
    const auto trials = std::make_shared<BestOf>(std::vector<std::vector<Part>>{
        {{make_intermediate_trial(simplify), kIntermediateTrialShare},
         {pass, kReturnedTrialShare},
         {simplify_pass}},
        {{pass, kDirectTrialShare}, {simplify_pass}}});
    direct_ = pass;
    with_rounds_ = std::make_shared<Sequence>(std::vector<Part>{
        {make_intermediate_rounds(simplify), kIntermediateShare}, {pass, 1 - kIntermediateShare}});
    with_trials_ = std::make_shared<Sequence>(std::vector<Part>{
        {trials}, {pass, 1 - kDirectTrialShare - kIntermediateTrialShare - kReturnedTrialShare}});
  }

  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override {
    return direct_->obstacle(problem);
  }

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    return schedule_for(state, budget).run(state, budget);
  }

  [[nodiscard]] Search& schedule_for(SearchState& state, const Budget& budget) const {
    const Problem& problem = state.problem();
    const bool has_time =
        budget.counts_ticks() || (problem.amount.seconds >= kTimeForIntermediate &&
                                  state.has_time_for(problem.budget, kCopiesOfIntermediate));
    const bool may_leave = state.best_cost().total != 0 && !problem.record.rules && has_time &&
                           state.now().kind != Segments::bodies;
    if (!may_leave || !require_class_table(state, budget)) return *direct_;
    switch (intermediate_set_use(problem.set, problem.cost)) {
      case IntermediateSetUse::none:
        return *direct_;
      case IntermediateSetUse::gains:
        return *with_rounds_;
      case IntermediateSetUse::may_gain:
        return *with_trials_;
    }
    throw InternalError("an unknown use of the intermediate gate set");
  }

  SearchPointer direct_;
  SearchPointer with_rounds_;
  SearchPointer with_trials_;
};

}  // namespace

bool require_class_table(SearchState& state, const Budget& budget) {
  if (state.figures.table) return true;
  try {
    state.figures.table =
        state.problem().tables.get(state.problem().set, table_options(state, budget));
  } catch (const Stopped&) {
    return false;
  }
  return true;
}

std::optional<std::string> Anneal::obstacle(const Problem& problem) const {
  constexpr std::size_t kMostQubits = std::tuple_size_v<decltype(rewrite::PlainGate::wires)>;
  for (const GateSetEntry& entry : problem.set.entries) {
    if (gate(entry.gate).qubits <= kMostQubits) continue;
    return "the gate set '" + problem.set.name + "' has the gate " +
           std::string(gate(entry.gate).name) + " on more than " + std::to_string(kMostQubits) +
           " qubits";
  }
  if (classes::fits_class_table(problem.set, ClassTableOptions())) return {};
  return "the gates of '" + problem.set.name +
         "' have too many different angles for a class table; 'auto' and 'intermediate' anneal in "
         "the gate set '" +
         std::string(kIntermediateSet) + "' and translate back";
}

AnnealingLimits Anneal::limits_of(SearchState& state, const Cost& cost,
                                  const Budget& budget) const {
  const Problem& problem = state.problem();
  AnnealingLimits limits;
  limits.budget = budget;
  if (budget.has_deadline()) {
    limits.budget.deadline = std::min(
        budget.deadline,
        problem.budget
            .ended_earlier((kCopiesOfAnnealing + kCopiesOfSimplification) * state.copy_seconds())
            .deadline);
  }
  const std::size_t gates = state.gate_count();
  if (end_ == AnnealingEnd::when_converged) limits.patience = kPatiencePerGate * gates;
  limits.value = scalar_cost(cost, problem.set, gates);
  limits.threads = problem.threads;
  limits.devices = problem.chain_devices;
  limits.seed = problem.seed ^ state.figures.annealing_moves;
  limits.record_pairs = problem.record.rules;
  limits.record_history = problem.record.history;
  limits.alternatives = problem.record.alternatives;
  limits.coupling = problem.coupling;
  // What depends on the time must not change a search by ticks.
  if (!budget.counts_ticks()) limits.follows_one_thread = problem.follows_one_thread;
  limits.on_progress = [&state, before = state.figures.annealing_moves](std::uint64_t moves,
                                                                        std::uint64_t) {
    state.figures.annealing_moves = before + moves;
    state.report(kAnnealPass.name);
  };
  return limits;
}

Outcome Anneal::run_applicable(SearchState& state, const Budget& budget) {
  const Version before = state.now();
  const SearchCost cost_before = state.cost();
  const Outcome outcome = run_for(state.problem().cost, state, budget);
  // Annealing may minimize only a part of the cost, so that the rest of it can grow.
  if (state.cost() > cost_before) state.go_to(before);
  return outcome;
}

Outcome Anneal::run_for(const Cost& cost, SearchState& state, const Budget& budget) {
  const Problem& problem = state.problem();
  if (state.gate_count() == 0) return Outcome::exhausted;
  // Groups number their qubits from 0, which does not match a coupling map: such circuits are only
  // searched by backtracking.
  if (state.wires() > kMaxWires && problem.coupling != nullptr) {
    return Outcome::exhausted;
  }
  if (!state.has_time_for(problem.budget, kCopiesOfAnnealing + problem.threads * kCopiesOfThread +
                                              kCopiesOfSimplification)) {
    return Outcome::budget_spent;
  }
  if (!require_class_table(state, budget)) return Outcome::budget_spent;
  const std::uint64_t moves_before = state.figures.annealing_moves;
  const std::uint64_t ticks = budget.ticks_left();
  const AnnealedParts parts(state);
  AnnealingLimits limits = limits_of(state, cost, budget);
  if (problem.on_version) {
    limits.on_better = [&](std::vector<circuit::DerivedGates> found) {
      offer_version(state, parts.joined(std::move(found)));
    };
  }
  AnnealingResult result = anneal(*state.figures.table, parts.circuits(), parts.qubits(), limits);
  budget.spend(result.converged ? std::min(ticks, result.moves_of_thread) : ticks);
  state.figures.annealing_moves = moves_before + result.counts.moves;
  add_to(state.figures.device_annealing, result.device);
  state.figures.used_pairs.add(result.used_pairs);
  add_alternatives(state, parts, std::move(result.alternatives));
  replace_segments(state, parts.joined(std::move(result.circuits)));
  if (problem.record.gains) add_gains(state, result);
  state.keep_best();
  return result.converged ? Outcome::converged : Outcome::budget_spent;
}

std::optional<Cost> with_first_objective(const Cost& cost, CostKind kind) {
  std::vector<Objective> objectives(cost.objectives().begin(), cost.objectives().end());
  const bool has_it = std::ranges::any_of(objectives, [&](const Objective& objective) {
    return objective.named() != nullptr && objective.named()->kind == kind;
  });
  if (has_it || objectives.size() == kMaxObjectives) return std::nullopt;
  objectives.insert(objectives.begin(), Objective(kind));
  return Cost(std::move(objectives));
}

SearchPointer make_annealing(AnnealingEnd end, const SearchPointer& simplify) {
  return std::make_shared<AnnealingSchedule>(end, simplify);
}

SearchPointer make_annealing_schedule(const Problem& problem) {
  const auto simplify = std::make_shared<Simplify>(problem);
  return std::make_shared<Sequence>(std::vector<Part>{
      {std::make_shared<Pass>(kSimplifyPass,
                              std::make_shared<SimplifyForAnnealing>(problem, simplify))},
      {std::make_shared<FollowedBy>(make_annealing(AnnealingEnd::with_budget, simplify),
                                    std::make_shared<Pass>(kSimplifyPass, simplify))}});
}

SearchPointer make_anneal_search(const Problem& problem) {
  return std::make_shared<IfApplies>(std::make_shared<Anneal>(AnnealingEnd::with_budget),
                                     make_annealing_schedule(problem));
}

}  // namespace quartz::optimizer
