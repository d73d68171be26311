#pragma once

#include <memory>

#include "window_chains/backend/chain_device.hpp"

namespace quartz::window_chains {

/// Returns whether there is a driver and a device.
[[nodiscard]] bool cuda_chains_available();
/// Copies a table to the first device that the program sees (CUDA_VISIBLE_DEVICES).
[[nodiscard]] std::unique_ptr<ChainDevice> make_cuda_chains(const HostTable& table);

}  // namespace quartz::window_chains
