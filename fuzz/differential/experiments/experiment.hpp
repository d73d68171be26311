#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shrinking/shrink.hpp"

namespace quartz::differential {

/// What one run found out.
struct Outcome {
  /// What is counted, such as "equal", "refused: ..." or "measured".
  std::vector<std::string> counts;
  /// Empty, or what is wrong: its kind up to a colon, then the details.
  std::string finding;
  /// Two programs that other tools can compare; empty if they cannot.
  std::string before;
  std::string after;
};

/// One row of experiments.inc.
struct Experiment {
  std::string_view name;
  std::string_view description;
  /// Returns the case for a seed.
  Case (*draw)(std::uint64_t seed) = nullptr;
  Outcome (*run)(const Case&) = nullptr;
};

/// Returns all experiments in the order of experiments.inc.
[[nodiscard]] std::span<const Experiment> experiments();

/// Runs an experiment. An exception that it does not expect is a finding.
[[nodiscard]] Outcome run_guarded(const Experiment& experiment, const Case& input);

/// Returns the part of a finding that stays the same while the case is reduced.
[[nodiscard]] std::string kind_of(const std::string& finding);

}  // namespace quartz::differential
