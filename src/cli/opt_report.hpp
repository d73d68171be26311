#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/optimize/optimize.hpp"

/// What quartz-opt tells of a run: the summary, --explain, and --stats.
namespace quartz::cli {

/// The parts of a run and the seconds that each took, in order.
class StageTimes {
 public:
  /// Everything since the last stage, or since the start, was this one.
  void end_stage(std::string name);
  [[nodiscard]] const std::vector<std::pair<std::string, double>>& stages() const {
    return stages_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
  std::vector<std::pair<std::string, double>> stages_;
};

/// What came of comparing the result with the input.
struct ResultCheck {
  std::optional<bool> verified;  ///< nothing where no check was wanted
  std::string text;              ///< the verdict, and how it came about
};

/// Refers to what the run holds: circuits are large.
struct OptReport {
  const Circuit& input;
  const Circuit& translated;
  const OptimizeResult& result;
  const Cost& cost;
  const std::string& gate_set;
  const ResultCheck& checked;
  bool written = true;  ///< whether the result was written
  const StageTimes& times;
};

/// A few lines for a person.
[[nodiscard]] std::string summary_of(const OptReport& report);
/// What was found, in tables: gates by kind, what stayed as it was, passes, times.
[[nodiscard]] std::string explanation_of(const OptReport& report);
/// JSON; docs/formats/stats.md describes each figure.
[[nodiscard]] std::string stats_of(const OptReport& report);

}  // namespace quartz::cli
