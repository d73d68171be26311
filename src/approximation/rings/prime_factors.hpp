#pragma once

#include <optional>
#include <vector>

#include "approximation/rings/integer.hpp"

namespace quartz::approximation {

/// A prime and its exponent.
struct PrimePower {
  Integer prime;
  unsigned exponent = 0;
};

/// Returns the prime factors of n >= 1, the smallest first, by trial division and Pollard's rho.
/// Returns nullopt if the effort is bounded too tightly for n; numbers below 2^64 are always
/// factored. "Prime" means that a Miller-Rabin test found no fault; it is a proof below 2^64.
[[nodiscard]] std::optional<std::vector<PrimePower>> prime_factors(const Integer& n);

/// Returns base^exponent modulo `modulus`.
[[nodiscard]] Integer power_modulo(const Integer& base, const Integer& exponent,
                                   const Integer& modulus);

}  // namespace quartz::approximation
