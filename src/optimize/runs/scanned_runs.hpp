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

/// Reads runs of a list of gates, each by its first gate, with ScannedRuns::next.
class RunReader {
 public:
  RunReader(std::span<const Operation> gates, RunWords& words) : gates_(gates), words_(words) {}

  /// Sets the product to that of a run, which was computed before when the run was scanned.
  void compute(std::span<const RunPlace> next, RunPlace first, RunProduct& product);
  /// Returns the numbers of the gates of a run, valid until the next call.
  [[nodiscard]] std::span<const circuit::GateNumber> numbers(std::span<const RunPlace> next,
                                                             RunPlace first);

 private:
  std::span<const Operation> gates_;
  RunWords& words_;
  std::vector<circuit::GateNumber> numbers_;
};

/// Scans a list of gates of any kind. Records what is removed unless `recorder` is null. Takes one
/// pass over the gates.
[[nodiscard]] ScannedRuns scan_runs(std::span<const Operation> gates, std::uint32_t qubits,
                                    RunWords& words, circuit::HistoryRecorder* recorder);

}  // namespace quartz::optimizer
