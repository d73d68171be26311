#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/circuit/output_permutation.hpp"
#include "quartz/circuit/program_assumptions.hpp"
#include "quartz/workflow/superoptimize.hpp"
#include "workflow/certificate/running_certificate.hpp"

namespace quartz::workflow {

/// The circuit from which a result comes whose qubits may be in another order. The input of the
/// check is then one that is meant to replace this circuit.
struct FreeOrderOfResult {
  /// Without the resets of assumptions. Never null; must outlive the request.
  const Circuit* original = nullptr;
  OutputPermutation permutation;   ///< the qubits of the result on which those of the original end
  ProgramAssumptions assumptions;  ///< which input and result have as operations
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
  /// The certificate of the search, which certifies the result by its history if the direct
  /// comparison does not, or else has another circuit; null if there is none.
  RunningCertificate* certificate = nullptr;
  circuit::HistoryPointer history = {};  ///< that of the result, if there is a certificate
  /// Fraction of the time that is left in which the result is compared directly while its history
  /// is replayed: the time decides then by which of them it is certified. With 0, they follow each
  /// other.
  double share_of_both_ways = 0;
};

/// Returns whether circuits with this number of operations together are so large that a history is
/// replayed while nothing else compares them.
[[nodiscard]] bool replays_alone(std::size_t operations);
/// Returns the fraction of the time of a check in which a history is replayed, for circuits with
/// this number of operations together, and CheckRequest::share_of_both_ways.
[[nodiscard]] double share_of_replay(std::size_t operations, double share_of_both_ways);

/// Outcome of check_result.
struct CheckOutcome {
  ResultCheck check;
  /// The circuit that was certified if the result could not be.
  std::shared_ptr<const CertifiedCircuit> other;
};

/// Compares two circuits. The report is undecided if there is no memory for that, or if posing the
/// problem, during which nothing looks at the clock, is estimated to take longer than
/// `seconds_of_posing`.
[[nodiscard]] EquivalenceReport compare_directly(const Circuit& input, const Circuit& circuit,
                                                 const EquivalenceOptions& options,
                                                 double seconds_of_posing);

/// Checks the coupling of a result, which is fast and does not depend on the policy, and compares
/// the result with the input, and the input with the original of a free order: only if the
/// certification proves that it replaces that by its own means, or if a replay of the journal from
/// the original does, is the result certified. Throws InternalError for a wrong result, or
/// InputError with the name of the rules or of the checkpoint if the caller gave one, and
/// Unverified as described at CheckPolicy.
[[nodiscard]] CheckOutcome check_result(const Circuit& input, const Circuit& result,
                                        const CheckRequest& request);

/// Returns a verdict that is not `undecided`, and how it was reached, as text.
[[nodiscard]] std::string text_of_verdict(const EquivalenceReport& report);

/// Returns the outcome of a check for which there is no memory: undecided. Throws as check_result
/// does.
[[nodiscard]] CheckOutcome unchecked_for_memory(const Circuit& result, const CheckRequest& request);

}  // namespace quartz::workflow
