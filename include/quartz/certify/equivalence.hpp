#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/circuit/circuit.hpp"

namespace quartz {

/// The result of comparing two circuits. `within_epsilon` means that they differ by more than
/// rounding errors, up to a global phase, but by no more than EquivalenceOptions::epsilon, and
/// `undecided` that no method could decide.
enum class EquivalenceVerdict { equal, equal_up_to_phase, not_equal, undecided, within_epsilon };
/// Returns the verdict in words, such as "equal up to global phase".
[[nodiscard]] std::string_view to_string(EquivalenceVerdict verdict);

/// What a method that could not decide lacked: with more of it, it might decide.
enum class Shortage { none, time, memory };
/// Returns "time" or "memory"; an empty text for none.
[[nodiscard]] std::string_view to_string(Shortage shortage);

/// Limits and random seed of check_equivalence.
struct EquivalenceOptions {
  std::uint64_t seed = 0;
  double memory_bytes = 4e9;  ///< memory limit for state vectors and tableaus
  double seconds = 60;        ///< time limit; the verdict is then `undecided`
  std::stop_token stop;       ///< request to stop; the verdict is then `undecided`
  /// Largest operator norm of the difference, up to a global phase, that is permitted. With 0, only
  /// differences that may come from rounding are: up to 1e-9. Less than 1e-9 permits less. With
  /// measurements and resets, the norm is that of the least difference between isometries that
  /// implement the circuits and keep the outcomes of the classical bits.
  double epsilon = 0;
  /// Whether the right circuit may have more qubits and classical bits, after those of the left
  /// one: ancillas, which start in |0> and are discarded, and outcomes of their measurements. The
  /// circuits are equal if the right one does the same to the qubits and bits of the left one, for
  /// every outcome. With an epsilon, the distance is that of the isometries which write all
  /// outcomes down, and only a few qubits and outcomes are decided beyond rounding.
  bool ancillas = false;
};

/// The verdict of check_equivalence and its reasons.
struct EquivalenceReport {
  EquivalenceVerdict verdict = EquivalenceVerdict::undecided;
  /// The method that decided, for a person to read: "exact path sum", "dense unitary in double
  /// precision, operator-norm distance below 3e-13", ... If different methods decided parts of the
  /// circuits, all of them are named.
  std::string method;
  /// not_equal: an input, and an amplitude, a phase or a probability in which the circuits differ
  /// for it. undecided: the reason.
  std::string witness;
  /// undecided: what one of the methods lacked; time if it was time for some and memory for others.
  Shortage shortage = Shortage::none;
  /// The phase in right = e^{i phase} left, in radians in (-pi, pi], if the circuits are equal up
  /// to a constant phase. Empty if the phase depends on a parameter or on a measured bit, and if
  /// the time does not suffice to compute it (Pauli rotations, which compare very large circuits).
  std::optional<double> phase;
  /// equal, equal_up_to_phase and within_epsilon: an upper bound on the operator norm of
  /// right - e^{i phase} left.
  /// It is 0 if an exact method decided.
  std::optional<double> distance;
  /// log2 of an upper bound on the probability that the verdict is wrong, over the random numbers
  /// that the method drew. Empty for deterministic methods.
  std::optional<double> log2_failure;
  /// Differences that do not make the circuits unequal: register names, barriers.
  std::vector<std::string> notes;
};

/// Compares two circuits with code that shares nothing with the search. Never guesses: what it
/// cannot decide is `undecided`. Throws UsageError if `epsilon` is not in [0, 1].
///
/// Circuits are compared by their effect. Qubits and classical bits are matched by number: other
/// names, or other registers of the same total size, give a note, and other total sizes give
/// `not_equal`. Barriers have no effect and give a note. Measurements and resets are compared as
/// physical operations, a condition by its bits and its value, and an opaque operation as an
/// unknown unitary identified by its name and exact angles. Calls of declared gates are expanded.
/// Circuits that differ, of which one has an opaque operation that the other lacks, are
/// `undecided`. Free parameters match by name, and equality means equality for all their values. If
/// bits are measured, a phase between different outcomes has no meaning, and the verdict may be
/// `equal_up_to_phase` without a phase.
[[nodiscard]] EquivalenceReport check_equivalence(const Circuit& left, const Circuit& right,
                                                  const EquivalenceOptions& options = {});

/// Returns the report about a circuit that equals another one, which equals the input, both perhaps
/// up to a global phase.
[[nodiscard]] EquivalenceReport chained(EquivalenceReport first, const EquivalenceReport& second);

}  // namespace quartz
