#pragma once

#include <optional>

#include "circuit/history.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/optimize/simplify_around_resets.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/superoptimize.hpp"

/// Simplifications of whole circuits before and after the search, which itself only knows
/// segments of gates.
namespace quartz::workflow {

/// A circuit, and how it was derived from the input; the history is null if none is recorded.
struct DerivedCircuit {
  Circuit circuit;
  circuit::HistoryPointer history = {};
  KnownStates known_states = {};
};

/// Returns another circuit in the gate set with which the search can begin: the input is simplified
/// around its resets, and for a gate set without CNOTs its blocks of CNOTs are shortened, before it
/// is translated. Gates on three qubits and blocks are no longer visible afterwards. Returns
/// nothing unless it costs less than `result.translated`, the plain translation.
[[nodiscard]] std::optional<DerivedCircuit> simplified_start(const Circuit& input,
                                                             const GateSet& set,
                                                             const SuperoptimizeOptions& options,
                                                             const SuperoptimizeResult& result,
                                                             bool records_history);

/// Simplifies the result of the search around its resets, unless it then costs more.
void simplify_result(const GateSet& set, bool records_history, SuperoptimizeResult& result);

}  // namespace quartz::workflow
