#pragma once

#include "parity_chains/backend/parity_walks.hpp"

namespace quartz::parity_chains {

/// Runs the code of the device on the host, one chain after the other.
[[nodiscard]] std::unique_ptr<ParityWalks> make_emulated_parity_walks(const ParityWalkStart& start,
                                                                      std::uint32_t most_chains);

}  // namespace quartz::parity_chains
