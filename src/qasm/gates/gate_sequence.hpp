#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/fuzzing.hpp"
#include "quartz/circuit/operation.hpp"
#include "quartz/qasm/include_path.hpp"

/// Applies the modifiers of OpenQASM 3 to a gate, exactly and including the global phase.
namespace quartz::qasm {

/// e^{i phase} times the operations (gates and barriers), of which the first is applied first.
struct GateSequence {
  std::vector<Operation> operations;
  Angle phase;
};

/// Limit for the number of controls. Angles are halved once for each control and must stay exact in
/// 64 bits.
inline constexpr std::size_t kMaxControls = 32;

/// Limit for the length of a sequence, which is held in memory.
inline constexpr std::size_t kMaxModifiedOperations = std::size_t{1}
                                                      << (kIsFuzzingBuild ? 12U : 21U);
/// Throws InputError, without a location, if the sequence would be longer than
/// kMaxModifiedOperations.
void check_length(std::uint64_t operations, std::uint64_t times = 1);

/// Returns the sequence under the condition that all controls are 1. Its phase becomes gates on the
/// controls. Gates may borrow qubits of the sequence and further ones, `others`, that are neither
/// in the sequence nor controls: whatever their state is, they are restored. Throws OverflowError
/// if the angles need fractions of more than 64 bits, and InputError like check_length.
[[nodiscard]] GateSequence controlled(const GateSequence& sequence, std::span<const Qubit> controls,
                                      std::span<const Qubit> others = {},
                                      ControlExpansion expansion = {});
[[nodiscard]] GateSequence inverse(const GateSequence& sequence);

/// A power as a sequence and its number of repetitions. In the sequence, rotations have their
/// angles multiplied; gates that are their own inverse need at most one repetition.
struct Repetition {
  GateSequence sequence;
  std::uint64_t times = 0;
};
/// Returns the power; the exponent must not be the smallest 64-bit integer.
[[nodiscard]] Repetition power(const GateSequence& sequence, std::int64_t exponent);

/// Returns the principal power: the eigenvalues e^{i a} with -pi < a <= pi become e^{i a exponent}.
/// Throws InputError, without a location, unless the sequence is a phase, a rotation by a constant
/// angle, or one of x, y, z, s, sdg, t, tdg, sx, sxdg, p, cx, cz and cp.
[[nodiscard]] GateSequence fractional_power(const GateSequence& sequence, const Rational& exponent);

}  // namespace quartz::qasm
