#pragma once

#include <span>
#include <string>

#include "circuit/exact_sum.hpp"

namespace quartz::circuit {

/// Returns the reason why a sum cannot be an entry of a custom gate with these parameters; empty if
/// it can. Throws OverflowError for coefficients beyond 32 bits.
[[nodiscard]] std::string entry_fault(const ExactSum& entry,
                                      std::span<const std::string> parameters);

}  // namespace quartz::circuit
