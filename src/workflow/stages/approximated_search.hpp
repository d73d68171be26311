#pragma once

#include <optional>

#include "quartz/workflow/superoptimize.hpp"

namespace quartz::workflow {

/// What with_fewer_rotations() found.
struct ExactResult {
  /// Nothing if it is no better than the circuit with merged rotations, if it should be proved and
  /// is not, or if these gates do not express the circuit.
  std::optional<SuperoptimizeResult> result;
  double share = 0;  ///< fraction of the time or of the steps that it was given
};

/// Optimizes a circuit for fewer rotations and T gates before its rotations are approximated, with
/// all of its angles, in {h, x, rz, cx}, in a fraction of the time; in a quarter of that if this
/// brings little over merged rotations. The cost, the epsilon, assumptions and a free order of the
/// qubits are for the search after the approximation. Nothing is recorded but the journal.
[[nodiscard]] ExactResult with_fewer_rotations(const Circuit& circuit,
                                               const SuperoptimizeOptions& options, double share);

/// Returns the result of a search that began with the circuit of with_fewer_rotations(), as one
/// that began with the circuit before: its proof and its journal begin there.
[[nodiscard]] SuperoptimizeResult after_exact_search(SuperoptimizeResult exact,
                                                     SuperoptimizeResult result, const GateSet& set,
                                                     const SuperoptimizeOptions& options);

/// Returns whether superoptimize_and_approximate() is for these arguments: rotations have to be
/// approximated, and the search is `auto`, has time, and neither a checkpoint nor a journal with
/// assumptions or a free order.
[[nodiscard]] bool has_exact_search(const Circuit& circuit, const GateSet& set,
                                    const SuperoptimizeOptions& options);

/// Optimizes a circuit exactly (with_fewer_rotations), and the result with approximated rotations,
/// in parts of the time. What an approximated rotation costs, no search can undo. The result is
/// proved by both searches together. Throws what superoptimize() throws.
[[nodiscard]] SuperoptimizeResult superoptimize_and_approximate(
    const Circuit& circuit, const GateSet& set, const SuperoptimizeOptions& options);

/// Does what superoptimize() does for circuits without declared gates and without ancillas, in one
/// search.
[[nodiscard]] SuperoptimizeResult superoptimize_at_once(const Circuit& circuit, const GateSet& set,
                                                        const SuperoptimizeOptions& options);

}  // namespace quartz::workflow
