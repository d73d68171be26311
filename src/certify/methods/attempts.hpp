#pragma once

#include <optional>
#include <string>
#include <utility>

#include "certify/problem/comparison.hpp"

namespace quartz::certify {

/// Collects the results of methods, tried in order until one decides.
class Attempts {
 public:
  /// Records the result of a method and returns whether it decides.
  bool record(Comparison attempt) {
    if (attempt.outcome != Outcome::unknown) {
      result_ = std::move(attempt);
      return true;
    }
    differs_exactly_ = differs_exactly_ || attempt.differs_exactly;
    result_.shortage = shortage_of_both(result_.shortage, attempt.shortage);
    const std::string reason = attempt.method + ": " + attempt.reason;
    if (result_.reason.find(reason) != std::string::npos) return false;
    if (!result_.reason.empty()) result_.reason += "; ";
    result_.reason += reason;
    return false;
  }

  /// Returns whether an exact method found the circuits different. Exact methods can then no longer
  /// find them equal, but a difference within the tolerance may be due to rounded angles.
  [[nodiscard]] bool differs_exactly() const { return differs_exactly_; }

  /// Returns the decision, or all reasons why there is none.
  [[nodiscard]] Comparison result() && { return std::move(result_); }

 private:
  bool differs_exactly_ = false;
  Comparison result_ = unknown_because("no method decides", "");
};

}  // namespace quartz::certify
