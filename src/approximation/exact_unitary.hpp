#pragma once

#include <array>
#include <optional>
#include <span>

#include "approximation/rings/cyclotomic_integer.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::approximation {

/// A 2 x 2 matrix over the ring Z[w, 1/sqrt(2)]: the entries, row by row, divided by
/// sqrt(2)^exponent.
struct ExactUnitary {
  std::array<CyclotomicInteger, 4> entries;
  unsigned exponent = 0;
};

/// Returns the product of gates in the order in which they are applied. The gates are those of
/// RotationApproximation::gates.
[[nodiscard]] ExactUnitary product(std::span<const GateKind> gates);

/// Returns the unitary followed by gates.
[[nodiscard]] ExactUnitary followed_by(ExactUnitary unitary, std::span<const GateKind> gates);

/// Returns the number of T gates.
[[nodiscard]] std::size_t t_count(std::span<const GateKind> gates);

/// Returns the power p in 0 .. 7 with b = w^p a; nullopt if there is none.
[[nodiscard]] std::optional<unsigned> phase_between(const ExactUnitary& a, const ExactUnitary& b);

/// Returns the gates of the Matsumoto-Amano normal form of a unitary, up to its global phase, in
/// the order in which they are applied.
[[nodiscard]] std::vector<GateKind> normal_form(const ExactUnitary& unitary);

}  // namespace quartz::approximation
