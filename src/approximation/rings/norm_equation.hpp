#pragma once

#include <optional>

#include "approximation/rings/cyclotomic_integer.hpp"

namespace quartz::approximation {

/// Returns a solution t in Z[w] of t^dagger t = xi, where xi is doubly nonnegative. Returns nullopt
/// if there is none, or if the norm of xi is too hard to factor.
[[nodiscard]] std::optional<CyclotomicInteger> solve_norm_equation(const RootTwoInteger& xi);

}  // namespace quartz::approximation
