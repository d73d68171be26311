#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/workflow/superoptimize.hpp"
#include "workflow/certifiable_circuits.hpp"

namespace quartz::workflow {

/// A circuit that is compared in place of the result if the result cannot be, by its journal.
struct FallbackCircuit {
  FoundCircuit found;
  std::function<std::string()> journal;  ///< returns its journal
  double replay_seconds = 0;             ///< estimated time to write and to replay it
};

/// Information for the check of a result, besides the circuits.
struct CheckRequest {
  CheckPolicy policy = CheckPolicy::normal;
  std::optional<CouplingMap> coupling;
  EquivalenceOptions equivalence;
  std::string rules_name;       ///< name of the caller's rules; empty if there are none
  std::string checkpoint_name;  ///< folder of the checkpoint that was continued; empty if none
  /// The circuit with which journals begin, which must outlive the request (null: the input), and
  /// the output permutation with which they end.
  const Circuit* first = nullptr;
  OutputPermutation permutation;
  /// Returns the journal of the rewrites that lead from `first` to the result, by which they are
  /// compared if other methods cannot decide; empty if they are not recorded.
  std::function<std::string()> journal;
  double replay_seconds = 0;   ///< estimated time to write and to replay the journal
  std::uint64_t rewrites = 0;  ///< number of rewrites in the journal
  /// Returns a circuit that can be certified in a time, in seconds, by a journal with a limited
  /// number of steps, or nothing; empty if there are no such circuits.
  std::function<std::optional<FallbackCircuit>(double seconds, std::uint64_t most_steps)> fallback;
};

/// Outcome of check_result.
struct CheckOutcome {
  ResultCheck check;
  /// The circuit that was certified if the result could not be.
  std::optional<FoundCircuit> fallback;
};

/// Checks the coupling of a result, which is fast and does not depend on the policy, and compares
/// the result with the input. Throws InternalError for a wrong result, or InputError with the name
/// of the rules or of the checkpoint if the caller gave one, and Unverified as described at
/// CheckPolicy.
[[nodiscard]] CheckOutcome check_result(const Circuit& input, const Circuit& result,
                                        const CheckRequest& request);

}  // namespace quartz::workflow
