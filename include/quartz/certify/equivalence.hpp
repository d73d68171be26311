#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "quartz/circuit/circuit.hpp"

namespace quartz {

enum class EquivalenceVerdict { equal, equal_up_to_phase, not_equal, undecided };
[[nodiscard]] std::string_view to_string(EquivalenceVerdict verdict);

struct EquivalenceOptions {
  std::uint64_t seed = 0;
  double memory_bytes = 4e9;  ///< for state vectors
  double seconds = 60;        ///< give up after this with `undecided`
};

struct EquivalenceReport {
  EquivalenceVerdict verdict = EquivalenceVerdict::undecided;
  /// How it was decided, in words for a person: "exact unitary", "dense unitary, double precision",
  /// "4 random states, sparse simulation", ...
  std::string method;
  /// not_equal: an input state and an amplitude in which they differ, or the differing wall;
  /// undecided: why.
  std::string witness;
  /// right = e^{i phase} left, in radians, where they are equal up to a phase.
  std::optional<double> phase;
};

/// Compares two circuits, walls included, with code that shares nothing with the search. Never
/// guesses: what it cannot decide is `undecided`.
[[nodiscard]] EquivalenceReport check_equivalence(const Circuit& left, const Circuit& right,
                                                  const EquivalenceOptions& options = {});

}  // namespace quartz
