#pragma once

#include <memory>

#include "window_chains/backend/chain_device.hpp"

namespace quartz::window_chains {

/// Makes a device whose chains run one after the other on the host; its number has no effect.
[[nodiscard]] std::unique_ptr<ChainDevice> make_emulated_chains(const HostTable& table,
                                                                unsigned device);

}  // namespace quartz::window_chains
