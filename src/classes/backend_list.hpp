#pragma once

#include <span>

#include "classes/backend/backend.hpp"

namespace quartz::classes {

/// Returns the list of all backends in this build, in order of preference.
[[nodiscard]] std::span<const FingerprintBackendEntry> fingerprint_backends();

}  // namespace quartz::classes
