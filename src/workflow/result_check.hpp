#pragma once

#include <optional>
#include <string>

#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/workflow/superoptimize.hpp"

namespace quartz {

/// What is known of a result, apart from the circuits, when it is checked.
struct CheckRequest {
  CheckPolicy policy = CheckPolicy::normal;
  std::optional<CouplingMap> coupling;
  EquivalenceOptions equivalence;
  std::string rules_name;  ///< of the rules if the caller gave some, or else empty
};

/// Checks the coupling of a result, which takes no time and is done whatever the policy, and
/// compares the result with the input. Throws InternalError for a wrong result, but InputError with
/// the name of the rules if the caller gave them, and Unverified as CheckPolicy says.
[[nodiscard]] ResultCheck check_result(const Circuit& input, const Circuit& result,
                                       const CheckRequest& request);

}  // namespace quartz
