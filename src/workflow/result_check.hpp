#pragma once

#include <functional>
#include <optional>
#include <string>

#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/workflow/superoptimize.hpp"

namespace quartz::workflow {

/// Information for the check of a result, besides the circuits.
struct CheckRequest {
  CheckPolicy policy = CheckPolicy::normal;
  std::optional<CouplingMap> coupling;
  EquivalenceOptions equivalence;
  std::string rules_name;  ///< name of the caller's rules; empty if there are none
  /// Returns the journal of the rewrites between the circuits, by which they are compared if other
  /// methods cannot decide; empty if they are not recorded.
  std::function<std::string()> journal;
  double replay_seconds = 0;  ///< estimated time to write and to replay the journal
};

/// Checks the coupling of a result, which is fast and does not depend on the policy, and compares
/// the result with the input. Throws InternalError for a wrong result, or InputError with the name
/// of the rules if the caller gave rules, and Unverified as described at CheckPolicy.
[[nodiscard]] ResultCheck check_result(const Circuit& input, const Circuit& result,
                                       const CheckRequest& request);

}  // namespace quartz::workflow
