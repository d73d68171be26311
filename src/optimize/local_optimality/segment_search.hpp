#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "classes/table/class_table.hpp"
#include "optimize/annealing/annealing_labels.hpp"
#include "optimize/annealing/moves/move.hpp"
#include "optimize/annealing/rewritten_circuit.hpp"
#include "optimize/local_optimality/window_descent.hpp"
#include "optimize/state/used_rules.hpp"
#include "quartz/circuit/coupling.hpp"
#include "rewrite/wire_lists.hpp"

namespace quartz::optimizer {

/// What segments of a circuit are searched with.
struct SegmentSearchOptions {
  const CouplingMap* coupling = nullptr;  ///< pairs of qubits on which gates may act; null: any
  bool record_pairs = false;              ///< whether to record the pairs that are proved
  bool record_history = false;            ///< whether to record the histories of the segments
  std::uint64_t moves_per_gate = 0;       ///< moves for each gate of a segment that is annealed
};

/// What a segment is searched by.
enum class SegmentStep : std::uint8_t { windows, annealing };

/// A cheaper form of a segment.
struct ImprovedSegment {
  std::vector<rewrite::PlainGate> gates;
  int phase = 0;  ///< in units of pi/8: the segment equals the gates times the phase
  circuit::HistoryPointer history = {};  ///< null unless it is recorded; on the wires below
  std::vector<Qubit> wires = {};  ///< the wires of the history; empty if they are the circuit's
};

/// Searches segments of a circuit, each by itself. One thread uses an object.
class SegmentSearch {
 public:
  /// The table and the labels, which have all gates of the segments, must outlive the object.
  SegmentSearch(const ClassTable& table, const AnnealingLabels& labels, std::uint32_t wires,
                const SegmentSearchOptions& options);

  /// Replaces windows until none is too expensive (WindowDescent), or the time is over. Gates that
  /// are marked are not looked at, as long as nothing changes near them.
  struct Descent {
    std::optional<ImprovedSegment> improved;
    std::vector<bool> marks = {};  ///< those of the gates of the segment, or of the improved one
    bool reaches_start = false;    ///< whether windows that begin before the segment have changed
    bool is_complete = false;      ///< whether no window of the segment is too expensive now
  };
  [[nodiscard]] Descent descend(std::span<const rewrite::PlainGate> segment, std::uint64_t seed,
                                const Budget& budget);
  /// Anneals the segment. If that finds a circuit that costs
  /// less, replaces windows of it as descend() does; else the segment stays as it is.
  [[nodiscard]] Descent anneal(std::span<const rewrite::PlainGate> segment, std::uint64_t seed,
                               const Budget& budget);
  /// Does one of both. The result depends on nothing else, unless the time is over.
  [[nodiscard]] Descent search(SegmentStep step, std::span<const rewrite::PlainGate> segment,
                               std::uint64_t seed, const Budget& budget) {
    return step == SegmentStep::windows ? descend(segment, seed, budget)
                                        : anneal(segment, seed, budget);
  }

  [[nodiscard]] const AnnealingCounts& counts() const { return counts_; }
  /// Returns the pairs that were proved, in their order; null if they are not recorded.
  [[nodiscard]] const UsedPairs* used_pairs() const {
    return proofs_->used_pairs() ? &*proofs_->used_pairs() : nullptr;
  }

 private:
  /// Numbers the wires of a segment by their first occurrence, unless a coupling map knows them by
  /// their numbers.
  [[nodiscard]] rewrite::WireLists wire_lists(std::span<const rewrite::PlainGate> segment);
  /// Replaces windows of a circuit on the wires of wire_lists(), which was derived from the
  /// segment.
  [[nodiscard]] Descent descend_from(RewrittenCircuit circuit, circuit::HistoryPointer before,
                                     std::uint64_t seed, const Budget& budget);
  /// Returns a circuit on the wires of wire_lists() as one on those of the segment.
  [[nodiscard]] ImprovedSegment restored(RewrittenCircuit::Snapshot found) const;

  const ClassTable& table_;
  const AnnealingLabels& labels_;
  const std::uint32_t wires_;
  const SegmentSearchOptions options_;
  std::shared_ptr<WindowProofs> proofs_;  ///< shared by descents and annealing
  WindowDescent descent_;
  std::vector<Qubit> used_;            ///< the wires of the segment by their numbers in it
  std::vector<std::uint32_t> number_;  ///< for each wire; valid for those in used_
  AnnealingCounts counts_;
};

}  // namespace quartz::optimizer
