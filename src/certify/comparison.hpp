#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>

/// What every method of comparing is given and gives back.
namespace quartz::certify {

/// Differences up to this size count as rounding, in methods that round.
inline constexpr double tolerance = 1e-9;

/// What a method may use up.
struct Budget {
  using Clock = std::chrono::steady_clock;

  Clock::time_point deadline = Clock::time_point::max();
  double memory_bytes = 4e9;
  std::stop_token stop;

  [[nodiscard]] double seconds_left() const {
    return std::chrono::duration<double>(deadline - Clock::now()).count();
  }
  [[nodiscard]] bool spent() const { return stop.stop_requested() || Clock::now() >= deadline; }
  /// The same with at most this share of the time that is left.
  [[nodiscard]] Budget share(double part) const {
    Budget result = *this;
    const auto now = Clock::now();
    if (deadline > now) {
      result.deadline = now + std::chrono::duration_cast<Clock::duration>((deadline - now) * part);
    }
    return result;
  }
};

/// Thrown inside a method that has used up its budget; no method lets it out.
struct OutOfBudget {};

enum class Outcome { equal, different, unknown };

struct Comparison {
  Outcome outcome = Outcome::unknown;
  std::string method;
  std::string reason;           ///< different: a witness; unknown: why
  std::optional<double> phase;  ///< right = e^{i phase} left, where it is one number
};

[[nodiscard]] inline Comparison unknown_because(std::string method, std::string reason) {
  return {Outcome::unknown, std::move(method), std::move(reason), std::nullopt};
}

}  // namespace quartz::certify
