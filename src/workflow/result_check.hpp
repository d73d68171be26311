#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/circuit/output_permutation.hpp"
#include "quartz/circuit/program_edges.hpp"
#include "quartz/workflow/superoptimize.hpp"
#include "workflow/certifiable_circuits.hpp"

namespace quartz::workflow {

/// A circuit that is compared in place of the result if the result cannot be, by its journal.
struct FallbackCircuit {
  CertifiableCircuit circuit;
  /// Returns the journal of the circuit.
  std::function<std::string(const circuit::DerivedCircuit&)> journal;
  double replay_seconds = 0;  ///< estimated time to write and to replay it
};

/// The circuit from which a result comes whose qubits may be in another order. The input of the
/// check is then one that is meant to replace this circuit.
struct FreeOrderOfResult {
  const Circuit* original = nullptr;  ///< without edges; never null, must outlive the request
  OutputPermutation permutation;  ///< the qubits of the result on which those of the original end
  SwapGates swaps = SwapGates::kept;  ///< with which the journal begins
  ProgramEdges edges;                 ///< which input and result have as operations
};

/// Information for the check of a result, besides the circuits.
struct CheckRequest {
  CheckPolicy policy = CheckPolicy::normal;
  std::optional<CouplingMap> coupling;
  EquivalenceOptions equivalence;
  std::string rules_name;       ///< name of the caller's rules; empty if there are none
  std::string checkpoint_name;  ///< folder of the checkpoint that was continued; empty if none
  /// The circuit from which the result comes, if its qubits may be in another order.
  std::optional<FreeOrderOfResult> order;
  /// Returns the journal of the rewrites that lead to the result, by which it is compared if other
  /// methods cannot decide; empty if they are not recorded.
  std::function<std::string()> journal;
  double replay_seconds = 0;   ///< estimated time to write and to replay the journal
  std::uint64_t rewrites = 0;  ///< number of rewrites in the journal
  /// Most rewrites of a journal that may be replayed.
  std::uint64_t max_steps = std::numeric_limits<std::uint64_t>::max();
  /// Returns a circuit that can be certified in a time, in seconds, by a journal with a limited
  /// number of steps, or nothing; empty if there are no such circuits.
  std::function<std::optional<FallbackCircuit>(double seconds, std::uint64_t most_steps)> fallback;
};

/// Outcome of check_result.
struct CheckOutcome {
  ResultCheck check;
  /// The circuit that was certified if the result could not be.
  std::optional<circuit::DerivedCircuit> fallback;
};

/// Checks the coupling of a result, which is fast and does not depend on the policy, and compares
/// the result with the input, and the input with the original of a free order: only if the
/// certification proves that it replaces that by its own means, or if a replay of the journal from
/// the original does, is the result certified. Throws InternalError for a wrong result, or
/// InputError with the name of the rules or of the checkpoint if the caller gave one, and
/// Unverified as described at CheckPolicy.
[[nodiscard]] CheckOutcome check_result(const Circuit& input, const Circuit& result,
                                        const CheckRequest& request);

/// Returns the outcome of a check for which there is no memory: undecided. Throws as check_result
/// does.
[[nodiscard]] CheckOutcome unchecked_for_memory(const Circuit& result, const CheckRequest& request);

}  // namespace quartz::workflow
