#pragma once

#include <functional>
#include <optional>

#include "circuit/derivation.hpp"
#include "optimize/passes/circuit_pass.hpp"

/// What happens to a whole circuit before and after the search, each a list of passes that is a
/// value (optimize/passes/circuit_pass.hpp).
namespace quartz::workflow {

/// Returns a circuit in the gates of the set, and in the directions of the coupling map as far as
/// gates can be reversed; nothing if it is in these already. Throws InputError for a circuit that
/// the set cannot express, and Stopped.
[[nodiscard]] std::optional<circuit::DerivedCircuit> translated(
    const Circuit& circuit, const optimizer::PassContext& context, optimizer::PassFigures& figures);

/// A circuit, and what the passes did besides.
struct SimplifiedCircuit {
  circuit::DerivedCircuit derived;
  optimizer::PassFigures figures;
};

/// Returns another circuit in the gate set with which the search can begin: the input is simplified
/// around its resets, and for a gate set without CNOTs its blocks of CNOTs are shortened, before it
/// is translated. Gates on three qubits and blocks are no longer visible afterwards. Returns
/// nothing unless it costs less than the plain translation.
[[nodiscard]] std::optional<SimplifiedCircuit> simplified_start(
    const Circuit& input, const Circuit& plain_translation, const optimizer::PassContext& context);

/// Returns the result of the search simplified around its resets; nothing if that does not change
/// it, or costs more.
[[nodiscard]] std::optional<SimplifiedCircuit> simplified_result(
    const Circuit& result, const optimizer::PassContext& context);

/// Returns whether a circuit is small enough that SWAP gates are taken for free.
[[nodiscard]] bool is_of_free_order(const Circuit& circuit);

/// Simplifies a circuit in the gate set.
using Simplification = std::function<circuit::DerivedCircuit(const Circuit&)>;

/// Puts SWAP gates, which a free order does not pay for, behind blocks on two qubits, as long as
/// the simplified circuit costs less with them. With a coupling map only behind the last blocks,
/// because all gates behind a SWAP gate move to other pairs of qubits. Returns whether there
/// are any.
[[nodiscard]] bool take_free_swaps(circuit::DerivedCircuit& now,
                                   const optimizer::PassContext& context,
                                   const Simplification& simplify);

}  // namespace quartz::workflow
