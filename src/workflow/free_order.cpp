#include "workflow/free_order.hpp"

#include <array>
#include <chrono>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "quartz/optimize/cheaper_swaps.hpp"

namespace quartz::workflow {
namespace {

using Clock = std::chrono::steady_clock;

/// A SWAP gate at the end uncovers other gates, which may then be the last ones on their qubits.
constexpr int kMaxRounds = 4;
/// Fraction of the time of the search for one round.
constexpr double kRoundShare = 0.03;
/// Simplifying a circuit of this size takes some tenths of a second.
constexpr std::size_t kMaxOperations = 5'000;

/// Returns the options for a quick look at what the search will begin with.
SuperoptimizeOptions simplification(const GateSet& set, const SuperoptimizeOptions& options) {
  RuleSet no_rules;
  no_rules.gate_set = set.name;
  no_rules.gate_set_digest = set.digest;
  SuperoptimizeOptions quick;
  quick.cost = options.cost;
  quick.seconds = options.steps == 0 ? kRoundShare * options.seconds : 0;
  quick.threads = 1;
  quick.seed = options.seed;
  quick.search = "simplify";
  quick.exactness = options.exactness;
  quick.edges = options.edges;
  quick.coupling = options.coupling;
  quick.rules = std::move(no_rules);
  quick.cache = {.enabled = false, .folder = {}};
  quick.check = CheckPolicy::off;
  quick.circuit_name = options.circuit_name;
  quick.stop = options.stop;
  return quick;
}

/// Returns the permutation followed by SWAP gates on these pairs.
OutputPermutation with_swaps(const OutputPermutation& permutation, std::size_t qubits,
                             const std::vector<std::array<Qubit, 2>>& pairs) {
  OutputPermutation swaps(qubits);
  std::iota(swaps.begin(), swaps.end(), Qubit{0});
  for (const auto& [a, b] : pairs) std::swap(swaps[a], swaps[b]);
  return composed(permutation, swaps);
}

}  // namespace

FreeOrder choose_order(const Circuit& circuit, const GateSet& set,
                       const SuperoptimizeOptions& options) {
  const Clock::time_point begin = Clock::now();
  const bool has_coupling = !std::holds_alternative<AnyCoupling>(options.coupling);
  const SwapGates swaps = has_coupling ? SwapGates::kept : SwapGates::removed;
  FreeOrder order;
  if (!has_coupling) order.permutation = without_swaps(circuit).permutation;
  order.start = with_output_permutation(circuit, order.permutation, swaps);
  const bool looks_for_swaps =
      options.checkpoint.folder.empty() && circuit.operations.size() <= kMaxOperations;
  std::optional<CostValue> before;
  for (int round = 0; looks_for_swaps && round < kMaxRounds; ++round) {
    const SuperoptimizeResult simplified =
        superoptimize(order.start, set, simplification(set, options));
    // The simplification does not always use the SWAP gates, but the search does.
    const CostValue now = cost_of(simplified.circuit, simplified.cost);
    if (before && now >= *before) break;
    before = now;
    const auto pairs = pairs_cheaper_with_swap(simplified.circuit, set, simplified.cost);
    if (pairs.empty()) break;
    order.permutation = with_swaps(order.permutation, circuit.qubit_count(), pairs);
    order.start = with_output_permutation(circuit, order.permutation, swaps);
  }
  order.start = with_stated_permutation(std::move(order.start),
                                        composed(stated_permutation(circuit), order.permutation));
  order.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return order;
}

}  // namespace quartz::workflow
