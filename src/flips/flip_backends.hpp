#pragma once

#include <span>

#include "flips/backend/flip_walks.hpp"

namespace quartz::flips {

/// Returns the backends in this build, in order of preference: "cuda" if it was built with CUDA,
/// and "emulator", which runs the code of the device on the host and serves tests.
[[nodiscard]] std::span<const FlipBackend> flip_backends();

}  // namespace quartz::flips
