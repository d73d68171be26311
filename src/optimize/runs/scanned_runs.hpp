#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "circuit/history.hpp"
#include "optimize/runs/run_product.hpp"
#include "optimize/runs/run_words.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// Index of a gate in the list whose runs are scanned.
using RunPlace = std::uint32_t;
inline constexpr RunPlace kNoRunPlace = ~RunPlace{0};

/// What becomes of a gate.
enum class RunRole : std::uint8_t {
  stays,
  begins_run,
  in_run,
  removed,  ///< with its inverse, or with a run between two inverse gates that is the identity
};

/// The runs of gates on one qubit of a list, without the pairs of inverse gates that nothing, or a
/// run that is the identity, separates.
struct ScannedRuns {
  std::vector<RunRole> roles;  ///< by place
  std::vector<RunPlace> next;  ///< the next gate of the same run, or kNoRunPlace
  Angle phase;                 ///< by which what was removed differs from the identity
  unsigned eighths = 0;        ///< added to the phase, in units of pi/4
  bool has_removed = false;
};

/// Scans a list of gates of any kind. Records what is removed unless `recorder` is null. Takes one
/// pass over the gates.
[[nodiscard]] ScannedRuns scan_runs(std::span<const Operation> gates, std::uint32_t qubits,
                                    RunWords& words, circuit::HistoryRecorder* recorder);

}  // namespace quartz::optimizer
