#pragma once

#include <span>

#include "window_chains/backend/chain_device.hpp"

namespace quartz::window_chains {

/// Returns the backends in this build, in order of preference: "cuda" if it was built with CUDA,
/// and "emulator", which runs the code of the device on the host and serves tests.
[[nodiscard]] std::span<const ChainBackend> chain_backends();

}  // namespace quartz::window_chains
