#pragma once

#include "parity_chains/backend/parity_walks.hpp"

namespace quartz::parity_chains {

/// Returns whether the machine has a device for CUDA.
[[nodiscard]] bool cuda_parities_available();
/// Runs chains on all devices of the machine, each with a block of its own.
[[nodiscard]] std::unique_ptr<ParityWalks> make_cuda_parity_walks(const ParityWalkStart& start,
                                                                  std::uint32_t most_chains);

}  // namespace quartz::parity_chains
