#pragma once

#include <cstdint>
#include <memory>

#include "flips/backend/flip_walks.hpp"

namespace quartz::flips {

/// Makes walks whose chains run one after the other on the host.
[[nodiscard]] std::unique_ptr<FlipWalks> make_emulated_flip_walks(const FlipWalkStart& start,
                                                                  std::uint32_t most_chains);

}  // namespace quartz::flips
