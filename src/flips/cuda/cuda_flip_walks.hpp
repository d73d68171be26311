#pragma once

#include <cstdint>
#include <memory>

#include "flips/backend/flip_walks.hpp"

namespace quartz::flips {

/// Returns whether there is a driver and a device.
[[nodiscard]] bool cuda_flips_available();
/// Makes walks on all devices that the program sees (CUDA_VISIBLE_DEVICES), with as many chains as
/// fit their multiprocessors at a time.
[[nodiscard]] std::unique_ptr<FlipWalks> make_cuda_flip_walks(const FlipWalkStart& start,
                                                              std::uint32_t most_chains);

}  // namespace quartz::flips
