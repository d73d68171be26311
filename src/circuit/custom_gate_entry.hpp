#pragma once

#include <span>
#include <string>

#include "circuit/exact_sum.hpp"

namespace quartz {

/// What keeps a sum from being an entry of a custom gate with these parameters, in words; empty
/// where nothing does. Throws OverflowError for coefficients beyond 32 bits.
[[nodiscard]] std::string entry_fault(const ExactSum& entry,
                                      std::span<const std::string> parameters);

}  // namespace quartz
