#include "workflow/simplified_circuits.hpp"

#include <utility>

#include "quartz/base/errors.hpp"
#include "quartz/optimize/shorten_linear_blocks.hpp"
#include "quartz/optimize/simplify_around_resets.hpp"

namespace quartz::workflow {
namespace {

bool has_operations_of(const Circuit& a, const Circuit& b) {
  return a.operations.size() == b.operations.size() && a.operations == b.operations;
}

/// Returns the input with fewer gates, in any gates.
DerivedCircuit simplified_input(const Circuit& input, const GateSet& set,
                                const std::optional<CouplingMap>& coupling, bool records_history) {
  DerivedCircuit result;
  circuit::HistoryPointer* const history = records_history ? &result.history : nullptr;
  result.circuit = simplify_around_resets(input, nullptr, history, &result.known_states);
  const bool is_directed = coupling && coupling->directed();
  if (is_directed || set.contains(make_operation(GateKind::cx, {0, 1}))) return result;
  circuit::HistoryPointer shortened;
  result.circuit = shorten_linear_blocks(result.circuit, coupling ? &*coupling : nullptr,
                                         records_history ? &shortened : nullptr);
  result.history = circuit::in_sequence(std::move(result.history), std::move(shortened));
  return result;
}

bool is_coupled(const Circuit& circuit, const std::optional<CouplingMap>& coupling) {
  return !coupling || !uncoupled_gate(circuit, *coupling);
}

}  // namespace

std::optional<DerivedCircuit> simplified_start(const Circuit& input, const GateSet& set,
                                               const SuperoptimizeOptions& options,
                                               const SuperoptimizeResult& result,
                                               bool records_history) {
  DerivedCircuit start = simplified_input(input, set, result.coupling, records_history);
  if (has_operations_of(start.circuit, input)) return std::nullopt;
  circuit::HistoryPointer translated;
  circuit::HistoryPointer directed;
  try {
    start.circuit =
        translate(start.circuit, set, options.stop, records_history ? &translated : nullptr);
  } catch (const InputError&) {
    return std::nullopt;  // the set, which expresses the input, lacks a gate for what is simpler
  }
  if (result.coupling && result.coupling->directed()) {
    start.circuit = fix_gate_directions(start.circuit, set, *result.coupling,
                                        records_history ? &directed : nullptr);
  }
  start.circuit.qasm_version = result.translated.qasm_version;
  start.circuit.hides_library_names = result.translated.hides_library_names;
  const bool is_cheaper =
      cost_of(start.circuit, result.cost) < cost_of(result.translated, result.cost);
  if (!is_cheaper || !is_coupled(start.circuit, result.coupling)) return std::nullopt;
  start.history = circuit::in_sequence(
      circuit::in_sequence(std::move(start.history), std::move(translated)), std::move(directed));
  return start;
}

void simplify_result(const GateSet& set, bool records_history, SuperoptimizeResult& result) {
  circuit::HistoryPointer history;
  KnownStates changes;
  Circuit simplified =
      simplify_around_resets(result.circuit, &set, records_history ? &history : nullptr, &changes);
  if (has_operations_of(simplified, result.circuit)) return;
  if (cost_of(result.circuit, result.cost) < cost_of(simplified, result.cost)) return;
  if (!is_coupled(simplified, result.coupling)) return;
  history = circuit::in_sequence(result.history, std::move(history));
  result.circuit = std::move(simplified);
  result.known_states.gates_removed += changes.gates_removed;
  result.known_states.gates_replaced += changes.gates_replaced;
  result.history = std::move(history);
}

}  // namespace quartz::workflow
