#pragma once

#include <optional>
#include <string>

#include "base/budget.hpp"
#include "quartz/algebra/angle.hpp"

/// What every method of comparing takes and returns.
namespace quartz::certify {

/// Circuits are equal for a method that rounds if it bounds the operator norm of their difference,
/// up to global phase, by this.
inline constexpr double tolerance = 1e-9;

/// Thrown inside a method that has used up its budget; no method lets it out.
struct OutOfBudget {};

/// Thrown inside a method that has no means for some step; no method lets it out.
struct Unsupported {
  std::string what;  ///< "the opaque operation 'u'"
};

enum class Outcome { equal, different, unknown };

struct Comparison {
  Outcome outcome = Outcome::unknown;
  std::string method;
  std::string reason;           ///< different: a witness; unknown: why
  std::optional<double> phase;  ///< right = e^{i phase} left, where it is one number
  /// The same exactly, with parameters perhaps, from methods that know it.
  std::optional<Angle> exact_phase;
  /// equal: an upper bound on the operator norm of right - e^{i phase} left; 0 for exact methods.
  double distance = 0;
  /// equal: log2 of an upper bound on the probability that the method is wrong; none for
  /// deterministic methods.
  std::optional<double> log2_failure;
  /// unknown: with a larger budget the method might decide.
  bool out_of_budget = false;
  /// unknown: an exact method found the circuits different, by an unknown amount.
  bool differs_exactly = false;
};

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

}  // namespace quartz::certify
