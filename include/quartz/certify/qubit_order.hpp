#pragma once

#include "quartz/certify/equivalence.hpp"
#include "quartz/certify/fault.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/output_permutation.hpp"
#include "quartz/circuit/program_assumptions.hpp"

namespace quartz {

/// Returns why it is not proved that a circuit replaces another one up to this output permutation,
/// if so. It is proved if both have the same operations once their SWAP gates are followed to
/// where they lead. The code shares nothing with without_swaps() and with_output_permutation(),
/// whose results it is meant for; replacements that also have other gates are for
/// check_equivalence(). Takes linear time.
[[nodiscard]] Fault fault_of_order(const Circuit& original, const Circuit& replacement,
                                   const OutputPermutation& permutation);

/// Compares circuits as check_equivalence() does, under these assumptions, and the right one up to
/// an output permutation. The circuits that are compared in their place are proved to replace them
/// by fault_of_order(). Throws UsageError if the permutation is none of the circuits' qubits.
[[nodiscard]] EquivalenceReport check_equivalence_up_to_order(
    const Circuit& left, const Circuit& right, const OutputPermutation& permutation,
    const ProgramAssumptions& assumptions = {}, const EquivalenceOptions& options = {});

/// Compares programs under these assumptions. In a free order, the right one is compared up to the
/// output permutation that leads from the one that the left program states to its own.
[[nodiscard]] EquivalenceReport check_equivalence_of_programs(
    const Circuit& left, const Circuit& right, const ProgramAssumptions& assumptions,
    bool has_free_order, const EquivalenceOptions& options = {});

}  // namespace quartz
