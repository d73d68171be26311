#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "base/budget.hpp"
#include "quartz/algebra/angle.hpp"
#include "quartz/certify/equivalence.hpp"

/// The common input and output of all methods of comparison.
namespace quartz::certify {

/// A method that rounds considers circuits equal if the operator norm of their difference, up to
/// global phase, is bounded by this.
inline constexpr double kRoundingTolerance = 1e-9;

/// Returns the operator norm up to which two circuits are considered equal if `epsilon` is
/// permitted; with 0, nothing beyond rounding is.
[[nodiscard]] constexpr double tolerance_of(double epsilon) {
  return epsilon > 0 ? epsilon : kRoundingTolerance;
}
/// Returns whether a distance counts as one that `epsilon` has permitted. Otherwise rounding
/// explains it. Bounds on rounding errors are mostly below 1e-11, and those on distances that
/// epsilon permitted mostly above a hundredth of it.
[[nodiscard]] inline bool is_beyond_rounding(double distance, double epsilon) {
  return epsilon > 0 && distance > std::min(kRoundingTolerance, epsilon / 100);
}

/// Thrown inside a method that has used up its budget. Every method catches it.
struct OutOfBudget {};

/// Thrown inside a method that does not support an operation. Every method catches it.
struct Unsupported {
  std::string what;  ///< for example "the opaque operation 'u'"
};

enum class Outcome { equal, different, unknown };

struct Comparison {
  Outcome outcome = Outcome::unknown;
  std::string method;
  std::string reason;           ///< different: a witness; unknown: the reason
  std::optional<double> phase;  ///< right = e^{i phase} left, if the phase is a single number
  /// The exact phase, possibly with parameters, from methods that know it.
  std::optional<Angle> exact_phase;
  /// equal: an upper bound on the operator norm of right - e^{i phase} left; 0 for exact methods.
  double distance = 0;
  /// equal: log2 of an upper bound on the probability that the method is wrong; empty for
  /// deterministic methods.
  std::optional<double> log2_failure;
  /// unknown: what the method lacked, with more of which it might decide.
  Shortage shortage = Shortage::none;
  /// unknown: whether the method gave up early, although it had what it needs to go on.
  bool is_unfinished = false;
  /// unknown: whether an exact method found the circuits different, by an unknown amount.
  bool differs_exactly = false;
};

/// Returns log2(2^a + 2^b): the bound for two events, from the bounds for each.
[[nodiscard]] inline double log2_of_sum(double a, double b) {
  return std::max(a, b) + std::log2(1 + std::exp2(-std::abs(a - b)));
}

[[nodiscard]] inline Comparison equal_by(std::string method) {
  Comparison result;
  result.outcome = Outcome::equal;
  result.method = std::move(method);
  return result;
}

[[nodiscard]] inline Comparison different_by(std::string method, std::string witness) {
  Comparison result;
  result.outcome = Outcome::different;
  result.method = std::move(method);
  result.reason = std::move(witness);
  return result;
}

[[nodiscard]] inline Comparison unknown_because(std::string method, std::string reason) {
  Comparison result;
  result.method = std::move(method);
  result.reason = std::move(reason);
  return result;
}

[[nodiscard]] inline Comparison unknown_without(Shortage shortage, std::string method,
                                                std::string reason) {
  Comparison result = unknown_because(std::move(method), std::move(reason));
  result.shortage = shortage;
  return result;
}

[[nodiscard]] inline Comparison out_of_time(std::string method) {
  return unknown_without(Shortage::time, std::move(method), "out of time");
}

/// Returns what a method is left with that counts both in its budget.
[[nodiscard]] inline Comparison out_of_time_or_memory(std::string method, const Budget& budget) {
  return unknown_without(budget.spent() ? Shortage::time : Shortage::memory, std::move(method),
                         "out of time or memory");
}

/// Returns what two methods lacked: time if one of them lacked time.
[[nodiscard]] constexpr Shortage shortage_of_both(Shortage first, Shortage second) {
  if (first == Shortage::none) return second;
  return second == Shortage::time ? second : first;
}

}  // namespace quartz::certify
