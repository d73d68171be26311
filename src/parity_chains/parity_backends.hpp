#pragma once

#include <span>

#include "parity_chains/backend/parity_walks.hpp"

namespace quartz::parity_chains {

/// Returns the backends in this build, in order of preference: "cuda" if it was built with CUDA,
/// and "emulator", which runs the code of the device on the host and serves tests.
[[nodiscard]] std::span<const ParityBackend> parity_backends();

}  // namespace quartz::parity_chains
