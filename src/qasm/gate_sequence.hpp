#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quartz/circuit/operation.hpp"

/// What the modifiers of OpenQASM 3 make of a gate: exactly, global phase included.
namespace quartz::qasm {

/// e^{i phase} times the operations (gates and barriers), the first one applied first.
struct GateSequence {
  std::vector<Operation> operations;
  Angle phase;
};

/// More controls than this are refused: angles are halved once for each, and stay exact in 64 bits.
inline constexpr std::size_t most_controls = 32;

/// Longer sequences are refused: they are in memory at once.
inline constexpr std::size_t most_modified_operations = std::size_t{1} << 21U;
/// Throws InputError, without a place, for more operations than that.
void check_length(std::uint64_t operations, std::uint64_t times = 1);

/// The sequence on condition that all of the controls are 1. Its phase becomes gates on them.
/// Throws OverflowError where the angles need fractions of more than 64 bits, InputError as
/// check_length.
[[nodiscard]] GateSequence controlled(const GateSequence& sequence,
                                      std::span<const Qubit> controls);
[[nodiscard]] GateSequence inverse(const GateSequence& sequence);

/// What the gates of the power are repetitions of, and how often: rotations have their angles
/// multiplied, gates that are their own inverse at most one repetition.
struct Repetition {
  GateSequence sequence;
  std::uint64_t times = 0;
};
/// Not for the smallest 64-bit integer.
[[nodiscard]] Repetition power(const GateSequence& sequence, std::int64_t exponent);

}  // namespace quartz::qasm
