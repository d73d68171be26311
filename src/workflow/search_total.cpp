#include "workflow/search_total.hpp"

#include <algorithm>
#include <utility>

namespace quartz::workflow {
namespace {

void add_pass(std::vector<OptimizePass>& total, const OptimizePass& next) {
  const auto known = std::ranges::find(total, next.name, &OptimizePass::name);
  if (known == total.end()) {
    total.push_back(next);
    return;
  }
  known->runs += next.runs;
  known->runs_that_paid += next.runs_that_paid;
  known->gates_removed += next.gates_removed;
  known->seconds += next.seconds;
}

bool is_same_rewrite(const Rewrite& a, const Rewrite& b) {
  return a.pass == b.pass && a.kind == b.kind && a.left == b.left && a.right == b.right &&
         a.phase == b.phase;
}

void add_gain(std::vector<RewriteGain>& total, RewriteGain next) {
  const auto known = std::ranges::find_if(
      total, [&](const RewriteGain& each) { return is_same_rewrite(each.rewrite, next.rewrite); });
  if (known == total.end()) {
    total.push_back(std::move(next));
    return;
  }
  known->uses += next.uses;
  known->gates_removed += next.gates_removed;
}

/// Puts the gains of each pass together, those that removed the most gates first.
void sort_gains(std::vector<RewriteGain>& gains, const std::vector<OptimizePass>& passes) {
  const auto place_of = [&](const RewriteGain& gain) {
    return std::ranges::find(passes, gain.rewrite.pass, &OptimizePass::name) - passes.begin();
  };
  std::ranges::stable_sort(gains, [&](const RewriteGain& a, const RewriteGain& b) {
    return std::pair(place_of(a), -a.gates_removed) < std::pair(place_of(b), -b.gates_removed);
  });
}

bool is_same_class(const EquivalenceClass& a, const EquivalenceClass& b) {
  return std::ranges::equal(a.members, b.members, [](const ClassMember& x, const ClassMember& y) {
    return x.gates == y.gates && x.phase == y.phase;
  });
}

void add_table(std::vector<ClassTableSummary>& total, ClassTableSummary next) {
  const bool is_known = std::ranges::any_of(total, [&](const ClassTableSummary& each) {
    return each.gate_set == next.gate_set && each.cost == next.cost &&
           each.two_qubit_weight == next.two_qubit_weight && each.symbolic == next.symbolic &&
           each.letters == next.letters;
  });
  if (!is_known) total.push_back(std::move(next));
}

}  // namespace

void add_search(OptimizeResult& total, OptimizeResult next) {
  total.stop_reason = next.stop_reason;
  total.circuits_popped += next.circuits_popped;
  total.annealing_moves += next.annealing_moves;
  for (const OptimizePass& pass : next.passes) add_pass(total.passes, pass);
  for (RewriteGain& gain : next.gains) add_gain(total.gains, std::move(gain));
  sort_gains(total.gains, total.passes);
  for (EquivalenceClass& each : next.rules) {
    const bool is_known = std::ranges::any_of(
        total.rules, [&](const EquivalenceClass& known) { return is_same_class(known, each); });
    if (!is_known) total.rules.push_back(std::move(each));
  }
  for (ClassTableSummary& table : next.class_tables) {
    add_table(total.class_tables, std::move(table));
  }
  total.seconds += next.seconds;
  total.threads = std::max(total.threads, next.threads);
}

}  // namespace quartz::workflow
