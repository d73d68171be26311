#include "workflow/search_total.hpp"

#include <algorithm>
#include <boost/functional/hash.hpp>
#include <cstddef>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

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
  known->processor_seconds += next.processor_seconds;
}

std::size_t hash_of(std::span<const Operation> gates) {
  std::size_t seed = gates.size();
  for (const Operation& gate : gates) {
    boost::hash_combine(seed, static_cast<std::size_t>(gate.gate));
    boost::hash_range(seed, gate.qubits.begin(), gate.qubits.end());
    for (const Angle& angle : gate.angles) boost::hash_combine(seed, angle.hash());
  }
  return seed;
}

bool is_same(const RewriteGain& a, const RewriteGain& b) {
  return a.rewrite.pass == b.rewrite.pass && a.rewrite.kind == b.rewrite.kind &&
         a.rewrite.left == b.rewrite.left && a.rewrite.right == b.rewrite.right &&
         a.rewrite.phase == b.rewrite.phase;
}

std::size_t hash_of(const RewriteGain& gain) {
  std::size_t seed = hash_of(gain.rewrite.left);
  boost::hash_combine(seed, hash_of(gain.rewrite.right));
  return seed;
}

void merge(RewriteGain& known, const RewriteGain& next) {
  known.uses += next.uses;
  known.gates_removed += next.gates_removed;
}

bool is_same(const EquivalenceClass& a, const EquivalenceClass& b) {
  return std::ranges::equal(a.members, b.members, [](const ClassMember& x, const ClassMember& y) {
    return x.gates == y.gates && x.phase == y.phase;
  });
}

std::size_t hash_of(const EquivalenceClass& equal) {
  std::size_t seed = 0;
  for (const ClassMember& member : equal.members) boost::hash_combine(seed, hash_of(member.gates));
  return seed;
}

void merge(EquivalenceClass& /*known*/, const EquivalenceClass& /*next*/) {}

/// Appends elements to a list without equal ones, and merges those that it has into them. The
/// elements of one search differ from each other, so the first list becomes the total as it is.
template <typename Element>
void add_all(std::vector<Element>& total, std::vector<Element> next) {
  if (total.empty()) {
    total = std::move(next);
    return;
  }
  const auto hash = [&](std::size_t index) { return hash_of(total[index]); };
  const auto equal = [&](std::size_t a, std::size_t b) { return is_same(total[a], total[b]); };
  std::unordered_set<std::size_t, decltype(hash), decltype(equal)> known(
      2 * (total.size() + next.size()), hash, equal);
  for (std::size_t i = 0; i < total.size(); ++i) known.insert(i);
  for (Element& element : next) {
    total.push_back(std::move(element));
    const auto [place, is_new] = known.insert(total.size() - 1);
    if (is_new) continue;
    merge(total[*place], total.back());
    total.pop_back();
  }
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

void add_table(std::vector<ClassTableSummary>& total, ClassTableSummary next) {
  const bool is_known = std::ranges::any_of(total, [&](const ClassTableSummary& each) {
    return each.gate_set == next.gate_set && each.cost == next.cost &&
           each.two_qubit_weight == next.two_qubit_weight && each.symbolic == next.symbolic &&
           each.letters == next.letters;
  });
  if (!is_known) total.push_back(std::move(next));
}

/// The later search begins with what the earlier one found.
void add_products(std::optional<ProductCounts>& total, const std::optional<ProductCounts>& next) {
  if (!total || !next) {
    total = total ? total : next;
  } else {
    total->after = std::min(total->after, next->after);
  }
}

}  // namespace

void add_search(OptimizeResult& total, OptimizeResult next) {
  total.stop_reason = next.stop_reason;
  total.circuits_popped += next.circuits_popped;
  total.annealing_moves += next.annealing_moves;
  add_to(total.device_annealing, next.device_annealing);
  add_products(total.products, next.products);
  if (!total.repetitions) total.repetitions = next.repetitions;
  if (next.local_optimality) total.local_optimality = next.local_optimality;
  for (const OptimizePass& pass : next.passes) add_pass(total.passes, pass);
  add_all(total.gains, std::move(next.gains));
  sort_gains(total.gains, total.passes);
  add_all(total.rules, std::move(next.rules));
  for (ClassTableSummary& table : next.class_tables) {
    add_table(total.class_tables, std::move(table));
  }
  total.seconds += next.seconds;
  total.threads = std::max(total.threads, next.threads);
}

}  // namespace quartz::workflow
