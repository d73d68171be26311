#include "optimize/searches/backtrack.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "circuit/phased_gates.hpp"
#include "optimize/search/combinators.hpp"
#include "optimize/search/search_list.hpp"
#include "optimize/searches/simplify.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"

namespace quartz::optimizer {
namespace {

constexpr PassName kBacktrackPass{"backtrack", "backtracking over the rules"};

/// Sizes of slices in gates; each round chooses one.
constexpr std::size_t kSmallSlice = 24;
constexpr std::size_t kLargeSlice = 48;
/// Circuits taken from the queue of a slice in one round.
constexpr std::uint64_t kPopsOfSlice = 400;
/// A segment of up to this many gates is searched as a whole, or whole between black boxes, until
/// its search space is exhausted, and then again with more slack, up to the largest.
constexpr std::size_t kWholeSegment = 60;
constexpr std::uint64_t kMaxExtraSlack = 4;
/// Slices of larger segments get one of these slacks at random.
constexpr std::array<std::uint64_t, 4> kSlackOfSlices{0, 0, 1, 2};

/// Ticks for each circuit taken from the queue, which takes 3 to 18 microseconds in the bundled
/// gate sets; an annealing move is one tick, and takes about one microsecond.
constexpr std::uint64_t kTicksOfPop = 8;

/// Estimated time for a round, in copies of the circuit.
constexpr double kCopiesOfRound = 12;

}  // namespace

Backtrack::Backtrack(const Problem& problem, SearchPointer simplify)
    : problem_(problem), simplify_(std::move(simplify)), random_(problem.seed) {}

Outcome Backtrack::run_applicable(SearchState& state, const Budget& budget) {
  if (rules_ == nullptr) {
    rules_ = std::make_unique<rewrite::RuleIndex>(problem_.rules);
    for (unsigned i = 0; i < problem_.threads; ++i) {
      searches_.push_back(std::make_unique<BacktrackingSearch>(*rules_, problem_.cost));
    }
  }
  slack_ = 0;
  for (std::uint64_t round = 0;; ++round) {
    if (budget.spent() || !state.has_time_for(budget, kCopiesOfRound)) return Outcome::budget_spent;
    const SearchCost before = state.best_cost();
    bool more = false;
    state.run_pass(kBacktrackPass, [&] { more = run_round(state, budget, round); });
    if (state.best_cost() < before) {
      (void)simplify_->run(state, budget);
      slack_ = 0;
    }
    if (!more && state.best_cost() == before && ++slack_ > kMaxExtraSlack) {
      return budget.spent() ? Outcome::budget_spent : Outcome::exhausted;
    }
  }
}

std::vector<Backtrack::Task> Backtrack::make_tasks(const SearchState& state, const Budget& budget,
                                                   std::uint64_t round) {
  std::vector<Task> tasks;
  const std::size_t size = random_() % 2 == 0 ? kLargeSlice : kSmallSlice;
  for (std::size_t i = 0; i < state.segment_count(); ++i) {
    const std::span<const Operation> gates = state.segment(i).gates;
    if (gates.empty()) continue;
    // Small segments are also searched in slices, because a walk through equal circuits reaches
    // further.
    const bool whole = gates.size() <= kWholeSegment && round % 2 == 0;
    std::vector<Slice> slices =
        split_into_slices(gates, state.wires(), whole ? gates.size() : size, random_, budget);
    if (slices.empty()) return {};
    for (Slice& slice : slices) {
      Task task;
      task.segment = i;
      task.is_exhaustive = whole;
      task.whole_segment = whole && slices.size() == 1;
      // An exhaustive search gets more pops in each round, until it is exhausted.
      task.pops =
          task.is_exhaustive ? kPopsOfSlice << std::min<std::uint64_t>(round, 20) : kPopsOfSlice;
      task.slack = task.is_exhaustive ? slack_ : kSlackOfSlices[random_() % kSlackOfSlices.size()];
      task.slice = std::move(slice);
      tasks.push_back(std::move(task));
    }
  }
  return tasks;
}

void Backtrack::limit_pops(std::vector<Task>& tasks, const Budget& budget) const {
  if (!budget.counts_ticks()) return;
  std::uint64_t left = problem_.threads * budget.ticks_left() / kTicksOfPop + 1;
  std::size_t tasks_left = tasks.size();
  for (Task& task : tasks) {
    // One task that may take all would leave the others without any, round after round.
    task.pops = std::min(task.pops, (left + tasks_left - 1) / tasks_left);
    left -= task.pops;
    --tasks_left;
  }
}

void Backtrack::run_task(const SearchState& state, const Budget& budget, Task& task,
                         BacktrackingSearch& search, std::uint64_t seed) const {
  task.result = task.slice.gates;
  const bool is_over = budget.stop.stop_requested() || (!budget.counts_ticks() && budget.is_over());
  if (!task.slice.searchable || task.pops == 0 || is_over) return;
  BacktrackingLimits limits;
  limits.pops = task.pops;
  limits.queue_bytes = std::size_t{task.is_exhaustive ? 512U : 32U} << 20;
  limits.slack = task.slack;
  limits.qubits = task.slice.qubits;
  limits.coupling = problem_.coupling;
  limits.record_uses = state.problem().record.gains;
  limits.record_history = state.problem().record.history;
  limits.seed = seed;
  limits.budget = budget.counts_ticks() ? budget.until_stopped() : budget;
  if (problem_.on_version && task.whole_segment) {
    limits.on_better = [&](BacktrackingResult found) {
      offer(state, task, std::move(found), search);
    };
  }
  try {
    BacktrackingResult result = search.run(task.slice.gates, limits);
    task.popped = result.popped;
    task.exhausted = result.exhausted;
    task.better = result.cost.total < task.slice.gates.size();
    task.result = rewrite::unpack(result.circuit.gates, search.labels());
    task.phase = search.labels().phase(result.circuit.phase);
    task.uses = std::move(result.uses);
    task.derivation = std::move(result.derivation);
  } catch (const OverflowError&) {
    // The exact sums of some angles do not fit into 64 bits; the slice stays unchanged.
  }
}

void Backtrack::offer(const SearchState& state, const Task& task, BacktrackingResult found,
                      const BacktrackingSearch& search) const {
  std::vector<Operation> gates;
  append_slice(task.slice, rewrite::unpack(found.circuit.gates, search.labels()), gates);
  circuit::DerivedParts derived;
  derived.add(task.slice.places, task.slice.qubits, found.derivation);
  Version version = state.now();
  state.replace_in(
      version, task.segment,
      {std::move(gates), search.labels().phase(found.circuit.phase), std::move(derived).finish()});
  problem_.on_version(version, state.cost_of(version));
}

void Backtrack::run_tasks(SearchState& state, const Budget& budget, std::vector<Task>& tasks,
                          std::uint64_t round) {
  // The labels that a thread has numbered influence its searches. With a budget in ticks the tasks
  // are therefore divided beforehand, so that the result does not depend on the speed of the
  // threads.
  const bool is_divided = budget.counts_ticks();
  const std::size_t thread_count = std::min(searches_.size(), tasks.size());
  std::atomic<std::size_t> next{0};
  on_threads(thread_count, [&](std::size_t thread) {
    const auto task_after = [&](std::size_t i) { return is_divided ? i + thread_count : next++; };
    for (std::size_t i = is_divided ? thread : next++; i < tasks.size(); i = task_after(i)) {
      run_task(state, budget, tasks[i], *searches_[thread],
               problem_.seed ^ (round * 0x9e3779b97f4a7c15ULL + i));
      state.figures.circuits_popped += tasks[i].popped;
      if (thread == 0) state.report(kBacktrackPass.name);
    }
  });
}

void Backtrack::add_gains(SearchState& state, const Task& task) const {
  for (const RuleUse& use : task.uses) {
    const rewrite::RuleIndex::Origin& origin = rules_->origin(use.replacement);
    const std::vector<ClassMember>& members =
        problem_.rules.classes[origin.equivalence_class].members;
    const ClassMember& left = members[origin.left];
    const ClassMember& right = members[origin.right];
    Angle phase = (left.phase - right.phase).reduced_symmetric(2);
    state.add_gain(
        {kBacktrackPass.name, RewriteKind::rule, left.gates, right.gates, std::move(phase)},
        {1, use.gates_removed, use.saved});
  }
}

bool Backtrack::run_round(SearchState& state, const Budget& budget, std::uint64_t round) {
  std::vector<Task> tasks = make_tasks(state, budget, round);
  if (tasks.empty()) return false;
  limit_pops(tasks, budget);
  run_tasks(state, budget, tasks, round);
  const Version before = state.now();
  std::vector<circuit::PhasedGates> segments(state.segment_count());
  std::vector<circuit::DerivedParts> derived(state.segment_count());
  std::uint64_t popped = 0;
  bool more = false;
  for (Task& task : tasks) {
    circuit::PhasedGates& segment = segments[task.segment];
    append_slice(task.slice, task.result, segment.gates);
    segment.phase.add_phase(task.phase);
    derived[task.segment].add(task.slice.places, task.slice.qubits, task.derivation);
    popped += task.popped;
    const bool is_finished = task.is_exhaustive && (task.exhausted || !task.slice.searchable);
    more = more || task.better || !is_finished;
  }
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (state.segment(i).gates.empty()) continue;
    state.replace(
        i, {std::move(segments[i].gates), segments[i].phase, std::move(derived[i]).finish()});
  }
  for (const Task& task : tasks) add_gains(state, task);
  budget.spend(popped * kTicksOfPop / problem_.threads + 1);
  // The costs of slices need not add up to the cost of the circuit.
  if (!problem_.cost.additive() && state.cost() > state.best_cost()) state.go_to(before);
  state.keep_best();
  return more;
}

SearchPointer make_backtrack_search(const Problem& problem) {
  const auto simplify = std::make_shared<Pass>(kSimplifyPass, std::make_shared<Simplify>(problem));
  return std::make_shared<Sequence>(
      std::vector<Part>{{simplify}, {std::make_shared<Backtrack>(problem, simplify)}});
}

}  // namespace quartz::optimizer
