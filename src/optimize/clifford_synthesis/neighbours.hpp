#pragma once

#include <cstdint>
#include <vector>

namespace quartz::optimizer {

/// For each qubit, those with which it may have gates.
using Neighbours = std::vector<std::vector<std::uint32_t>>;

}  // namespace quartz::optimizer
