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
constexpr double kRoundShare = 0.05;
/// Fraction of the time, or of the steps, for the search that decides whether an order is better.
constexpr double kTrialShare = 0.15;
constexpr std::size_t kMaxOperationsOfTrial = 500;
/// A shorter search does not tell, and what it takes from the time is missed more.
constexpr double kMinTrialSeconds = 0.25;
/// Simplifying a circuit of this size takes about a second.
constexpr std::size_t kMaxOperations = 50'000;

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

/// Returns the options for a short search that compares two orders.
SuperoptimizeOptions trial(const SuperoptimizeOptions& options) {
  SuperoptimizeOptions brief = options;
  brief.qubit_order = QubitOrder::keep;
  brief.seconds = kTrialShare * options.seconds;
  brief.steps = static_cast<std::uint64_t>(kTrialShare * static_cast<double>(options.steps));
  brief.check = CheckPolicy::off;
  brief.record_journal = false;
  brief.record_rules = false;
  brief.record_gains = false;
  brief.on_result = {};
  brief.on_progress = {};
  brief.on_warning = {};
  return brief;
}

CostValue cost_after_trial(const Circuit& start, const GateSet& set,
                           const SuperoptimizeOptions& options) {
  const SuperoptimizeResult result = superoptimize(start, set, trial(options));
  return cost_of(result.circuit, result.cost);
}

/// An order with further SWAP gates at the end.
struct OrderWithSwaps {
  FreeOrder order;
  bool is_simpler = false;  ///< the simplified circuit costs less with them
};

/// Returns whether a search from a start with free SWAP gates ends with a cost that is not higher.
/// A short search would not tell for a large circuit, of which the end is a small part.
bool is_worth_it(const Circuit& circuit, const OrderWithSwaps& with_swaps, const Circuit& without,
                 const GateSet& set, const SuperoptimizeOptions& options) {
  if (circuit.operations.size() > kMaxOperationsOfTrial) return true;
  if (options.steps == 0 && kTrialShare * options.seconds < kMinTrialSeconds) {
    return with_swaps.is_simpler;
  }
  return cost_after_trial(with_swaps.order.start, set, options) <=
         cost_after_trial(without, set, options);
}

/// Returns the order with further SWAP gates at the end, where they make the last gates on two
/// qubits cheaper.
OrderWithSwaps with_free_swaps(const Circuit& circuit, FreeOrder order, SwapGates swaps,
                               const GateSet& set, const SuperoptimizeOptions& options) {
  OrderWithSwaps result{std::move(order)};
  std::optional<CostValue> first;
  std::optional<CostValue> before;
  for (int round = 0; round < kMaxRounds; ++round) {
    const SuperoptimizeResult simplified =
        superoptimize(result.order.start, set, simplification(set, options));
    // The simplification does not always use the SWAP gates, but the search does.
    const CostValue now = cost_of(simplified.circuit, simplified.cost);
    if (!first) first = now;
    result.is_simpler = now < *first;
    if (before && now >= *before) break;
    before = now;
    const auto pairs = pairs_cheaper_with_swap(simplified.circuit, set, simplified.cost);
    if (pairs.empty()) break;
    result.order.permutation = with_swaps(result.order.permutation, circuit.qubit_count(), pairs);
    result.order.start = with_output_permutation(circuit, result.order.permutation, swaps);
  }
  return result;
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
  if (options.checkpoint.folder.empty() && circuit.operations.size() <= kMaxOperations) {
    OrderWithSwaps other = with_free_swaps(circuit, order, swaps, set, options);
    if (other.order.permutation != order.permutation &&
        is_worth_it(circuit, other, order.start, set, options)) {
      order = std::move(other.order);
    }
  }
  order.start = with_stated_permutation(std::move(order.start),
                                        composed(stated_permutation(circuit), order.permutation));
  order.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return order;
}

}  // namespace quartz::workflow
