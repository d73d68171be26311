#pragma once

#include <vector>

#include "classes/backend/level_key.hpp"
#include "fingerprint/fingerprint.hpp"

namespace quartz::classes {

using algebra::Goldilocks;

/// Returns the functionals of a state that no letter extends, in the order of extension_quotient.
[[nodiscard]] std::vector<Goldilocks> identity_functionals(
    const fingerprint::FingerprintTables& tables);
/// Returns the key of the class of the identity, with which enumeration by levels begins.
[[nodiscard]] LevelKey identity_key(const fingerprint::FingerprintTables& tables);

}  // namespace quartz::classes
