#pragma once

#include "quartz/target/backend.hpp"
#include "target/backend/device_facts.hpp"

namespace quartz::target {

/// Returns the device in the terms of the library. Gates that the gate table does not have, and
/// gates that work nowhere, are left out; a pair of qubits on which no gate works is not coupled.
[[nodiscard]] Backend backend_of(const DeviceFacts& facts);

}  // namespace quartz::target
