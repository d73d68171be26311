#include "proof_perf.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "benchmark_list.hpp"
#include "certify/path_sum/path_sum_comparison.hpp"
#include "certify/problem/problem.hpp"
#include "circuits.hpp"
#include "class_table.hpp"
#include "optimize/folding/rotation_folding.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/rules/rule_set.hpp"
#include "quartz/verify/prover.hpp"
#include "verify/window_prover.hpp"

namespace quartz::perf {

using namespace circuit;
using namespace optimizer;
using namespace verify;
namespace {

/// Returns claims from the bundled rules for nam: one from every group of consecutive classes.
constexpr std::size_t kClaims = 64;

void proofs(benchmark::State& state, Prover& prover) {
  const RuleSet rules = bundled_rule_set(nam()).value();
  std::vector<Claim> claims;
  const std::size_t stride = std::max<std::size_t>(rules.classes.size() / kClaims, 1);
  for (std::size_t i = 0; i < rules.classes.size() && claims.size() < kClaims; i += stride) {
    const std::vector<ClassMember>& members = rules.classes[i].members;
    claims.push_back({members[0].gates, members[1].gates, rules.qubits, members[1].phase});
  }
  for (auto _ : state) {
    for (const Claim& claim : claims) {
      ensure(prover.prove(claim).verdict == ProofVerdict::proved, "every bundled rule is proved");
    }
  }
  count_items(state, claims.size());
}

/// Returns the adder with its rotations folded: the same unitary in fewer gates.
Circuit folded(const Circuit& adder) {
  DerivedGates gates = fold_rotations(adder.operations, adder.qubit_count(), nam());
  Circuit result = without_operations(adder);
  result.operations = std::move(gates.gates);
  result.global_phase.add_phase(gates.phase);
  return result;
}

}  // namespace

void z3_proofs(benchmark::State& state) { proofs(state, *make_z3_prover()); }
void exact_proofs(benchmark::State& state) { proofs(state, *make_exact_prover()); }

/// Proves random windows equal to the cheapest circuits of their classes, as annealing does.
void window_proofs(benchmark::State& state) {
  struct Pair {
    std::vector<std::uint8_t> window;
    std::vector<std::uint8_t> replacement;
    int phase = 0;
  };
  const ClassTable& table = nam_table();
  const WindowProver prover(table.alphabet().letters);
  std::vector<Pair> pairs;
  for (TableState& at : random_table_states(table, 1024)) {
    Pair pair;
    pair.window = at.letters;
    while (at.cost != 0) pair.replacement.push_back(step_down(table, at));
    std::reverse(pair.replacement.begin(), pair.replacement.end());
    pair.phase = at.scalar.phase + table.probe().phase_at_start(at.state, -at.scalar.root);
    pairs.push_back(std::move(pair));
  }
  for (auto _ : state) {
    for (const Pair& pair : pairs) {
      ensure(prover.equal(pair.window, pair.replacement, pair.phase & 15),
             "the table leads to a circuit of the class");
    }
  }
  count_items(state, pairs.size());
}

void path_sum(benchmark::State& state) {
  const Circuit left = cuccaro_adder(100);
  const Circuit right = folded(left);
  const auto problem = std::get<certify::Problem>(certify::pose_problem(left, right));
  for (auto _ : state) {
    ensure(certify::compare_path_sums(problem, {}).outcome == certify::Outcome::equal,
           "a folded circuit equals the original");
  }
  count_items(state, left.operations.size() + right.operations.size());
}

void check_folded_adder(benchmark::State& state) {
  const Circuit left = cuccaro_adder(kBitsOf47601Gates);
  const Circuit right = folded(left);
  for (auto _ : state) {
    const EquivalenceVerdict verdict = check_equivalence(left, right).verdict;
    ensure(verdict == EquivalenceVerdict::equal || verdict == EquivalenceVerdict::equal_up_to_phase,
           "a folded circuit equals the original");
  }
  count_items(state, left.operations.size() + right.operations.size());
}

}  // namespace quartz::perf
