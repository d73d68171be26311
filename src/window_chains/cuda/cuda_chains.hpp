#pragma once

#include <memory>

#include "window_chains/backend/chain_device.hpp"

namespace quartz::window_chains {

/// Returns the number of devices that the program sees (CUDA_VISIBLE_DEVICES); 0 without a driver.
[[nodiscard]] unsigned cuda_chain_devices();
/// Copies a table to one of these devices.
[[nodiscard]] std::unique_ptr<ChainDevice> make_cuda_chains(const HostTable& table,
                                                            unsigned device);

}  // namespace quartz::window_chains
