#pragma once

#include <cstddef>
#include <optional>

#include "circuit/derivation.hpp"
#include "optimize/passes/circuit_pass.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::optimizer {

/// Returns about how many operations the plain translation of a circuit has: gates of one kind are
/// assumed to become as many gates as the first of them, and one gate if there is no translation.
/// Throws OverflowError if the angles of such a gate are beyond exact arithmetic, and Stopped.
[[nodiscard]] std::size_t size_of_translation(const Circuit& circuit, const PassContext& context);

/// Translates a circuit into the gates of a set as target::translated() does, and writes each run
/// of gates on one qubit as its cheapest word (RunWords) at once. Pairs of inverse gates of the
/// input that nothing, or a run that is the identity, separates are removed before. The gates of
/// the decompositions, several times as many as those of the input or of the result, are therefore
/// never in the memory together.
///
/// The history has one rewrite for each gate on several qubits that the set lacks, in which the
/// gates on one qubit have any names, and one for each run of these gates.
///
/// `expected_size` is that of the plain translation, as far as it is known.
///
/// Returns nothing if the gates of the set do not suffice for all runs, or if the set cannot
/// express a gate, or only by angles that are beyond exact arithmetic. Throws Stopped.
[[nodiscard]] std::optional<circuit::DerivedCircuit> translated_with_merged_runs(
    const Circuit& circuit, const PassContext& context, std::size_t expected_size);

}  // namespace quartz::optimizer
