#pragma once

#include <cstdint>
#include <span>

#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// The states on which two circuits have to agree.
enum class Inputs : std::uint8_t {
  all,
  zero,  ///< all qubits 0
};

/// Returns whether double precision tells the sums of the exact fractions of pi in some gates
/// apart: either all of them are simple (numeric_angle.hpp), or their common denominator is at most
/// kLargestResolvedDenominator.
[[nodiscard]] bool are_fractions_told_apart(std::span<const Operation> gates);

/// Returns whether gates that numeric synthesis found equal to others, up to e^{i phase}, preserve
/// the fractions of pi in them that are exact but not simple (numeric_angle.hpp). Numeric synthesis
/// takes what differs by less than kNumericTolerance for equal, which is right for decimals, and
/// for simple fractions, which are far apart. The check of the result compares all other fractions
/// exactly.
///
/// If all angles are exact, both circuits are evaluated in a precision in which only equal ones
/// agree. Otherwise the sums of the fractions must differ enough for double precision to tell them
/// apart, and the circuits have to agree within its rounding errors.
[[nodiscard]] bool preserves_exact_fractions(std::span<const Operation> before,
                                             std::span<const Operation> after, const Angle& phase,
                                             Inputs inputs = Inputs::all);

}  // namespace quartz::optimizer
