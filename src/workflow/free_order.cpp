#include "workflow/free_order.hpp"

#include <utility>

#include "quartz/base/errors.hpp"
#include "quartz/optimize/cheaper_swaps.hpp"

namespace quartz::workflow {
namespace {

/// Blocks that become shorter may meet, and form other blocks.
constexpr int kMaxRounds = 4;
/// Simplifying a circuit of this size takes about a second.
constexpr std::size_t kMaxOperations = 50'000;

/// Returns the circuit in the gate set, and the rewrites that lead to it.
FoundCircuit in_gate_set(const Circuit& circuit, const FreeOrder& order) {
  FoundCircuit result;
  result.circuit = translate(circuit, order.set, order.stop, &result.history);
  if (order.coupling && order.coupling->directed()) {
    circuit::HistoryPointer directed;
    result.circuit = fix_gate_directions(result.circuit, order.set, *order.coupling, &directed);
    result.history = circuit::in_sequence(std::move(result.history), std::move(directed));
  }
  return result;
}

/// Returns the circuit with free SWAP gates, simplified, or nothing if that does not cost less.
std::optional<OrderedCircuit> with_free_swaps(const OrderedCircuit& now, const FreeOrder& order) {
  const SwapPlaces places = order.coupling ? SwapPlaces::at_the_end : SwapPlaces::anywhere;
  const std::optional<CircuitWithSwaps> swaps =
      with_cheaper_swaps(now.found.circuit, order.set, order.cost, places);
  if (!swaps) return std::nullopt;
  const FoundCircuit translated = in_gate_set(swaps->circuit, order);
  OptimizeResult simplified = order.simplify(translated.circuit);
  if (cost_of(now.found.circuit, order.cost) <= cost_of(simplified.circuit, order.cost)) {
    return std::nullopt;
  }
  OrderedCircuit result;
  result.found.circuit = std::move(simplified.circuit);
  result.found.numeric = now.found.numeric || simplified.numeric;
  result.found.history = now.found.history;
  for (const circuit::HistoryPointer& each :
       {swaps->history, translated.history, simplified.history}) {
    result.found.history = circuit::in_sequence(std::move(result.found.history), each);
  }
  result.permutation = composed(now.permutation, swaps->permutation);
  return result;
}

}  // namespace

bool is_of_free_order(const Circuit& circuit) {
  return circuit.operations.size() <= kMaxOperations;
}

bool take_free_swaps(OrderedCircuit& now, const FreeOrder& order) {
  bool has_changed = false;
  for (int round = 0; round < kMaxRounds && !order.stop.stop_requested(); ++round) {
    try {
      std::optional<OrderedCircuit> better = with_free_swaps(now, order);
      if (!better) break;
      now = *std::move(better);
      has_changed = true;
    } catch (const InputError&) {
      break;  // the gate set, which expresses the circuit, cannot express a SWAP gate
    } catch (const Stopped&) {
      break;
    }
  }
  return has_changed;
}

}  // namespace quartz::workflow
