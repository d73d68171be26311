#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/circuit/circuit.hpp"

namespace quartz {

enum class EquivalenceVerdict { equal, equal_up_to_phase, not_equal, undecided };
[[nodiscard]] std::string_view to_string(EquivalenceVerdict verdict);

struct EquivalenceOptions {
  std::uint64_t seed = 0;
  double memory_bytes = 4e9;  ///< for state vectors and tableaus
  double seconds = 60;        ///< give up after this with `undecided`
  std::stop_token stop;       ///< the same, on request
};

struct EquivalenceReport {
  EquivalenceVerdict verdict = EquivalenceVerdict::undecided;
  /// How it was decided, in words for a person: "exact path sum", "dense unitary in double
  /// precision, operator-norm distance below 3e-13", ... If parts of the circuits were decided by
  /// different methods, all of them.
  std::string method;
  /// not_equal: an input and an amplitude, a phase or a probability in which they differ;
  /// undecided: why.
  std::string witness;
  /// right = e^{i phase} left, in radians in (-pi, pi], where they are equal up to a phase that is
  /// a constant. Empty where it depends on a parameter or on a measured bit, and where the method
  /// does not tell it (Pauli rotations, by which very large circuits are compared).
  std::optional<double> phase;
  /// equal and equal_up_to_phase: an upper bound on the operator norm of right - e^{i phase} left.
  /// 0 where an exact method decided.
  std::optional<double> distance;
  /// log2 of an upper bound on the probability that the verdict is wrong, over the random numbers
  /// that the method drew; none for deterministic methods.
  std::optional<double> log2_failure;
  /// What differs without making the circuits different: register names, barriers.
  std::vector<std::string> notes;
};

/// Compares two circuits with code that shares nothing with the search. Never guesses: what it
/// cannot decide is `undecided`.
///
/// What is compared is what the circuits do. Qubits and classical bits are matched by number, so
/// other names, or other registers of the same total size, are a note; other totals are
/// `not_equal`. Barriers do nothing and are a note. Measure and reset are compared as the
/// physical operations they are, a condition by its bits and its value, an opaque operation as an
/// unknown unitary of its name and exact angles; circuits that differ while one of them has an
/// opaque operation that the other lacks are `undecided`. Free parameters match by name; equality
/// means equality for all their values. Where bits are measured, a phase between different outcomes
/// means nothing, and the verdict may be `equal_up_to_phase` without a phase.
[[nodiscard]] EquivalenceReport check_equivalence(const Circuit& left, const Circuit& right,
                                                  const EquivalenceOptions& options = {});

}  // namespace quartz
